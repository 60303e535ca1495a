import { globSync } from "node:fs";
import { basename, dirname } from "node:path";
import t from "tap";
import { root, textOf } from "./markdown.ts";

/**
 * What a script's header lacks. The header is the comment that the file begins with:
 *
 *     -- retry-job: take a failed job off the stream; schedule it again, or bury it.
 *     -- KEYS  1 stream   2 retry zset   3 dead-letter stream
 *     -- ARGV  1 entry id   2 job id   3… further fields
 *     -- Returns 'retry' | 'dead'
 *
 * A number counts as named when it stands there or lies behind an open range (`3…`). A fragment in a folder
 * `parts` is no script of its own: it needs the first line only.
 */
function flaws(file: string, text: string): string[] {
  const header = /^(?:--[^\n]*\n)*/.exec(text)?.[0] ?? "";
  const code = text.slice(header.length).replace(/--[^\n]*/g, "");
  const name = basename(file, ".lua");
  const title = header.startsWith(`-- ${name}: `) ? [] : [`does not begin with «-- ${name}: …»`];
  if (basename(dirname(file)) === "parts") return title;
  return [
    ...title,
    ...["KEYS", "ARGV", "Returns"]
      .filter((word) => !new RegExp(`^-- ${word}\\b`, "m").test(header))
      .map((word) => `has no line «-- ${word} …»`),
    ...["KEYS", "ARGV"].flatMap((word) => unnamed(word, header, code)),
  ];
}

function unnamed(word: string, header: string, code: string): string[] {
  const section = new RegExp(`^-- ${word}\\b(?:.*\\n-- {2,})*.*`, "m").exec(header)?.[0];
  if (section === undefined) return [];
  const numbers = [...section.matchAll(/(?<=\s{2})(\d+)(…)?/g)];
  const named = new Set(numbers.map((match) => Number(match[1])));
  const openFrom = Math.min(
    ...numbers.filter((match) => match[2] !== undefined).map((match) => Number(match[1])),
  );
  return [
    ...new Set(
      [...code.matchAll(new RegExp(`\\b${word}\\[(\\d+)\\]`, "g"))].map((match) => Number(match[1])),
    ),
  ]
    .filter((index) => !named.has(index) && index < openFrom)
    .map((index) => `uses ${word}[${index}], which its header does not name`);
}

t.test("every Lua script says what it does, takes and returns", async (t) => {
  const files = globSync("src/**/*.lua", { cwd: root }).sort();
  if (files.length === 0) return t.pass("there is nothing to compare", { skip: "there are no scripts" });
  const found = files.flatMap((file) => flaws(file, textOf(file) ?? "").map((flaw) => `${file} ${flaw}`));
  return t.strictSame(found, []);
});

t.test("a header that lacks something is caught", async (t) => {
  const sound =
    "-- a-b: does it.\n-- KEYS  1 job\n-- ARGV  1 now\n--       2 id   3… fields\n-- Returns 'ok'\n";
  t.strictSame(flaws("lua/a-b.lua", `${sound}return KEYS[1] .. ARGV[2] .. ARGV[9]\n`), []);
  t.strictSame(flaws("lua/a-c.lua", sound), ["does not begin with «-- a-c: …»"]);
  t.strictSame(flaws("lua/a-b.lua", sound.replace("-- KEYS", "-- keys")), ["has no line «-- KEYS …»"]);
  t.strictSame(flaws("lua/a-b.lua", sound.replace("-- Returns", "-- returns")), [
    "has no line «-- Returns …»",
  ]);
  t.strictSame(flaws("lua/a-b.lua", `${sound}return KEYS[2]\n`), [
    "uses KEYS[2], which its header does not name",
  ]);
  t.strictSame(flaws("lua/parts/a-b.lua", "-- a-b: a part of others.\nreturn KEYS[2]\n"), []);
});
