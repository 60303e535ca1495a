import t from "tap";
import {
  canBecome,
  fieldValues,
  literalPieces,
  renderTokens,
  tokensIn,
} from "../../../src/domain/passes/field-values.ts";
import { computedSources } from "../../../src/domain/templates/template.ts";
import { content, examplePass, fields, instant } from "../fixtures/examples.ts";

t.test("a value is what the caller gave, else the template's default, else nothing", async (t) => {
  const values = fieldValues(content, { ...examplePass, data: { points: "7" } });
  t.strictSame(Object.fromEntries(values), { member: "", points: "7", terms: "None", number: "customer-1" });
  t.equal(fieldValues(content, { ...examplePass, data: { points: "" } }).get("points"), "", "given as empty");
  t.equal(fieldValues(content, { ...examplePass, data: { terms: "Mine" } }).get("terms"), "Mine");
});

t.test("values come in the order of the template's fields", async (t) => {
  t.strictSame(
    [...fieldValues(content, examplePass).keys()],
    fields.map(({ key }) => key),
  );
});

t.test("computed fields come from the pass, whatever the caller gave", async (t) => {
  const computed = computedSources.map((source) => ({
    key: source,
    label: "",
    kind: "Computed" as const,
    source,
  }));
  const data = Object.fromEntries(computedSources.map((source) => [source, "forged"]));
  t.strictSame(Object.fromEntries(fieldValues({ fields: computed }, { ...examplePass, data })), {
    pass_id: examplePass.id,
    external_ref: "customer-1",
    version: "2",
    issued_at: instant,
    updated_at: "2026-11-21T06:43:47.625Z",
  });
});

t.test("a field may be called like something that every object inherits", async (t) => {
  const keys = ["constructor", "toString", "hasOwnProperty", "valueOf", "__proto__"];
  const inherited = keys.map((key) => ({ key, label: "", kind: "Placeholder" as const, default: "own" }));
  const values = fieldValues({ fields: inherited }, { ...examplePass, data: {} });
  t.strictSame(
    [...values],
    keys.map((key) => [key, "own"]),
  );
  t.equal(renderTokens("{{constructor}} {{toString}}", values), "own own");
  t.equal(renderTokens("{{constructor}}{{toString}}", new Map()), "");
});

t.test("tokens are replaced wherever they stand, repeats included", async (t) => {
  const values = new Map([
    ["a", "1"],
    ["b.c-d_E", "2"],
  ]);
  t.equal(renderTokens("{{a}}-{{a}} {{b.c-d_E}}!", values), "1-1 2!");
  t.equal(renderTokens("no tokens", values), "no tokens");
  t.equal(renderTokens("{{unknown}}|", values), "|");
});

t.test("an inserted value is not scanned again, and is no pattern of a replacement", async (t) => {
  const values = new Map([
    ["a", "{{b}}"],
    ["b", "B"],
    ["money", "$& $1 $$ $`"],
  ]);
  t.equal(renderTokens("{{a}}", values), "{{b}}");
  t.equal(renderTokens("{{money}}", values), "$& $1 $$ $`");
  t.equal(renderTokens("{{{a}}}", values), "{{{b}}}");
});

t.test("what is not exactly a token stays as it is", async (t) => {
  const values = new Map([["a", "1"]]);
  for (const text of ["{{ a }}", "{{}}", "{a}", "{{a}", "{{ä}}", `{{${"a".repeat(65)}}}`, "{{a b}}"]) {
    t.equal(renderTokens(text, values), text);
    t.strictSame(tokensIn(text), []);
  }
});

t.test("the tokens of a text are told in order, repeats included", async (t) => {
  t.strictSame(tokensIn("{{b}} {{a}}{{b}} {{constructor}}"), ["b", "a", "b", "constructor"]);
});

t.test("a text has one piece more than tokens, empty ones included", async (t) => {
  t.strictSame(literalPieces("{{a}}-{{b}}{{c}}."), ["", "-", "", "."]);
  t.strictSame(literalPieces("{{ a }}"), ["{{ a }}"]);
  t.strictSame(literalPieces(""), [""]);
});

t.test("whether a text with tokens can become another one", async (t) => {
  // biome-ignore format: read as a table
  const rows: [text: string, other: string, expected: boolean][] = [
    ["abc",              "abc",    true],
    ["abc",              "abcd",   false],
    ["{{a}}",            "",       true],
    ["{{a}}c",           "abc",    true],
    ["a{{a}}",           "abc",    true],
    ["a{{a}}b{{b}}c",    "abc",    true],
    ["a{{a}}b{{b}}c",    "a.b.c",  true],
    ["a{{a}}c{{b}}b",    "abcb",   true],
    ["ab{{a}}bc",        "abc",    false],
    ["a{{a}}bb{{b}}bc",  "abbc",   false],
    ["b{{a}}",           "abc",    false],
    ["{{a}}{{b}}{{c}}z", "abc",    false],
  ];
  for (const [text, other, expected] of rows) {
    t.equal(canBecome(literalPieces(text), other), expected, `${text} ${other}`);
  }
  t.notOk(canBecome(literalPieces(`${"{{a}}x".repeat(10_000)}z`), "x".repeat(20_000)), "and says so at once");
});
