import { html, type Markup, trustedMarkup } from "../pages/markup.ts";
import { inlineMarkup, type LinkTarget, plainWords } from "./markdown-inline.ts";

/**
 * The Markdown of this repository as HTML: headings, paragraphs, fenced code, tables, lists, quotes. HTML in it is left out, so
 * nothing of a text can become markup but by these rules.
 */
export function markdownMarkup(markdown: string, linkTarget: LinkTarget): Markup {
  const anchors = new Map<string, number>();
  return html`${blocks(markdown.replaceAll("\r\n", "\n").split("\n"), { linkTarget, anchors })}`;
}

/** The fragment by which GitHub links to a heading. */
export function anchorOf(heading: string): string {
  return plainWords(heading)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

type Context = { linkTarget: LinkTarget; anchors: Map<string, number> };
/** What a rule made of the lines from `at` on, and where it ended. */
type Block = { markup: Markup | null; next: number };
type Rule = (lines: readonly string[], at: number, context: Context) => Block | null;

const heading = /^ {0,3}(#{1,6})\s+(.*?)\s*#*\s*$/;
const fence = /^( *)(`{3,}|~{3,})\s*([^`\s]*)[^`]*$/;
const item = /^( *)([-*+]|\d{1,9}[.)])( +)(?=\S)/;
const delimiterRow = /^ *\|?(?: *:?-+:? *\|)+(?: *:?-+:? *)?$/;

const rules: readonly Rule[] = [blank, leftOut, fencedCode, headingBlock, rule, quote, table, list];

function blocks(lines: readonly string[], context: Context): Markup[] {
  const made: Markup[] = [];
  for (let at = 0; at < lines.length; ) {
    const { markup, next } = blockAt(lines, at, context);
    if (markup !== null) made.push(markup);
    at = next;
  }
  return made;
}

/** Whatever no rule takes is a paragraph. */
function blockAt(lines: readonly string[], at: number, context: Context): Block {
  for (const rule of rules) {
    const block = rule(lines, at, context);
    if (block !== null) return block;
  }
  return paragraph(lines, at, context);
}

function blank(lines: readonly string[], at: number): Block | null {
  return lines[at]?.trim() === "" ? { markup: null, next: at + 1 } : null;
}

/** A comment up to its end, or HTML up to the next empty line. */
function leftOut(lines: readonly string[], at: number): Block | null {
  const line = lines[at] ?? "";
  if (!/^ {0,3}<[!/a-zA-Z]/.test(line) || /^ *<https?:/.test(line)) return null;
  const isEnd = line.trimStart().startsWith("<!--")
    ? (text: string) => text.includes("-->")
    : (text: string) => text.trim() === "";
  const end = lines.findIndex((text, index) => index >= at && isEnd(text));
  return { markup: null, next: end === -1 ? lines.length : end + 1 };
}

function fencedCode(lines: readonly string[], at: number): Block | null {
  const [whole, indent = "", mark = "", language = ""] = fence.exec(lines[at] ?? "") ?? [];
  if (whole === undefined) return null;
  const closing = new RegExp(`^ *${mark.charAt(0)}{${mark.length},} *$`);
  const end = lines.findIndex((line, index) => index > at && closing.test(line));
  const next = end === -1 ? lines.length : end;
  const code = lines
    .slice(at + 1, next)
    .map((line) => line.replace(new RegExp(`^ {0,${indent.length}}`), ""));
  const name = language === "" ? null : html` class="language-${language}"`;
  // A line break right behind <pre> would be swallowed, which here is none of the text's.
  const markup = html`<pre tabindex="0"><code${name}>${code.map((line) => `${line}\n`).join("")}</code></pre>\n`;
  return { markup, next: next + 1 };
}

function headingBlock(lines: readonly string[], at: number, { linkTarget, anchors }: Context): Block | null {
  const [whole, marks = "", text = ""] = heading.exec(lines[at] ?? "") ?? [];
  if (whole === undefined) return null;
  const name = anchorOf(text);
  const times = anchors.get(name) ?? 0;
  anchors.set(name, times + 1);
  const id = times === 0 ? name : `${name}-${times}`;
  const tag = trustedMarkup(`h${marks.length}`);
  return { markup: html`<${tag} id="${id}">${inlineMarkup(text, linkTarget)}</${tag}>\n`, next: at + 1 };
}

function rule(lines: readonly string[], at: number): Block | null {
  return /^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(lines[at] ?? "")
    ? { markup: html`<hr>\n`, next: at + 1 }
    : null;
}

function quote(lines: readonly string[], at: number, context: Context): Block | null {
  if (!/^ {0,3}>/.test(lines[at] ?? "")) return null;
  let next = at;
  while (next < lines.length && lines[next]?.trim() !== "") next += 1;
  const inner = lines.slice(at, next).map((line) => line.replace(/^ {0,3}> ?/, ""));
  return { markup: html`<blockquote>${blocks(inner, context)}</blockquote>\n`, next };
}

function table(lines: readonly string[], at: number, { linkTarget }: Context): Block | null {
  const head = lines[at] ?? "";
  if (!head.includes("|") || !delimiterRow.test(lines[at + 1] ?? "")) return null;
  const names = cellsOf(head);
  let next = at + 2;
  while (next < lines.length && lines[next]?.trim() !== "" && lines[next]?.includes("|")) next += 1;
  const rows = lines.slice(at + 2, next).map((line) => {
    const cells = cellsOf(line);
    return html`<tr>${names.map((_, index) => html`<td>${inlineMarkup(cells[index] ?? "", linkTarget)}</td>`)}</tr>\n`;
  });
  const header = names.map((name) =>
    name === "" ? html`<td></td>` : html`<th scope="col">${inlineMarkup(name, linkTarget)}</th>`,
  );
  const markup = html`<div class="wide" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${header}</tr></thead>
<tbody>${rows}</tbody></table></div>\n`;
  return { markup, next };
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

function list(lines: readonly string[], at: number, context: Context): Block | null {
  const [whole, indent = "", mark = ""] = item.exec(lines[at] ?? "") ?? [];
  if (whole === undefined) return null;
  const isOrdered = /\d/.test(mark);
  const items: string[][] = [];
  let next = at;
  for (;;) {
    const begun = item.exec(lines[next] ?? "");
    if (begun === null || begun[1] !== indent || /\d/.test(begun[2] ?? "") !== isOrdered) break;
    const end = endOfItem(lines, next, begun[0].length);
    const own = lines
      .slice(next, end)
      .map((line, index) =>
        index === 0 ? line.slice(begun[0].length) : withoutIndent(line, begun[0].length),
      );
    items.push(own);
    next = end;
  }
  const isLoose = items.some((own, index) =>
    own.some((line, place) => line.trim() === "" && (place < own.length - 1 || index < items.length - 1)),
  );
  const inner = items.map(
    (own) => html`<li>${isLoose ? blocks(own, context) : tightItem(own, context)}</li>\n`,
  );
  const start = Number.parseInt(mark, 10);
  const first = isOrdered && start !== 1 ? html` start="${start}"` : null;
  const markup = isOrdered ? html`<ol${first}>\n${inner}</ol>\n` : html`<ul>\n${inner}</ul>\n`;
  return { markup, next };
}

/** An item goes on with lines that are indented as its text is, and with text that only goes on. */
function endOfItem(lines: readonly string[], at: number, indent: number): number {
  let end = at + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? "";
    const isIndented = line.length - line.trimStart().length >= indent;
    if (line.trim() === "") {
      const following = lines[end + 1] ?? "";
      const goesOn = following.trim() !== "" && following.length - following.trimStart().length >= indent;
      if (!goesOn && !item.test(following)) break;
      continue;
    }
    if (isIndented) continue;
    if (lines[end - 1]?.trim() === "" || item.test(line) || beginsBlock(line)) break;
  }
  return end;
}

function withoutIndent(line: string, most: number): string {
  return line.slice(Math.min(most, line.length - line.trimStart().length));
}

/** What stands in a list whose items follow one another without an empty line: text without a paragraph around it. */
function tightItem(lines: readonly string[], context: Context): Markup[] {
  const end = lines.findIndex((line, index) => index > 0 && beginsBlock(line));
  const text = lines.slice(0, end === -1 ? lines.length : end);
  const words = inlineMarkup(joined(text), context.linkTarget);
  return end === -1 ? words : [...words, html`\n`, ...blocks(lines.slice(end), context)];
}

function paragraph(lines: readonly string[], at: number, { linkTarget }: Context): Block {
  let next = at + 1;
  while (next < lines.length && lines[next]?.trim() !== "" && !beginsBlock(lines[next] ?? "")) next += 1;
  return { markup: html`<p>${inlineMarkup(joined(lines.slice(at, next)), linkTarget)}</p>\n`, next };
}

function joined(lines: readonly string[]): string {
  return lines
    .map((line) => line.trim())
    .join("\n")
    .trim();
}

/** Whether a line ends the text before it. A number does so only where a list begins: «in / 2026. Then» is one sentence. */
function beginsBlock(line: string): boolean {
  return (
    heading.test(line) || fence.test(line) || /^ {0,3}>/.test(line) || /^ *(?:[-*+]|1[.)]) +\S/.test(line)
  );
}
