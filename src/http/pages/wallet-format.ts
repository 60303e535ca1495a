import { renderTokens } from "../../domain/passes/field-values.ts";
import type { TemplateContent } from "../../domain/templates/template.ts";
import { html, isolated, type Markup } from "./markup.ts";

/** The members of one field in a template's `apple` part: another label, or another way to show the value. */
export type FieldFormat = Record<string, unknown>;

/**
 * By field key, what the template's `apple` part says about fields: the items with a `key` in the lists of its
 * style objects (`storeCard.primaryFields` and so on). Tokens in strings are replaced, as in pass.json.
 */
export function fieldFormats(
  apple: TemplateContent["apple"],
  values: ReadonlyMap<string, string>,
): Map<string, FieldFormat> {
  const formats = new Map<string, FieldFormat>();
  const styles = Object.values(apple ?? {}).filter(isRecord);
  for (const field of styles.flatMap((style) => Object.values(style)).flat()) {
    if (!isRecord(field) || typeof field.key !== "string") continue;
    const rendered = Object.entries(field).map(([member, value]): [string, unknown] => [
      member,
      typeof value === "string" ? renderTokens(value, values) : value,
    ]);
    formats.set(field.key, Object.fromEntries(rendered));
  }
  return formats;
}

/** The keys of the fields that a style object has in one of its lists. */
export function fieldKeys(style: unknown, member: string): string[] {
  const list = isRecord(style) ? style[member] : undefined;
  if (!Array.isArray(list)) return [];
  return list.flatMap((field) => (isRecord(field) && typeof field.key === "string" ? [field.key] : []));
}

/**
 * A value as Wallet shows it: amounts, numbers and instants by the field's format and the reader's locale, everything else
 * as it is written.
 */
export function formattedValue(value: string, format: FieldFormat, locale: string): Markup {
  return formattedNumber(value, format, locale) ?? formattedInstant(value, format, locale) ?? isolated(value);
}

/** What a double holds as it was written; the same values become numbers in pass.json. */
const plainNumber = /^-?(?=[\d.]{1,16}$)\d{1,15}(\.\d+)?$/;

function formattedNumber(
  value: string,
  { currencyCode, numberStyle }: FieldFormat,
  locale: string,
): Markup | null {
  if (!plainNumber.test(value)) return null;
  const number = Number(value);
  // ISO 4217: three letters; Intl throws at anything else.
  if (typeof currencyCode === "string" && /^[A-Z]{3}$/.test(currencyCode)) {
    const amount = new Intl.NumberFormat(locale, { style: "currency", currency: currencyCode });
    return isolated(amount.format(number));
  }
  if (numberStyle === "PKNumberStyleDecimal") {
    return isolated(new Intl.NumberFormat(locale, { maximumFractionDigits: 15 }).format(number));
  }
  if (numberStyle === "PKNumberStylePercent") {
    return isolated(new Intl.NumberFormat(locale, { style: "percent" }).format(number));
  }
  return null;
}

const lengths: Record<string, "short" | "medium" | "long" | "full"> = {
  PKDateStyleShort: "short",
  PKDateStyleMedium: "medium",
  PKDateStyleLong: "long",
  PKDateStyleFull: "full",
};

/** W3C date with time and zone (https://www.w3.org/TR/NOTE-datetime), as Wallet requires of formatted values. */
const zonedInstant = /^(\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(?:Z|[+-]\d\d:\d\d)$/;

/** In the zone that the value itself names: without scripts a page cannot know its reader's. */
function formattedInstant(value: string, format: FieldFormat, locale: string): Markup | null {
  const dateStyle = lengths[String(format.dateStyle)];
  const timeStyle = lengths[String(format.timeStyle)];
  if (dateStyle === undefined && timeStyle === undefined) return null;
  const local = zonedInstant.exec(value)?.[1];
  const atMs = local === undefined ? Number.NaN : Date.parse(`${local}Z`);
  if (Number.isNaN(atMs)) return null;
  const styles = {
    ...(dateStyle === undefined ? {} : { dateStyle }),
    // The longer forms of a time would name UTC, in which it is only written here.
    ...(timeStyle === undefined ? {} : { timeStyle: "short" as const }),
  };
  const text = new Intl.DateTimeFormat(locale, { ...styles, timeZone: "UTC" }).format(atMs);
  return html`<time datetime="${value}">${text}</time>`;
}

export function isRecord(node: unknown): node is Record<string, unknown> {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
