import t from "tap";
import { exactlyOneOf } from "../../src/http/route.ts";
import { createValidators } from "../../src/http/validation.ts";
import { refusalOf, violationsOf } from "../domain/fixtures/refusal.ts";

const { forBody, forQuery } = createValidators();
const check = forBody({
  type: "object",
  additionalProperties: false,
  required: ["name", "data"],
  properties: {
    name: { type: "string", minLength: 1, maxLength: 4 },
    id: { type: "string", format: "uuid" },
    url: { type: "string", format: "webhook-url" },
    secret: { type: "string", format: "webhook-secret" },
    kind: { type: "string", enum: ["one", "two"] },
    count: { type: "integer", minimum: 1 },
    data: {
      type: "object",
      maxProperties: 2,
      propertyNames: { pattern: "^[a-z/~]{1,3}$" },
      additionalProperties: { type: "string" },
    },
    list: { type: "array", minItems: 1, uniqueItems: true, items: { type: "string" } },
  },
});
const told = (value: object): Promise<string[]> =>
  violationsOf(() => check({ name: "n", data: {}, ...value }));

t.test("what fits passes, unchanged", async (t) => {
  const value = { name: "🎟🎟🎟🎟", data: { a: "1" }, id: "0193A0B4-7c11-7abc-8def-0123456789ab" };
  const before = structuredClone(value);
  t.equal(check(value), undefined);
  t.strictSame(value, before, "no defaults, no coercion");
});

t.test("each rule has its place and a sentence", async (t) => {
  const rules: [object, string[]][] = [
    [
      { data: { points: 7 } },
      ['/data/points has a name that must match pattern "^[a-z/~]{1,3}$"', "/data/points must be string"],
    ],
    [{ data: { a: 7 } }, ["/data/a must be string"]],
    [{ data: { "a/~": null } }, ["/data/a~1~0 must be string"]],
    [{ name: "" }, ["/name must NOT have fewer than 1 characters"]],
    [{ name: "🎟🎟🎟🎟🎟" }, ["/name must NOT have more than 4 characters"]],
    [{ id: "7" }, ["/id must be a UUID"]],
    [{ url: "http://a.example" }, ["/url must begin with https://"]],
    [{ url: "https://a.example/#b" }, ["/url must not have a fragment"]],
    [{ secret: "whsec_!" }, ["/secret must have base64 behind whsec_"]],
    [
      { url: "x", secret: "whsec_", id: "" },
      ["/id must be a UUID", "/secret must have base64 behind whsec_", "/url must begin with https://"],
    ],
    [{ kind: "three" }, ["/kind must be one of one, two"]],
    [{ count: 1.5 }, ["/count must be integer"]],
    [{ count: "1" }, ["/count must be integer"]],
    [{ list: [] }, ["/list must NOT have fewer than 1 items"]],
    [{ extra: 1 }, ["/extra is not a known member"]],
    [{ "a/b": 1 }, ["/a~1b is not a known member"]],
    [{ constructor: 1 }, ["/constructor is not a known member"]],
    [{ data: { a: "", b: "", c: "" } }, ["/data must NOT have more than 2 properties"]],
  ];
  for (const [value, expected] of rules)
    t.strictSame((await told(value)).sort(), expected.sort(), JSON.stringify(value));
  t.strictSame(await violationsOf(() => check({})), ["/name is required", "/data is required"]);
  t.match(await told({ list: ["a", "a"] }), [/^\/list must NOT have duplicate items/]);
});

t.test("every violation is told, not only the first", async (t) => {
  const refusal = await refusalOf(() => check({ name: 1, kind: "x", extra: 1 }));
  t.strictSame(refusal.details?.map(({ path }) => path).sort(), ["/data", "/extra", "/kind", "/name"]);
  t.match(refusal, { code: "invalid_request", detail: /\(and 3 more, see details\)$/ });
});

t.test("values are not repeated in what is told: they may be secrets", async (t) => {
  t.notMatch(
    JSON.stringify(await told({ name: "hunter2", id: "hunter2", kind: "hunter2", count: "hunter2" })),
    /hunter2/,
  );
});

t.test("a parameter of the query is named as it is written", async (t) => {
  const query = forQuery({ type: "object", properties: { page: { type: "integer" } } });
  t.strictSame(await violationsOf(() => query({ page: "x" })), ["page must be integer"]);
});

t.test("exactly one of two members is one fault, beside all others", async (t) => {
  const one = forBody({
    type: "object",
    additionalProperties: false,
    required: ["name"],
    ...exactlyOneOf("id", "reference"),
    properties: { name: { type: "string" }, id: { type: "string" }, reference: { type: "string" } },
  });
  const faults = (value: object) => violationsOf(() => one(value));
  t.strictSame(await faults({}), [" must have exactly one of id and reference", "/name is required"]);
  t.strictSame(await faults({ name: "n", id: "1", reference: "2" }), [
    " must have exactly one of id and reference",
  ]);
  t.equal(one({ name: "n", reference: "2" }), undefined);
});

t.test(
  "of a long list every faulty entry is named, and what is wrong with the first hundred whole",
  async (t) => {
    const data = { type: "object", maxProperties: 2, additionalProperties: { type: "string" } };
    const long = forBody({
      type: "object",
      additionalProperties: false,
      properties: {
        name: { type: "string" },
        list: { type: "array", minItems: 1, maxItems: 5000, items: data },
      },
    });
    const list = Array.from({ length: 5000 }, (_, i) => (i % 2 === 0 ? { a: 1, b: 2, c: 3 } : { a: "1" }));
    t.equal(long({ list: [{ a: "1" }, {}] }), undefined);
    const found = await violationsOf(() => long({ list, name: 1 }));
    t.strictSame(found.slice(0, 5), [
      "/name must be string",
      "/list/0 must NOT have more than 2 properties",
      "/list/0/a must be string",
      "/list/0/b must be string",
      "/list/0/c must be string",
    ]);
    const named = new Set(found.map((text) => /^\/list\/(\d+)/.exec(text)?.[1]).filter((index) => index));
    t.equal(named.size, 2500);
    t.ok(found.length < 2700, "of those that come later one violation is enough");
    t.strictSame(await violationsOf(() => long({ list: [...list, {}], name: "" })), [
      "/list must NOT have more than 5000 items",
    ]);
  },
);
