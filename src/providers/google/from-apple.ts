/** What a template says in its `apple` part and means for a pass as such, on whatever wallet it is. */
import { expirationDate } from "../../domain/passes/expiry.ts";
import { resourceShape } from "../../domain/templates/parsing/google/resource-shapes.ts";
import { keepValidMembers } from "../../domain/templates/parsing/keep-valid.ts";
import type { TemplateContent } from "../../domain/templates/template.ts";
import { isObject, renderAll } from "./author-part.ts";

/** https://developers.google.com/wallet/reference/rest/v1/TimeInterval */
export type TimeInterval = { start: { date: string } | null; end: { date: string } | null };

/** https://developers.google.com/wallet/reference/rest/v1/MerchantLocation */
export type MerchantLocation = { latitude: number; longitude: number };

type Content = Pick<TemplateContent, "apple">;
type Values = ReadonlyMap<string, string>;

/** When the pass expires, by `expirationDate`; null: it does not, or its date is none. */
export function expiry(content: Content, values: Values): { date: string } | null {
  const date = expirationDate(content, values);
  if (date === null) return null;
  // Apple lets seconds be left out.
  return { date: date.replace(/(T\d\d:\d\d)(?=Z|[+-])/, "$1:00") };
}

/** Where the pass is of use, by `locations`, as many as Google takes; null: nowhere in particular. */
export function places({ apple }: Content, values: Values): MerchantLocation[] | null {
  const locations = renderAll(apple?.locations, values);
  if (!Array.isArray(locations)) return null;
  const merchantLocations = locations
    .filter(isObject)
    .map(({ latitude, longitude }) => ({ latitude, longitude }));
  const kept = keepValidMembers({ merchantLocations }, resourceShape("generic", "object"));
  return (kept.merchantLocations as MerchantLocation[] | undefined) ?? null;
}

/**
 * Google refuses an interval that ends before it starts, or has an offset at one end only: then the end alone counts, by which
 * the pass expires.
 */
export function soundInterval(interval: unknown): unknown {
  if (!isObject(interval)) return interval;
  const [start, end] = [interval.start, interval.end].map((at) => (isObject(at) ? at.date : undefined));
  if (typeof start !== "string" || typeof end !== "string") return interval;
  const hasOffset = (date: string) => /(Z|[+-]\d\d:\d\d)$/.test(date);
  const isSound = hasOffset(start) === hasOffset(end) && Date.parse(start) <= Date.parse(end);
  return isSound ? interval : { ...interval, start: null };
}
