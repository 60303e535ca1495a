import { renderTokens } from "../../domain/passes/field-values.ts";
import { reservedGoogleMembers } from "../../domain/templates/parsing/google/check-google.ts";
import type { GooglePart } from "../../domain/templates/parsing/google/resource-shapes.ts";
import type { TemplateContent } from "../../domain/templates/template.ts";

export type JsonObject = { [member: string]: unknown };

/**
 * What a template's author writes for Google's class or object, without what is the service's to write; empty where there
 * is nothing.
 */
export function authorPart(content: Pick<TemplateContent, "google">, part: GooglePart): JsonObject {
  const written = content.google?.[part];
  if (!isObject(written)) return {};
  const reserved = reservedGoogleMembers[part];
  return Object.fromEntries(Object.entries(written).filter(([name]) => !Object.hasOwn(reserved, name)));
}

/** Replaces the `{{key}}` tokens in every string, however deep. */
export function renderAll(value: unknown, values: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return renderTokens(value, values);
  if (Array.isArray(value)) return value.map((item) => renderAll(item, values));
  return isObject(value) ? mapMembers(value, (member) => renderAll(member, values)) : value;
}

/**
 * Two merge patches (RFC 7396) as one, the second applied after the first: objects go by member, anything else whole.
 * A null stays, since it has still to clear what it meets.
 */
export function composePatches(first: unknown, second: unknown): unknown {
  if (!isObject(first) || !isObject(second)) return second;
  const composed = new Map(Object.entries(first));
  for (const [name, value] of Object.entries(second)) {
    composed.set(name, composed.has(name) ? composePatches(composed.get(name), value) : value);
  }
  return Object.fromEntries(composed);
}

/** What a merge patch (RFC 7396) makes of nothing: itself without its nulls. */
export function patchedFromNothing(patch: JsonObject): JsonObject {
  const kept = Object.entries(patch).filter(([, value]) => value !== null);
  return Object.fromEntries(
    kept.map(([name, value]) => [name, isObject(value) ? patchedFromNothing(value) : value]),
  );
}

function mapMembers(object: JsonObject, change: (value: unknown) => unknown): JsonObject {
  // Object.fromEntries defines members: one named __proto__ stays a member.
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
