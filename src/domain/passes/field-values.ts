import { isoInstant } from "../clock.ts";
import type { ComputedSource, TemplateContent } from "../templates/template.ts";
import type { Pass, PassData } from "./pass.ts";

type PassFacts = Pick<Pass, "id" | "externalRef" | "version" | "createdAtMs" | "updatedAtMs" | "data">;

/**
 * The value of every field of a template for one pass, by key: what the caller gave, else the default, else «».
 * Computed fields come from the pass itself.
 */
export function fieldValues(content: Pick<TemplateContent, "fields">, pass: PassFacts): Map<string, string> {
  const values = new Map<string, string>();
  for (const field of content.fields) {
    const value =
      field.kind === "Computed"
        ? computedValue(field.source ?? "pass_id", pass)
        : (given(pass.data, field.key) ?? field.default ?? "");
    values.set(field.key, value);
  }
  return values;
}

/** Keys may be the names of what every object inherits, `constructor` among them. */
function given(data: PassData, key: string): string | undefined {
  return Object.hasOwn(data, key) ? data[key] : undefined;
}

function computedValue(source: ComputedSource, pass: PassFacts): string {
  switch (source) {
    case "pass_id":
      return pass.id;
    case "external_ref":
      return pass.externalRef;
    case "version":
      return String(pass.version);
    case "issued_at":
      return isoInstant(pass.createdAtMs);
    case "updated_at":
      return isoInstant(pass.updatedAtMs);
  }
}

const token = /\{\{([A-Za-z0-9_.-]{1,64})\}\}/g;

/** Replaces `{{key}}` tokens. A token that no field answers to becomes «»; inserted values are not scanned again. */
export function renderTokens(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(token, (_match, key: string) => values.get(key) ?? "");
}

/** The keys that a text names as tokens, in order, repeats included. */
export function tokensIn(text: string): string[] {
  return [...text.matchAll(token)].map((match) => match[1] ?? "");
}

/** The text between its tokens: one piece more than there are tokens, each of which may be empty. */
export function literalPieces(text: string): string[] {
  // Between the pieces stand the keys, which the token's pattern captures.
  return text.split(token).filter((_piece, i) => i % 2 === 0);
}

/** Whether these pieces, in order and with anything between them, can be that text. */
export function canBecome(pieces: readonly string[], text: string): boolean {
  const [first = "", ...rest] = pieces;
  const last = rest.pop();
  if (last === undefined) return first === text;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= text.length - last.length;
}
