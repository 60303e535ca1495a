/**
 * Text that is HTML already. The mark is a symbol, so nothing that was ever JSON can pass for markup:
 * whatever else meets a template is escaped.
 */
const trusted: unique symbol = Symbol("markup");
export type Markup = { readonly [trusted]: string };

type Part = Markup | readonly Markup[] | string | number | null;

/** Declares a text to be safe HTML. Only for constants of this source and for what was escaped or checked before. */
export function trustedMarkup(text: string): Markup {
  return { [trusted]: text };
}

/** A template tag: literal parts are HTML, strings are escaped, Markup goes in as it is, null is nothing. */
export function html(literals: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = literals[0] ?? "";
  for (const [index, part] of parts.entries()) text += textOf(part) + (literals[index + 1] ?? "");
  return trustedMarkup(text);
}

/** The HTML itself. */
export function markupText(markup: Markup): string {
  return markup[trusted];
}

/**
 * A value of a tenant or a holder, isolated: `bdi` takes its direction from its own first strong character,
 * and no direction control in it reaches the text around it (Unicode UAX #9, isolates).
 */
export function isolated(value: string): Markup {
  return html`<bdi>${value}</bdi>`;
}

// U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069: the direction controls of UAX #9.
const directionControls = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value for where no element can isolate it (title, attributes): one line, without direction controls. */
export function plainLine(value: string): string {
  return value.replace(directionControls, "").replace(/\s+/g, " ").trim();
}

/** A link target if it is http, https or a path of this origin; null for every other scheme (`javascript:`, `data:`). */
export function safeHref(target: string | null): string | null {
  if (target === null) return null;
  if (/^\/(?![/\\])/.test(target)) return target;
  const url = URL.parse(target);
  return url !== null && (url.protocol === "https:" || url.protocol === "http:") ? url.href : null;
}

function textOf(part: Part): string {
  if (part === null) return "";
  if (typeof part === "number") return String(part);
  if (typeof part === "string") return escaped(part);
  if (isMarkup(part)) return part[trusted];
  return part.map(markupText).join("");
}

function isMarkup(part: Markup | readonly Markup[]): part is Markup {
  return trusted in part;
}

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
// HTML forbids the C0 and C1 controls in text, tab, line feed and carriage return aside (WHATWG HTML, 13.1.4).
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, "\ufffd")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
