import { tokensIn } from "../../passes/field-values.ts";
import { suggestion } from "./closest-word.ts";
import { pointerTo } from "./findings.ts";
import { isMembers, type MemberReader } from "./members.ts";

const braces = /\{\{[^{}]*\}\}/g;

/** Every `{{key}}` of a text must name a field, and what looks like a token must be one. */
export function checkTokens(
  reader: MemberReader,
  text: string,
  { pointer, keys }: { pointer: string; keys: ReadonlySet<string> },
): void {
  const unknown = new Set(tokensIn(text).filter((key) => !keys.has(key)));
  for (const key of unknown) {
    const meant = suggestion(key, keys);
    const remedy = meant === "" ? ": add one to /fields, or remove the token" : meant;
    reader.fault(pointer, `uses {{${key}}}, but there is no field ${key}${remedy}`);
  }
  for (const [written] of text.matchAll(braces)) {
    if (tokensIn(written).length > 0) continue;
    const key = written.slice(2, -2).trim();
    const meant = keys.has(key)
      ? `: did you mean {{${key}}}?`
      : ": a token is {{key}}, with the key of a field";
    reader.fault(pointer, `has ${written}, which is no token${meant}`);
  }
}

/** The same for every string of a value, however deep. Members called __proto__ cannot be kept, and are refused. */
export function checkTokensWithin(
  reader: MemberReader,
  value: unknown,
  place: { pointer: string; keys: ReadonlySet<string> },
): void {
  if (typeof value === "string") checkTokens(reader, value, place);
  const entries = Array.isArray(value) ? [...value.entries()] : isMembers(value) ? Object.entries(value) : [];
  for (const [step, item] of entries) {
    const pointer = pointerTo(place.pointer, step);
    if (step === "__proto__") reader.fault(pointer, "cannot be the name of a member: remove it");
    checkTokensWithin(reader, item, { ...place, pointer });
  }
}

/** Texts that go to the wallets as they are: a token there would be read by people. */
export function warnOfTokens(reader: MemberReader, text: unknown, pointer: string): void {
  const [found] = typeof text === "string" ? (text.match(braces) ?? []) : [];
  if (found === undefined) return;
  reader.warn(
    pointer,
    `has ${found}, which is shown as it is: tokens are replaced only in /barcode, /apple and /google`,
  );
}
