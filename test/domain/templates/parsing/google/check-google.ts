import t from "tap";
import { soundDocument, toldOf } from "../../fixtures/authored.ts";

const keys = ["lat", "when", "flag", "text"];
const told = (google: object, other: object = {}) => {
  const fields = keys.map((key) => ({ key, label: "", kind: "Static", default: "" }));
  return toldOf({ ...soundDocument, ...other, fields: [...soundDocument.fields, ...fields], google });
};
const inObject = (object: object, type = "LoyaltyCard") => told({ object }, { template_type: type });
const inClass = (members: object, type = "LoyaltyCard") => told({ class: members }, { template_type: type });
const text = (value: string) => ({ defaultValue: { language: "en", value } });

const at = "template.json#/google/object";

// biome-ignore format: read as a table
const refused: [name: string, object: object, error: string][] = [
  ["text where a number belongs",     { loyaltyPoints: { balance: { int: "many" } } },         `${at}/loyaltyPoints/balance/int must be a whole number from -2147483648 to 2147483647, not the string "many"`],
  ["a number in quotes",              { loyaltyPoints: { balance: { int: "7" } } },            `${at}/loyaltyPoints/balance/int must be a whole number from -2147483648 to 2147483647, not the string "7": remove the quotes`],
  ["a number where text belongs",     { accountId: 7 },                                        `${at}/accountId must be text, not the number 7`],
  ["a truth value in quotes",         { disableExpirationNotification: "true" },               `${at}/disableExpirationNotification must be true or false, not the string "true": remove the quotes`],
  ["text for a localized string",     { barcode: { showCodeText: "Show" } },                   `${at}/barcode/showCodeText must be an object, not the string "Show"`],
  ["an object for a list",            { linksModuleData: { uris: { uri: "https://a.example" } } }, `${at}/linksModuleData/uris must be an array, not an object`],
  ["a word that no enumeration has",  { passConstraints: { screenshotEligibility: "ELIGIBEL" } }, `${at}/passConstraints/screenshotEligibility must be one of ELIGIBLE, INELIGIBLE, not the string "ELIGIBEL": did you mean ELIGIBLE?`],
  ["a date that is none",             { validTimeInterval: { end: { date: "2027-02-30T10:00:00Z" } } }, `${at}/validTimeInterval/end/date must be a date with a time, such as 2027-06-12T19:30:00+02:00, not the string "2027-02-30T10:00:00Z"`],
  ["what can become no date",         { validTimeInterval: { end: { date: "until {{when}}" } } }, `${at}/validTimeInterval/end/date must be a date with a time, such as 2027-06-12T19:30:00+02:00, which "until {{when}}" cannot become, whatever its tokens stand for`],
  ["an address without its scheme",   { linksModuleData: { uris: [{ uri: "a.example" }] } },   `${at}/linksModuleData/uris/0/uri must be an address with its scheme, such as https:// or that of an app, not the string "a.example"`],
  ["a place without longitude",       { merchantLocations: [{ latitude: 1 }] },                `${at}/merchantLocations/0/longitude is required: a number from -180 to 180`],
  ["a place beyond the pole",         { merchantLocations: [{ latitude: 91, longitude: 1 }] }, `${at}/merchantLocations/0/latitude must be a number from -90 to 90, not the number 91`],
  ["more places than Google takes",   { merchantLocations: Array.from({ length: 11 }, () => ({ latitude: 1, longitude: 1 })) }, `${at}/merchantLocations has 11 entries, and 10 are the most: remove some`],
  ["points without a balance",        { loyaltyPoints: { label: "x" } },                       `${at}/loyaltyPoints/balance is required: an object`],
  ["a module named by nothing to point at", { textModulesData: [{ id: "a.b", body: "x" }] },   `${at}/textModulesData/0/id must be letters, digits, _ and -, not the string "a.b"`],
];

for (const [name, object, error] of refused) {
  t.test(`${name} is refused`, async (t) => {
    t.strictSame(inObject(object), { errors: [error], warnings: [] });
  });
}

// biome-ignore format: read as a table
const fine: [name: string, object: object][] = [
  ["tokens for numbers, truth values and dates", { merchantLocations: [{ latitude: "{{lat}}", longitude: "{{lat}}" }], disableExpirationNotification: "{{flag}}", validTimeInterval: { end: { date: "{{when}}T23:59:59Z" } } }],
  ["an amount as text or as a number",  { loyaltyPoints: { balance: { money: { currencyCode: "EUR", micros: "-1000000" } } }, secondaryLoyaltyPoints: { balance: { money: { currencyCode: "EUR", micros: 5 } } } }],
  ["an old spelling that Google reads", { rotatingBarcode: { type: "qrCode", valuePattern: "{totp_value_0}" } }],
  ["a part of what the service writes", { barcode: { showCodeText: text("Show") }, heroImage: { sourceUri: { uri: "https://a.example/x.png" } } }],
  ["null, which takes a member away",   { heroImage: null, barcode: { alternateText: null } }],
  ["a telephone number as a link",      { linksModuleData: { uris: [{ uri: "tel:+41441234567", description: "Call" }] } }],
];

for (const [name, object] of fine) {
  t.test(`nothing is said of ${name}`, async (t) => {
    t.strictSame(inObject(object), { errors: [], warnings: [] });
  });
}

t.test("an unknown member is warned of with its path, and the known one that it resembles", async (t) => {
  const told = inObject({ acountId: "x", barcode: { shape: { __proto: 1 } } });
  t.strictSame(told, {
    errors: [],
    warnings: [
      `${at}/acountId is not known to this release, and not sent to Google: did you mean accountId?`,
      `${at}/barcode/shape is not known to this release, and not sent to Google`,
    ],
  });
  t.match(
    inObject({ loyaltyPoints: null }, "GiftCard").warnings,
    [/loyaltyPoints is not known/],
    "of another kind",
  );
});

t.test("what the service writes is warned of", async (t) => {
  t.match(inClass({ id: "x", reviewStatus: "DRAFT", messages: [] }).warnings, [
    /class\/id is set by the service, since it is that of the template, and has no effect here: remove it/,
    /class\/reviewStatus is set/,
    /class\/messages is set by the service, since messages are sent with POST/,
  ]);
  t.match(inObject({ state: "ACTIVE", classId: "x", id: "y", messages: 1 }), {
    errors: [],
    warnings: [/\/id/, /\/classId/, /\/state/, /\/messages/],
  });
});

t.test("the kind decides what is known: a flight is one by its header", async (t) => {
  const flight = { flightHeader: { carrier: { carrierIataCode: "LX" } }, origin: { airportIataCode: "ZRH" } };
  t.strictSame(inClass(flight, "BoardingPass"), { errors: [], warnings: [] });
  t.match(
    inClass(
      {
        ...flight,
        localScheduledDepartureDateTime: "2027-07-02T15:30:00Z",
        origin: { airportIataCode: "zrh" },
      },
      "BoardingPass",
    ).errors,
    [
      /origin\/airportIataCode must be an airport's three letters/,
      /localScheduledDepartureDateTime must be a date with a time and without an offset/,
    ],
  );
  t.match(inClass({ venue: { name: text("Hall") } }, "EventTicket").errors, [/venue\/address is required/]);
});

t.test("a template that is not for Google is not checked", async (t) => {
  t.strictSame(told({ object: { accountId: 7 } }, { providers: ["apple"] }), { errors: [], warnings: [] });
});
