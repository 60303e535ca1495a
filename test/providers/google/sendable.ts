import t from "tap";
import type { PassKind } from "../../../src/domain/templates/parsing/google/pass-kind.ts";
import { sendable } from "../../../src/providers/google/sendable.ts";

const image = (uri: string) => ({ sourceUri: { uri } });
const sent = (drawn: object, author: object, data: Record<string, string> = {}, kind: PassKind = "loyalty") =>
  sendable({
    kind,
    part: "object",
    drawn: { ...drawn },
    author: { ...author },
    values: new Map(Object.entries(data)),
    translations: new Map(),
  });

/** Without what is only cleared because nobody speaks of it. */
function said(patch: Record<string, unknown>, spokenOf: object[]): Record<string, unknown> {
  const names = new Set(spokenOf.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(Object.entries(patch).filter(([name]) => names.has(name)));
}

// biome-ignore format: read as a table
const rows: [name: string, drawn: object, author: object, data: Record<string, string>, expected: object][] = [
  ["unknown members are left out, however deep, and not even cleared", {}, { future: 1, barcode: { type: "AZTEC", value: "x", future: 1 }, textModulesData: [{ body: "x", future: {} }] }, {}, { barcode: { type: "AZTEC", value: "x" }, textModulesData: [{ body: "x" }] }],
  ["tokens stand for numbers and truth values", {}, { disableExpirationNotification: "{{yes}}", loyaltyPoints: { balance: { int: "{{n}}" } }, merchantLocations: [{ latitude: "{{n}}.5", longitude: "-{{n}}" }] }, { yes: "true", n: "7" }, { disableExpirationNotification: true, loyaltyPoints: { balance: { int: 7 } }, merchantLocations: [{ latitude: 7.5, longitude: -7 }] }],
  ["and for an amount", {}, { loyaltyPoints: { balance: { money: { currencyCode: "{{c}}", micros: "{{n}}000000" } } } }, { c: "CHF", n: "12" }, { loyaltyPoints: { balance: { money: { currencyCode: "CHF", micros: "12000000" } } } }],
  ["a date that is none is cleared, with what cannot be without it", {}, { validTimeInterval: { end: { date: "{{d}}" } } }, { d: "soon" }, { validTimeInterval: null }],
  ["the other end stays", {}, { validTimeInterval: { start: { date: "2027-01-01T00:00:00Z" }, end: { date: "{{d}}" } } }, { d: "" }, { validTimeInterval: { start: { date: "2027-01-01T00:00:00Z" }, end: null } }],
  ["an address that is none gives way to ours", { heroImage: image("https://a.example/ours") }, { heroImage: { sourceUri: { uri: "{{u}}" } } }, { u: "none" }, { heroImage: image("https://a.example/ours") }],
  ["and one that is, replaces it", { heroImage: image("https://a.example/ours") }, { heroImage: { sourceUri: { uri: "{{u}}" } } }, { u: "https://a.example/theirs" }, { heroImage: image("https://a.example/theirs") }],
  ["a place that is none goes alone", {}, { merchantLocations: [{ latitude: "{{n}}", longitude: 1 }, { latitude: 1, longitude: 2 }] }, { n: "north" }, { merchantLocations: [{ latitude: 1, longitude: 2 }] }],
  ["the last of them takes its list along", {}, { merchantLocations: [{ latitude: "{{n}}", longitude: 1 }] }, {}, { merchantLocations: null }],
  ["a word that no enumeration has goes", {}, { passConstraints: { screenshotEligibility: "{{w}}" } }, { w: "PERHAPS" }, { passConstraints: { screenshotEligibility: null } }],
  ["of too many entries the first ones stay", { textModulesData: Array.from({ length: 12 }, (_, i) => ({ body: `${i}` })) }, {}, {}, { textModulesData: Array.from({ length: 10 }, (_, i) => ({ body: `${i}` })) }],
  ["null clears what we have drawn", { heroImage: image("https://a.example/ours") }, { heroImage: null }, {}, { heroImage: null }],
  ["what the author takes away of it takes it along", { barcode: { type: "AZTEC", value: "x" } }, { barcode: { value: null } }, {}, { barcode: null }],
];

for (const [name, drawn, author, data, expected] of rows) {
  t.test(name, async (t) => {
    t.strictSame(said(sent(drawn, author, data), [drawn, author]), expected);
  });
}

t.test("an empty card number gives way to the reference", async (t) => {
  const author = { cardNumber: "{{number}}" };
  t.match(sent({ cardNumber: "ref" }, author, {}, "giftCard"), { cardNumber: "ref" });
  t.match(sent({ cardNumber: "ref" }, author, { number: "1" }, "giftCard"), { cardNumber: "1" });
});

t.test(
  "what a template does not speak of any more is cleared, and what is others' is left alone",
  async (t) => {
    const patch = sent({ barcode: null }, {});
    t.match(patch, { accountId: null, loyaltyPoints: null, merchantLocations: null, groupingInfo: null });
    const left = [
      "id",
      "classId",
      "state",
      "messages",
      "hasUsers",
      "linkedOfferIds",
      "smartTapRedemptionValue",
    ];
    for (const name of left) t.notOk(name in patch, name);
  },
);
