import t from "tap";
import type { PassToIssue } from "../../../src/domain/providers/provider.ts";
import { passKind } from "../../../src/domain/templates/parsing/google/pass-kind.ts";
import type { TemplateContent, TemplateType } from "../../../src/domain/templates/template.ts";
import { patchedFromNothing } from "../../../src/providers/google/author-part.ts";
import { objectBody } from "../../../src/providers/google/object-body.ts";
import { readGoogleTypes, unknownMembers } from "../../support/google-types.ts";
import { passId, samplePass, sampleTemplate, templateId } from "./fixtures/sample-pass.ts";

const googleTypes = readGoogleTypes();
const localized = (value: string) => ({ defaultValue: { language: "en-US", value } });
const logo = { sourceUri: { uri: "https://x.example/logo" }, contentDescription: localized("x") };
const hero = { sourceUri: { uri: "https://x.example/hero" }, contentDescription: localized("x") };
const ids = { issuerId: "3388", classId: `3388.${templateId}` };
const common = {
  id: `3388.${passId}`,
  classId: ids.classId,
  state: "ACTIVE",
  barcode: { type: "QR_CODE", value: "B-customer-42", alternateText: "customer-42" },
};
const tier = { id: "tier", header: "Tier", body: "Gold" };
const points = { id: "points", header: "Points", body: "1250" };
const others = [
  { id: "member_name", header: "Member", body: "nobody" },
  { id: "code", header: "Code", body: "customer-42" },
];

function patch(type: TemplateType, content: Partial<TemplateContent> = {}, job: Partial<PassToIssue> = {}) {
  const { version } = sampleTemplate(type, content);
  const kind = passKind(type, version.content);
  const { pass = samplePass(), voided = false } = job;
  const images = { logo, hero };
  const body = objectBody({ ...ids, kind, pass, version, images, translations: new Map(), voided });
  const schema = `${kind.charAt(0).toUpperCase()}${kind.slice(1)}Object`;
  t.strictSame(unknownMembers(googleTypes, schema, patchedFromNothing(body)), [], kind);
  return body;
}
const body = (...input: Parameters<typeof patch>) => patchedFromNothing(patch(...input));

t.test("a loyalty card shows its primary field as points", async (t) => {
  t.strictSame(body("LoyaltyCard"), {
    ...common,
    loyaltyPoints: { label: "Points", balance: { string: "1250" } },
    textModulesData: [tier, ...others],
  });
});

t.test("a coupon's object has text only, since its title is the class's", async (t) => {
  t.strictSame(body("Coupon"), { ...common, textModulesData: [tier, points, ...others] });
});

t.test("an event ticket shows its primary field as the holder", async (t) => {
  t.strictSame(body("EventTicket"), {
    ...common,
    ticketHolderName: "1250",
    textModulesData: [tier, ...others],
  });
});

t.test(
  "a flight shows its primary field as the passenger, and the reference as the confirmation code",
  async (t) => {
    const google = { class: { flightHeader: {} } };
    t.strictSame(body("BoardingPass", { google }), {
      ...common,
      passengerName: "1250",
      reservationInfo: { confirmationCode: "customer-42" },
      textModulesData: [tier, ...others],
    });
  },
);

t.test("a transit pass shows its primary fields as from and to, valid from its creation", async (t) => {
  const pass = samplePass({ data: { points: "Bern", to: "Milano" } });
  t.strictSame(body("BoardingPass", {}, { pass }), {
    ...common,
    tripType: "ONE_WAY",
    validTimeInterval: { start: { date: "2026-11-21T06:43:46.625Z" } },
    ticketLeg: { originName: localized("Bern"), destinationName: localized("Milano") },
    textModulesData: [tier, ...others],
  });
  t.strictSame(body("BoardingPass").ticketLeg, { originName: localized("1250") });
});

t.test("a gift card shows its primary field as its number, or else the reference", async (t) => {
  const card = { ...common, textModulesData: [tier, ...others] };
  t.strictSame(body("GiftCard"), { ...card, cardNumber: "1250" });
  const pass = samplePass({ data: { points: "" } });
  t.strictSame(body("GiftCard", {}, { pass }), { ...card, cardNumber: "customer-42" });
});

t.test("memberships and generic passes have title, header, colour and images of their own", async (t) => {
  for (const type of ["MembershipCard", "Generic"] as const) {
    const generic = {
      ...common,
      cardTitle: localized("Baconrista"),
      hexBackgroundColor: "#1e40af",
      logo,
      heroImage: hero,
    };
    t.strictSame(body(type), {
      ...generic,
      header: localized("1250"),
      subheader: localized("Points"),
      textModulesData: [tier, ...others],
    });
    const pass = samplePass({ data: { points: "" } });
    t.match(body(type, {}, { pass }), { header: localized("Bacon Club"), subheader: undefined });
  }
});

t.test("each barcode format has Google's name, and an empty message makes no barcode", async (t) => {
  const formats = { qr: "QR_CODE", pdf417: "PDF_417", aztec: "AZTEC", code128: "CODE_128" } as const;
  for (const [format, type] of Object.entries(formats) as [keyof typeof formats, string][]) {
    const barcode = { format, message: "{{points}}" };
    t.strictSame(body("Generic", { barcode }).barcode, { type, value: "1250" });
  }
  t.equal(patch("Generic", { barcode: null }).barcode, null);
  t.equal(patch("Generic", { barcode: { format: "qr", message: "{{to}}" } }).barcode, null);
});

t.test("a voided pass is expired, whatever the author says of states and ids", async (t) => {
  const google = { object: { state: "ACTIVE", id: "1.x", classId: "1.y" } };
  t.match(body("LoyaltyCard", { google }, { voided: true }), { ...common, state: "EXPIRED" });
});

t.test("the author's members win, with the values of the pass for tokens", async (t) => {
  const google = { object: { accountId: "{{code}}", barcode: { value: "raw {{points}}" } } };
  t.match(body("LoyaltyCard", { google }), {
    accountId: "customer-42",
    barcode: { type: "QR_CODE", value: "raw 1250" },
  });
});

t.test("a primary field whose place the author takes is shown as text", async (t) => {
  const points7 = { label: "Pts", balance: { int: 7 } };
  const sent = body("LoyaltyCard", { google: { object: { loyaltyPoints: points7 } } });
  t.strictSame(sent.loyaltyPoints, points7);
  t.strictSame(sent.textModulesData, [tier, points, ...others]);
  const legs = [{ originStationCode: "BN" }];
  const transit = patch("BoardingPass", { google: { object: { ticketLegs: legs } } });
  t.match(transit, { ticketLegs: legs, ticketLeg: null }, "Google refuses both at once");
  t.equal(patch("BoardingPass").ticketLegs, null);
});

t.test("a field that an update empties is cleared in the wallet", async (t) => {
  const pass = samplePass({ data: { points: "" } });
  t.equal(patch("LoyaltyCard", {}, { pass }).loyaltyPoints, null);
  t.strictSame(patch("EventTicket", { fields: [] }, { pass }).textModulesData, []);
});

t.test(
  "a pass expires on both wallets by Apple's expirationDate, unless google says when it is valid",
  async (t) => {
    const end = { date: "2027-06-12T19:30:00+02:00" };
    const apple = { expirationDate: "{{to}}" };
    const on = (to: string) => samplePass({ data: { points: "1", to } });
    const pass = on("2027-06-12T19:30+02:00");
    t.strictSame(body("LoyaltyCard", { apple }, { pass }).validTimeInterval, { end });
    t.strictSame(patch("LoyaltyCard", { apple }, { pass: on("soon") }).validTimeInterval, null);
    const google = { object: { validTimeInterval: { start: { date: "2027-01-01T00:00:00Z" } } } };
    t.strictSame(
      body("LoyaltyCard", { apple, google }, { pass }).validTimeInterval,
      google.object.validTimeInterval,
    );
    const start = { date: "2026-11-21T06:43:46.625Z" };
    t.strictSame(body("BoardingPass", { apple }, { pass }).validTimeInterval, { start, end });
    t.strictSame(
      patch("BoardingPass", { apple }, { pass: on("2020-01-01T00:00:00Z") }).validTimeInterval,
      { start: null, end: { date: "2020-01-01T00:00:00Z" } },
      "Google refuses what ends before it starts",
    );
    t.strictSame(patch("BoardingPass").validTimeInterval, { start, end: null });
  },
);

t.test("of an interval that Google would refuse the end stays, by which the pass expires", async (t) => {
  const between = (from: string, to: string) => {
    const dates = { start: { date: from }, end: { date: to } };
    return patch("Coupon", { google: { object: { validTimeInterval: dates } } }).validTimeInterval;
  };
  const [june, july] = ["2027-06-01T00:00:00", "2027-07-01T00:00:00"];
  t.strictSame(between(june, july), { start: { date: june }, end: { date: july } });
  t.strictSame(between(july, june), { start: null, end: { date: june } });
  t.strictSame(between(june, `${july}Z`), { start: null, end: { date: `${july}Z` } });
});

t.test("the places of a pass are those of Apple's locations, unless google names others", async (t) => {
  const apple = {
    locations: [
      { latitude: "{{points}}.5", longitude: "-8", relevantText: "here" },
      { latitude: "{{to}}", longitude: 1 },
    ],
  };
  t.strictSame(
    body("Generic", { apple }, { pass: samplePass({ data: { points: "47" } }) }).merchantLocations,
    [{ latitude: 47.5, longitude: -8 }],
  );
  t.equal(
    patch("Generic", { apple }, { pass: samplePass({ data: { points: "north" } }) }).merchantLocations,
    null,
  );
  const google = { object: { merchantLocations: [{ latitude: 1, longitude: 2 }] } };
  t.strictSame(body("Generic", { apple, google }).merchantLocations, google.object.merchantLocations);
});
