import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

const fence = /^ *(```+|~~~+)([^\n`]*)\n([\s\S]*?)^ *\1 *$/gm;

/** Fenced code: the language after the opening fence ('' = none), its text, and the line where that begins. */
export type Fence = { language: string; text: string; line: number };

/** The Markdown that readers of the project meet, as paths from the root; those that are there. */
export function documents(): string[] {
  return [
    ...globSync("*.md", { cwd: root }),
    ...globSync("{docs,bench}/**/*.md", { cwd: root }),
    ...globSync("clients/*/*.md", { cwd: root }),
  ].sort();
}

/** A file's text, or undefined where there is none. */
export function textOf(path: string): string | undefined {
  const file = join(root, path);
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

/** The headings with their marks taken off: `## The \`gone\` code` is `The gone code`. */
export function headingsOf(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/^#{1,6}\s+(.*?)\s*#*\s*$/gm)].map((match) =>
    (match[1] ?? "").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, ""),
  );
}

/** The fragment by which GitHub links to a heading. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-");
}

export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(fence)].map((match) => ({
    language: (match[2] ?? "").split(/\s/)[0] ?? "",
    text: match[3] ?? "",
    line: markdown.slice(0, match.index).split("\n").length + 1,
  }));
}

/** The text with fenced code blanked, line for line. */
export function withoutFences(markdown: string): string {
  return markdown.replace(fence, (block) => block.replace(/[^\n]/g, ""));
}
