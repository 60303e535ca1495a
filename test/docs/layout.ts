import { existsSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { fencesOf, headingsOf, root, textOf } from "./markdown.ts";

/**
 * The paths that a layout block names. The block is the first fenced one under a heading that says «layout»;
 * a line that begins in its first column begins with one path or several, two spaces or more apart, before
 * the words about them. Indented lines go on with the words.
 */
function layoutPaths(markdown: string): string[] {
  const heading = headingsOf(markdown).find((text) => /layout/i.test(text));
  if (heading === undefined) return [];
  const block = fencesOf(markdown.slice(markdown.indexOf(heading)))[0]?.text ?? "";
  return block.split("\n").flatMap((line) => {
    if (/^\s/.test(line)) return [];
    const columns = line.split(/\s{2,}/);
    const afterPaths = columns.findIndex((column) => !/^[\w.@-]+(?:\/[\w.@-]+)*\/?$/.test(column));
    return columns
      .slice(0, afterPaths === -1 ? columns.length : afterPaths)
      .filter((column) => /[/.]/.test(column));
  });
}

t.test("the layout in docs/architecture.md names only what is there", async (t) => {
  const markdown = textOf("docs/architecture.md");
  if (markdown === undefined)
    return t.pass("there is nothing to compare", { skip: "docs/architecture.md is not written" });
  const paths = layoutPaths(markdown);
  t.ok(paths.length > 0, "there is a layout block");
  return t.strictSame(
    paths.filter((path) => !existsSync(join(root, path))),
    [],
  );
});

t.test("paths are read from the beginning of lines, words are not", async (t) => {
  const markdown = [
    "# The layout",
    "```",
    "package.json  README.md",
    "src/app.ts            the composition root: config.ts and all adapters",
    "src/redis/            see keys.ts",
    "                      and lua/",
    "```",
    "```",
    "other/",
    "```",
  ].join("\n");
  t.strictSame(layoutPaths(markdown), ["package.json", "README.md", "src/app.ts", "src/redis/"]);
});
