import { html, type Markup, safeHref } from "../pages/markup.ts";

/** Where a link of the text leads to; null: nowhere from here, so that only its words are shown. */
export type LinkTarget = (written: string) => string | null;

type Found = { markup: Markup; length: number };

/** The text within a block: code, links, emphasis. Everything else is text, and escaped. */
export function inlineMarkup(text: string, linkTarget: LinkTarget): Markup[] {
  const parts: Markup[] = [];
  let plain = "";
  const endPlain = (): void => {
    if (plain !== "") parts.push(html`${plain}`);
    plain = "";
  };
  for (let at = 0; at < text.length; ) {
    const rest = text.slice(at);
    const escaped = /^\\([!-/:-@[-`{-~])/.exec(rest);
    if (escaped !== null) {
      plain += escaped[1];
      at += 2;
      continue;
    }
    const found =
      codeSpan(rest) ?? autolink(rest) ?? image(rest) ?? link(rest, linkTarget) ?? emphasis(rest, linkTarget);
    if (found === null) {
      // A run of marks that begins nothing is text as a whole.
      const [run = text.charAt(at)] = /^(?:`+|\*+)/.exec(rest) ?? [];
      plain += run;
      at += run.length;
      continue;
    }
    endPlain();
    parts.push(found.markup);
    at += found.length;
  }
  endPlain();
  return parts;
}

/** The words alone, as a heading's anchor and a page's title take them. */
export function plainWords(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\\([!-/:-@[-`{-~])/g, "$1");
}

function codeSpan(rest: string): Found | null {
  const match = /^(`+)(?!`)([\s\S]*?[^`])\1(?!`)/.exec(rest);
  if (match === null) return null;
  const [whole, , content = ""] = match;
  const trimmed = /^ .*\S.* $/s.test(content) ? content.slice(1, -1) : content;
  return { markup: html`<code>${trimmed.replaceAll("\n", " ")}</code>`, length: whole.length };
}

function autolink(rest: string): Found | null {
  const match = /^<(https?:\/\/[^\s<>]+)>/.exec(rest);
  if (match === null) return null;
  const [whole, address = ""] = match;
  return { markup: anchor(address, [html`${address}`]), length: whole.length };
}

/** Pictures are not served: their description stands for them. */
function image(rest: string): Found | null {
  const match = /^!\[([^\]]*)\]\([^)]*\)/.exec(rest);
  return match === null ? null : { markup: html`${match[1] ?? ""}`, length: match[0].length };
}

function link(rest: string, linkTarget: LinkTarget): Found | null {
  const match = /^\[((?:`[^`]*`|[^\]`])*)\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/.exec(rest);
  if (match === null) return null;
  const [whole, words = "", written = ""] = match;
  const inner = inlineMarkup(words, linkTarget);
  const target = linkTarget(written);
  return { markup: target === null ? html`${inner}` : anchor(target, inner), length: whole.length };
}

function anchor(target: string, inner: Markup[]): Markup {
  const href = target.startsWith("#") ? target : safeHref(target);
  return href === null ? html`${inner}` : html`<a href="${href}">${inner}</a>`;
}

function emphasis(rest: string, linkTarget: LinkTarget): Found | null {
  const match = /^(\*\*|\*)(?=[^\s*])((?:`[^`]*`|[\s\S])*?[^\s*])\1(?!\*)/.exec(rest);
  if (match === null) return null;
  const [whole, mark, words = ""] = match;
  const inner = inlineMarkup(words, linkTarget);
  return {
    markup: mark === "**" ? html`<strong>${inner}</strong>` : html`<em>${inner}</em>`,
    length: whole.length,
  };
}
