import { readJson } from "../../../domain/templates/parsing/json-text.ts";

export type Members = Record<string, unknown>;

/** The object in a JSON text; null where it is none, or says something twice, which two readers may take differently. */
export function readObject(text: string): Members | null {
  const reading = readJson(text);
  if ("mistake" in reading || reading.repeated.length > 0) return null;
  return asObject(reading.value);
}

export function asObject(value: unknown): Members | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : null;
}

/** A text of 1 to `most` UTF-16 units that UTF-8 can hold; undefined for anything else. */
export function textOf(members: Members, name: string, most: number): string | undefined {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  const isText = typeof value === "string" && value !== "" && value.length <= most && value.isWellFormed();
  return isText ? value : undefined;
}

/** The end of the year 9999, beyond which nobody means an instant. */
const lastInstantMs = 253_402_300_799_999;

/** Milliseconds since 1970, as a number or in digits: Google writes both. */
export function instantOf(members: Members, name: string): number | undefined {
  const value = Object.hasOwn(members, name) ? members[name] : undefined;
  const ms = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  const isInstant = typeof ms === "number" && Number.isInteger(ms) && ms >= 0 && ms <= lastInstantMs;
  return isInstant ? ms : undefined;
}
