import t from "tap";
import type { TemplateType } from "../../../src/domain/templates/template.ts";
import { isObject, type JsonObject } from "../../../src/providers/apple/apple-members.ts";
import { passJson } from "../../../src/providers/apple/pass-json.ts";
import { passTypeIdentifier, teamIdentifier } from "./fixtures/authority.ts";
import { passToIssue } from "./fixtures/pass-to-issue.ts";

/** The pass.json of a pass of this name, with these members of the template's own. */
function passOf(
  apple: JsonObject,
  { name = "Ada", type = "LoyaltyCard" }: { name?: string; type?: TemplateType } = {},
) {
  const job = passToIssue({ type, content: { apple }, pass: { data: { points: "120", name } } });
  return passJson(job, { passTypeIdentifier, teamIdentifier });
}

const day = "2027-06-12T19:30:00+02:00";
const later = "2027-06-13T19:30:00+02:00";
const qr = { format: "PKBarcodeFormatQR", message: "{{name}}" };
const ean = { format: "PKBarcodeFormatEAN13", message: "4006381333931" };

t.test("an instant of relevance is said in the old way and in the new one", async (t) => {
  const both = (date: string): object => ({ date, relevantDate: date });
  // biome-ignore format: read as a table
  const rows: [apple: JsonObject, relevantDate: string | undefined, relevantDates: unknown][] = [
    [{},                                                       undefined, undefined],
    [{ relevantDate: day },                                    day,       [both(day)]],
    [{ relevantDates: [{ startDate: day, endDate: later }] },  day,       [{ startDate: day, endDate: later }]],
    [{ relevantDates: [{ date: later }, { relevantDate: day }] }, later,  [both(later), both(day)]],
    [{ relevantDate: later, relevantDates: [{ date: day }] },  later,     [both(day)]],
    [{ relevantDate: day, relevantDates: null },               day,       undefined],
    [{ relevantDate: null, relevantDates: [{ date: day }] },   undefined, [both(day)]],
    [{ relevantDate: "{{name}}", relevantDates: [{ date: day }] }, day,   [both(day)]],
  ];
  for (const [apple, relevantDate, relevantDates] of rows) {
    const pass = passOf(apple, { name: "no date", type: "EventTicket" });
    t.strictSame(
      [pass.relevantDate, pass.relevantDates],
      [relevantDate, relevantDates],
      JSON.stringify(apple),
    );
  }
});

t.test("the deprecated barcode is the first that it can be", async (t) => {
  const encoded = { ...qr, message: "Ada", messageEncoding: "iso-8859-1" };
  t.match(passOf({ barcodes: [ean, qr] }), {
    barcodes: [{ ...ean, messageEncoding: "iso-8859-1" }, encoded],
    barcode: encoded,
  });
  t.notOk("barcode" in passOf({ barcodes: [ean] }));
  t.notOk("barcode" in passOf({ barcodes: [ean, qr], barcode: null }));
  t.match(passOf({ barcodes: [ean, qr], barcode: { ...qr, message: "old" } }).barcode, { message: "old" });
  t.notOk("barcodes" in passOf({ barcodes: null }));
  t.match(
    passOf({ barcodes: [qr] }, { name: "" }).barcodes,
    [{ message: "M-customer-17" }],
    "the template's own",
  );
});

t.test("a barcode is in an encoding that has its characters", async (t) => {
  const encodingOf = (name: string, messageEncoding?: string): unknown => {
    const { barcodes } = passOf(
      { barcodes: [{ ...qr, ...(messageEncoding && { messageEncoding }) }] },
      { name },
    );
    return Array.isArray(barcodes) ? barcodes[0].messageEncoding : undefined;
  };
  t.equal(encodingOf("Zoë"), "iso-8859-1");
  t.equal(encodingOf("Łódź"), "utf-8");
  t.equal(encodingOf("Łódź", "ISO-8859-1"), "utf-8");
  t.equal(encodingOf("Zoë", "utf-8"), "utf-8");
  t.equal(encodingOf("Łódź", "iso-8859-2"), "iso-8859-2");
});

t.test("what a format cannot format is shown as it is", async (t) => {
  const styled = (members: JsonObject, name: string): unknown => {
    const { storeCard } = passOf({ storeCard: { primaryFields: [{ key: "name", ...members }] } }, { name });
    return isObject(storeCard) && Array.isArray(storeCard.primaryFields) ? storeCard.primaryFields[0] : null;
  };
  const shown = (value: unknown): object => ({ key: "name", label: "Member", value });
  const date = {
    dateStyle: "PKDateStyleShort",
    timeStyle: "PKDateStyleShort",
    isRelative: true,
    ignoresTimeZone: true,
  };
  t.strictSame(styled(date, day), { ...shown(day), ...date });
  t.strictSame(styled(date, "tomorrow"), shown("tomorrow"));
  const price = { currencyCode: "EUR" };
  t.strictSame(styled(price, "12.50"), { ...shown(12.5), ...price });
  t.strictSame(styled(price, "free"), shown("free"));
});

t.test("a pass whose data is no good is a pass, without the members that it spoils", async (t) => {
  const apple = {
    expirationDate: "{{name}}",
    locations: [{ latitude: "{{name}}", longitude: 1 }],
    nfc: { message: "{{name}}", encryptionPublicKey: "AAAA" },
    semantics: { balance: { amount: "{{points}}", currencyCode: "{{name}}" } },
    future: "{{name}}",
  };
  const name = "x".repeat(65);
  const pass = passOf(apple, { name });
  for (const spoilt of ["expirationDate", "locations", "nfc"]) t.notOk(spoilt in pass, spoilt);
  t.match(pass, { semantics: { balance: { amount: "120" } }, future: name });
  t.strictSame(pass.semantics, { balance: { amount: "120" } });
});

t.test("a message stands on both faces of a poster generic pass", async (t) => {
  const job = passToIssue({
    type: "Generic",
    content: { apple: { posterGeneric: { backFields: [{ key: "a", value: "b" }] } } },
    pass: { message: { id: "m", header: "Open", body: "late", at: 0 } },
  });
  const { generic, posterGeneric } = passJson(job, { passTypeIdentifier, teamIdentifier });
  for (const face of [generic, posterGeneric]) t.match(face, { backFields: [{ key: "passwright-message" }] });
});

t.test("the template is as it was, however many passes are made from it", async (t) => {
  const apple = {
    relevantDates: [{ date: day }],
    barcodes: [qr],
    generic: { backFields: [{ key: "n", value: "12", numberStyle: "PKNumberStyleDecimal" }] },
    posterGeneric: { backFields: [{ key: "n", value: "soon", dateStyle: "PKDateStyleShort" }] },
  };
  const before = structuredClone(apple);
  const message = { id: "m", header: "Open", body: "late", at: 0 };
  const job = passToIssue({ type: "Generic", content: { apple }, pass: { message } });
  const [first, second] = [1, 2].map(() => passJson(job, { passTypeIdentifier, teamIdentifier }));
  t.strictSame(first, second);
  t.strictSame(apple, before);
});
