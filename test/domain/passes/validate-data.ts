import t from "tap";
import { dataViolations } from "../../../src/domain/passes/validate-data.ts";
import { content, fields } from "../fixtures/examples.ts";

const told = (data: Record<string, string>, of: Pick<typeof content, "fields"> = content): string[] =>
  dataViolations(of, data).map(({ path, message }) => `${path} ${message}`);

t.test("Static and Placeholder fields may be given, and what has a default may be left out", async (t) => {
  t.strictSame(told({ member: "Ada" }), []);
  t.strictSame(told({ member: "Ada", points: "1", terms: "Mine" }), []);
  t.strictSame(told({ member: "" }), [], "an empty value is a value");
});

t.test("a Placeholder without default must be given", async (t) => {
  t.strictSame(told({}), ["/data/member is required by the template"]);
});

t.test("a Computed field must not be given", async (t) => {
  t.strictSame(told({ member: "Ada", number: "1" }), [
    "/data/number is filled in by the service and must not be given",
  ]);
});

t.test("an unknown key is named, with those that the template has", async (t) => {
  t.strictSame(told({ member: "Ada", pionts: "1" }), [
    "/data/pionts is not a field of the template; it has member, points, terms",
  ]);
});

t.test("every violation is told, not only the first", async (t) => {
  t.strictSame(
    dataViolations(content, { pionts: "1", number: "2", points: "3" }).map(({ path }) => path),
    ["/data/pionts", "/data/number", "/data/member"],
  );
});

t.test("max_length counts code points: an astral character once, a combining one by itself", async (t) => {
  t.strictSame(told({ member: "🎟".repeat(8) }), [], "8 characters in 16 UTF-16 units");
  t.strictSame(told({ member: "🎟".repeat(9) }), ["/data/member must not have more than 8 characters"]);
  t.strictSame(told({ member: "12345678" }), []);
  t.strictSame(told({ member: "123456789" }), ["/data/member must not have more than 8 characters"]);
  t.strictSame(told({ member: "e\u0301".repeat(4) }), []);
  t.strictSame(told({ member: "e\u0301".repeat(5) }), ["/data/member must not have more than 8 characters"]);
});

t.test("names that every object inherits are keys like any others", async (t) => {
  t.strictSame(
    dataViolations(content, { member: "Ada", constructor: "x" }).map(({ path }) => path),
    ["/data/constructor"],
  );
  const inherited = [{ key: "toString", label: "", kind: "Placeholder" as const }];
  t.strictSame(told({}, { fields: inherited }), ["/data/toString is required by the template"]);
  t.strictSame(told({ toString: "here" }, { fields: [...inherited] }), []);
  t.equal(fields.length, 4, "the example is as it was");
});
