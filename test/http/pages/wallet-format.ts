import t from "tap";
import { markupText } from "../../../src/http/pages/markup.ts";
import { fieldFormats, formattedValue } from "../../../src/http/pages/wallet-format.ts";

const show = (value: string, format: Record<string, unknown>, locale = "en-GB") =>
  markupText(formattedValue(value, format, locale));

t.test("amounts and numbers are shown by the field's format", async (t) => {
  t.equal(show("1240.5", { currencyCode: "EUR" }), "<bdi>€1,240.50</bdi>");
  t.equal(show("1240", { numberStyle: "PKNumberStyleDecimal" }), "<bdi>1,240</bdi>");
  t.equal(show("0.2", { numberStyle: "PKNumberStylePercent" }), "<bdi>20%</bdi>");
});

t.test("amounts and instants are written as the reader's language does", async (t) => {
  t.equal(show("1240.5", { currencyCode: "EUR" }, "de"), "<bdi>1.240,50\u00a0€</bdi>");
  t.match(show("2027-06-12T19:30Z", { dateStyle: "PKDateStyleLong" }, "it"), ">12 giugno 2027</time>");
});

t.test("an instant is shown in the zone that it names", async (t) => {
  const format = { dateStyle: "PKDateStyleMedium", timeStyle: "PKDateStyleShort" };
  t.equal(
    show("2027-06-12T19:30:00+02:00", format),
    '<time datetime="2027-06-12T19:30:00+02:00">12 Jun 2027, 19:30</time>',
  );
  t.match(show("2027-06-12T19:30Z", { dateStyle: "PKDateStyleLong" }), ">12 June 2027</time>");
  t.match(show("2027-06-12T19:30Z", { timeStyle: "PKDateStyleFull" }), ">19:30</time>");
});

t.test("what does not fit its format is shown as it is written", async (t) => {
  const odd: [string, Record<string, unknown>][] = [
    ["a lot", { currencyCode: "EUR" }],
    ["10", { currencyCode: "euro" }],
    ["10", { currencyCode: 7 }],
    ["12345678901234567890", { numberStyle: "PKNumberStyleDecimal" }],
    ["tomorrow", { dateStyle: "PKDateStyleShort" }],
    ["2027-13-45T99:99:99Z", { dateStyle: "PKDateStyleShort" }],
    ["2027-06-12T19:30Z", { dateStyle: "PKDateStyleNone" }],
    ["10", {}],
  ];
  for (const [value, format] of odd) t.equal(show(value, format), `<bdi>${value}</bdi>`);
});

t.test("formats are found by key in any style's lists, tokens replaced, other shapes ignored", async (t) => {
  const apple = {
    groupingIdentifier: "x",
    sharingProhibited: true,
    relevantDates: [{ startDate: "2027" }],
    storeCard: {
      primaryFields: [{ key: "balance", currencyCode: "{{currency}}" }, { noKey: 1 }, null, 3],
      secondaryFields: "none",
      other: null,
    },
    nothing: null,
  };
  const formats = fieldFormats(apple, new Map([["currency", "USD"]]));
  t.same([...formats], [["balance", { key: "balance", currencyCode: "USD" }]]);
  t.equal(fieldFormats(undefined, new Map()).size, 0);
});
