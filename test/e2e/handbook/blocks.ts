import { fencesOf } from "../../docs/markdown.ts";

/** A block of shell commands, and what the document says of it. */
export type Block = {
  line: number;
  text: string;
  /** Why it is not run; null where it is. */
  notRun: string | null;
  /** What it may end with. */
  exitCodes: readonly number[];
  /** The block of output that follows it. */
  output: string | null;
};

/** The `sh` blocks of a document, each with the mark in the line above it and the `text` block right below it. */
export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split("\n");
  const fences = fencesOf(markdown);
  return fences.flatMap(({ language, text, line }, index) => {
    if (language !== "sh") return [];
    const mark = lines[line - 3] ?? "";
    const [, notRun = null] = /^<!-- not run: (.+) -->$/.exec(mark) ?? [];
    const [, codes = "0"] = /^<!-- ends with (\d(?: or \d)*): .+ -->$/.exec(mark) ?? [];
    const next = fences[index + 1];
    const between = lines.slice(line + text.split("\n").length - 1, (next?.line ?? 0) - 2).join("");
    const output = next?.language === "text" && between === "" ? next.text : null;
    return [{ line, text, notRun, exitCodes: codes.split(" or ").map(Number), output }];
  });
}

/** What output like this looks like: numbers are any numbers, `…` is any text, and a line of only that any lines. */
export function shapeOf(output: string): RegExp {
  const lines = output
    .trimEnd()
    .split("\n")
    .map((line) => {
      if (line.trim() === "…") return "[^]*?";
      return `^${line
        .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
        .replace(/\d+/g, "\\d+")
        .replaceAll("…", ".*")}\\s*$`;
    });
  return new RegExp(lines.join("\\n?"), "m");
}
