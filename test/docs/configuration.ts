import { existsSync } from "node:fs";
import t from "tap";
import { textOf } from "./markdown.ts";

const source = new URL("../../src/config.ts", import.meta.url);

/** The part of a text that is generated from src/config.ts, or undefined where the marks are not both there. */
function generatedPart(markdown: string): string | undefined {
  return /<!-- configuration:begin -->\n([\s\S]*?)<!-- configuration:end -->/.exec(markdown)?.[1]?.trim();
}

t.test("the table in docs/configuration.md is what src/config.ts generates", async (t) => {
  const document = textOf("docs/configuration.md");
  if (document === undefined || !existsSync(source))
    return t.pass("there is nothing to compare", { skip: "docs/configuration.md is not written" });
  const { configurationTable }: { configurationTable?: () => string } = await import(source.href);
  if (configurationTable === undefined) return t.fail("src/config.ts exports no configurationTable()");
  const part = generatedPart(document);
  t.not(part, undefined, "docs/configuration.md has the marks configuration:begin and configuration:end");
  return t.equal(part, configurationTable().trim(), "`node scripts/generate-docs.mjs` writes it");
});

t.test("the generated part is what stands between the marks", async (t) => {
  const marked = "a\n<!-- configuration:begin -->\n\n| b |\n\n<!-- configuration:end -->\nc\n";
  t.equal(generatedPart(marked), "| b |");
  t.equal(generatedPart("a\n<!-- configuration:begin -->\n| b |\n"), undefined);
});
