import t from "tap";
import { parsePackages, parsePlans } from "../../../src/domain/billing/parse.ts";
import { packageResource, planResource } from "../../../src/domain/billing/resource.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";

const starter = {
  id: "starter",
  name: "1,000 passes",
  credits: 1000,
  price: { amount: 4900, currency: "EUR" },
};
const yearly = {
  id: "team-1",
  name: "Team",
  monthly_passes: 5000,
  interval: "year",
  price: { amount: 1, currency: "jpy" },
};

/** The mistakes that a list is refused for, as `path message`. */
function mistakes(parse: (text: string) => unknown, list: unknown): string[] {
  try {
    parse(typeof list === "string" ? list : JSON.stringify(list));
  } catch (error) {
    if (error instanceof PasswrightError && error.code === "invalid_request") {
      return (error.details ?? []).map(({ path, message }) => `${path} ${message}`);
    }
    throw error;
  }
  return [];
}

t.test("lists are read as they were written, in their order", async (t) => {
  const packages = [starter, { ...starter, id: "0-9", name: "Zoë’s 🎟" }];
  t.strictSame(parsePackages(JSON.stringify(packages)).map(packageResource), packages);
  t.strictSame(parsePlans(JSON.stringify([yearly])).map(planResource), [yearly]);
  t.strictSame(parsePackages("[]"), []);
});

t.test("every mistake is named at once, by JSON pointer", async (t) => {
  const bad = [
    { ...starter, id: "Starter", credits: 0, extra: 1, "a/b~c": 1 },
    { id: "one", credits: 1.5, price: { amount: "9", currency: "Eur", tax: 0 } },
    "starter",
    { ...starter, id: "one", price: null },
  ];
  t.strictSame(mistakes(parsePackages, bad), [
    "/0/extra is not a known member",
    "/0/a~1b~0c is not a known member",
    "/0/id must be 1 to 64 of a-z, 0-9 and -",
    "/0/credits must be a whole number from 1 to 1000000000",
    "/1/name must be 1 to 100 characters, without control characters",
    "/1/credits must be a whole number from 1 to 1000000000",
    "/1/price/tax is not a known member",
    "/1/price/amount must be a whole number from 1 to 99999999",
    "/1/price/currency must be a currency code of ISO 4217, such as EUR or eur",
    "/2 must be an object",
    "/3/id must be unique, but is that of /1/id too",
    "/3/price must be an object",
  ]);
  t.strictSame(mistakes(parsePlans, [{ ...yearly, interval: "week", monthly_passes: null }, starter]), [
    "/0/monthly_passes must be a whole number from 1 to 1000000000",
    "/0/interval must be one of month, year",
    "/1/credits is not a known member",
    "/1/monthly_passes must be a whole number from 1 to 1000000000",
    "/1/interval must be one of month, year",
  ]);
});

t.test("a currency is one that exists, in one case", async (t) => {
  const of = (currency: string) =>
    mistakes(parsePackages, [{ ...starter, price: { amount: 1, currency } }]).length;
  for (const good of ["EUR", "eur", "USD", "jpy", "KWD"]) t.equal(of(good), 0, good);
  for (const bad of ["eUR", "EU", "EURO", "QQQ", "€", ""]) t.equal(of(bad), 1, bad);
});

t.test("what is no list is refused as a whole", async (t) => {
  t.match(mistakes(parsePackages, "{"), [/^ must be JSON: /]);
  t.strictSame(mistakes(parsePackages, { packages: [] }), [" must be a JSON array"]);
  t.strictSame(mistakes(parsePackages, "null"), [" must be a JSON array"]);
  const many = Array.from({ length: 1001 }, (_, index) => ({ ...starter, id: `p-${index}` }));
  t.strictSame(mistakes(parsePackages, many), [" must not have more than 1000 entries"]);
  t.strictSame(mistakes(parsePackages, many.slice(1)), []);
});

t.test("ids and names keep to their lengths, counted in characters", async (t) => {
  const of = (change: object) => mistakes(parsePackages, [{ ...starter, ...change }]).length;
  t.strictSame([of({ id: "a".repeat(64) }), of({ id: "a".repeat(65) }), of({ id: "" })], [0, 1, 1]);
  t.strictSame([of({ name: "🎟".repeat(100) }), of({ name: "🎟".repeat(101) })], [0, 1]);
  t.strictSame([of({ name: " " }), of({ name: "a\nb" }), of({ name: "\ud800" })], [1, 1, 1]);
});
