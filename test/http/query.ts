import t from "tap";
import { listReply, pageOf, pageParameters, parseQuery, querySchema } from "../../src/http/query.ts";
import { createValidators } from "../../src/http/validation.ts";
import { violationsOf } from "../domain/fixtures/refusal.ts";

const schema = querySchema({ ...pageParameters, status: { type: "string", enum: ["active", "archived"] } });
const check = createValidators().forQuery(schema);
/** What a query string becomes, checked as every route checks it. */
function read(query: string): Record<string, unknown> {
  const values = parseQuery(query, schema);
  check(values);
  return values;
}

t.test("known parameters are read, whole numbers as numbers, and others are ignored", async (t) => {
  t.strictSame(read("page=2&page_size=100&status=active&utm=1&constructor=x&__proto__=y"), {
    page: 2,
    page_size: 100,
    status: "active",
  });
  t.strictSame(read(""), {});
});

t.test("a list begins with page 1 of 20", async (t) => {
  t.strictSame(pageOf({}), { page: 1, pageSize: 20 });
  t.strictSame(pageOf({ page: 3, page_size: 7 }), { page: 3, pageSize: 7 });
});

t.test("whatever is no whole number within bounds is refused by the parameter's name", async (t) => {
  const wrong = ["0", "-1", "1.5", "", "abc", "1e2", "0x10", "1 OR 1", "+", "9".repeat(400), "NaN", "１"];
  for (const text of wrong) {
    for (const name of ["page", "page_size"]) {
      const told = await violationsOf(() => read(`${name}=${encodeURIComponent(text)}`));
      t.ok(
        told.length > 0 && told.every((line) => line.startsWith(`${name} must be`)),
        `${name}=${text}: ${told}`,
      );
    }
  }
  t.strictSame(await violationsOf(() => read("page_size=101")), ["page_size must be <= 100"]);
});

t.test("an unknown value of a known filter is refused, with those there are", async (t) => {
  t.strictSame(await violationsOf(() => read("status=gone")), ["status must be one of active, archived"]);
});

t.test("every mistake is named", async (t) => {
  t.strictSame((await violationsOf(() => read("status=gone&page=0&page_size=0"))).length, 3);
});

t.test("a known parameter that stands twice is refused, an unknown one is not", async (t) => {
  t.strictSame(await violationsOf(() => read("page=1&page=1")), ["page must stand only once"]);
  t.strictSame(read("x=1&x=2&page=1"), { page: 1 });
});

t.test("a list is answered with its page and the total", async (t) => {
  t.strictSame(listReply(["a"], 41, { page: 3, pageSize: 20 }), {
    status: 200,
    body: { data: ["a"], total: 41, page: 3, page_size: 20 },
  });
});
