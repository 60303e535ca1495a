import t from "tap";
import { errorKinds } from "../../src/domain/errors.ts";
import { headingsOf, textOf } from "./markdown.ts";

/** Codes that only one of the two sides has. In docs/errors.md, a heading of one lower-case word is a code. */
function differences(codes: readonly string[], markdown: string): string[] {
  const documented = headingsOf(markdown).filter((heading) => /^[a-z]+(_[a-z]+)*$/.test(heading));
  return [
    ...codes.filter((code) => !documented.includes(code)).map((code) => `${code} has no heading`),
    ...documented.filter((code) => !codes.includes(code)).map((code) => `${code} is no code`),
    ...documented
      .filter((code, index) => documented.indexOf(code) !== index)
      .map((code) => `${code} comes twice`),
  ];
}

t.test("docs/errors.md has a heading for every error code, and for no other", async (t) => {
  const markdown = textOf("docs/errors.md");
  if (markdown === undefined)
    return t.pass("there is nothing to compare", { skip: "docs/errors.md is not written" });
  return t.strictSame(differences(Object.keys(errorKinds), markdown), []);
});

t.test("an undocumented, an invented and a repeated code are told apart", async (t) => {
  const markdown = "# Errors\n## Not found\n### `gone`\n### `made_up`\n### gone\n```\n### fenced\n```\n";
  t.strictSame(differences(["gone", "not_found"], markdown), [
    "not_found has no heading",
    "made_up is no code",
    "gone comes twice",
  ]);
});
