import { generateKeyPairSync } from "node:crypto";
import t from "tap";
import { parseTemplate } from "../../../../../src/domain/templates/parse.ts";
import { notesOf, soundDocument, toldOf } from "../../fixtures/authored.ts";
import { icons } from "../../fixtures/png.ts";

const documentOf = (type: string, apple: object): object => ({
  ...soundDocument,
  template_type: type,
  apple,
});
const at = (place: string): string => `template.json#/apple/${place}`;

const [card, ticket, flight] = ["LoyaltyCard", "EventTicket", "BoardingPass"];
const here = { latitude: 60.17, longitude: 24.94 };
const proximityUUID = "0190a0a0-0000-7000-8000-000000000001";
const day = "2027-06-12T19:30:00+02:00";
const qr = { format: "PKBarcodeFormatQR", message: "1" };
const keyOf = (curve: string): string =>
  generateKeyPairSync("ec", { namedCurve: curve })
    .publicKey.export({ format: "der", type: "spki" })
    .toString("base64");
const nfc = { message: "{{ref}}", encryptionPublicKey: keyOf("prime256v1"), requiresAuthentication: true };
const field = (members: object, group = "backFields"): object => ({
  storeCard: { [group]: [{ key: "a", value: "b", ...members }] },
});
const many = (count: number, members: object = {}): object[] =>
  Array.from({ length: count }, (_, i) => ({ key: `k${i}`, value: i, ...members }));
const wholeDate = "a complete date with a time zone, such as 2027-06-12T19:30:00+02:00";
const colour = "a colour as rgb(10, 128, 255) or #0a80ff";
const dateStyles =
  "one of PKDateStyleNone, PKDateStyleShort, PKDateStyleMedium, PKDateStyleLong, PKDateStyleFull";

// biome-ignore format: read as a table
const refused: [name: string, type: string, apple: object, place: string, message: string][] = [
  ["the service's own",      card,   { serialNumber: "1" },                         "serialNumber", "is set by the service, since it is the pass's id, by which iPhones tell passes apart: remove it"],
  ["the service's own, null", card,  { webServiceURL: null },                       "webServiceURL", "is set by the service, since iPhones fetch updates there: remove it"],
  ["another style",          card,   { coupon: {} },                                "coupon", "is the style of a Coupon, and a LoyaltyCard has the style storeCard: move its members to /apple/storeCard, or change template_type"],
  ["a style of two types",   flight, { generic: {} },                               "generic", "is the style of a MembershipCard or Generic, and a BoardingPass has the style boardingPass: move its members to /apple/boardingPass, or change template_type"],
  ["the poster of others",   card,   { posterGeneric: {} },                         "posterGeneric", "is the style of a MembershipCard or Generic, and a LoyaltyCard has the style storeCard: move its members to /apple/storeCard, or change template_type"],
  ["no description",         card,   { description: null },                         "description", "cannot be taken away, since Wallet refuses a pass without it: remove the null"],
  ["no style",               card,   { storeCard: null },                           "storeCard", "cannot be taken away, since Wallet refuses a pass without it: remove the null"],
  ["a style of text",        card,   { storeCard: "x" },                            "storeCard", 'must be an object, not the string "x"'],
  ["no name",                card,   { organizationName: "" },                      "organizationName", 'must be text that is not empty, not the string ""'],
  ["a logo's number",        card,   { logoText: 5 },                               "logoText", "must be text, not the number 5"],
  ["a colour's name",        card,   { labelColor: "red" },                         "labelColor", `must be ${colour}, not the string "red"`],
  ["too much red",           card,   { stripColor: "rgb(256, 0, 0)" },              "stripColor", `must be ${colour}, not the string "rgb(256, 0, 0)"`],
  ["a quoted truth",         card,   { sharingProhibited: "true" },                 "sharingProhibited", 'must be true or false, not the string "true": remove the quotes'],
  ["a shine of 1",           card,   { suppressStripShine: 1 },                     "suppressStripShine", "must be true or false, not the number 1"],

  ["a way to travel",        flight, { boardingPass: { transitType: "train" } },    "boardingPass/transitType", 'must be one of PKTransitTypeAir, PKTransitTypeBoat, PKTransitTypeBus, PKTransitTypeTrain, PKTransitTypeGeneric, not the string "train": did you mean PKTransitTypeTrain?'],
  ["a hopeless token",       flight, { boardingPass: { transitType: "Type{{ref}}" } }, "boardingPass/transitType", 'must be one of PKTransitTypeAir, PKTransitTypeBoat, PKTransitTypeBus, PKTransitTypeTrain, PKTransitTypeGeneric, which "Type{{ref}}" cannot become, whatever its tokens stand for'],
  ["a card that travels",    card,   { storeCard: { transitType: "PKTransitTypeAir" } }, "storeCard/transitType", "belongs to the style boardingPass only: remove it"],

  ["a day alone",            card,   { expirationDate: "2027-06-12" },              "expirationDate", `must be ${wholeDate}, not the string "2027-06-12"`],
  ["no time zone",           card,   { expirationDate: "2027-06-12T10:00:00" },     "expirationDate", `must be ${wholeDate}, not the string "2027-06-12T10:00:00"`],
  ["30 February",            card,   { relevantDate: "2027-02-30T10:00Z" },         "relevantDate", `must be ${wholeDate}, not the string "2027-02-30T10:00Z"`],
  ["words around a date",    card,   { expirationDate: "on {{ref}}" },              "expirationDate", `must be ${wholeDate}, which "on {{ref}}" cannot become, whatever its tokens stand for`],
  ["only an end",            ticket, { relevantDates: [{ endDate: day }] },         "relevantDates/0", "needs one of date, startDate, relevantDate"],
  ["one for many",           ticket, { relevantDates: { date: day } },              "relevantDates", "must be an array, not an object"],

  ["beyond the pole",        card,   { locations: [{ ...here, latitude: 90.1 }] },  "locations/0/latitude", "must be a number from -90 to 90, not the number 90.1"],
  ["beyond the date line",   card,   { locations: [{ ...here, longitude: -181 }] }, "locations/0/longitude", "must be a number from -180 to 180, not the number -181"],
  ["a quoted latitude",      card,   { locations: [{ ...here, latitude: "60.1" }] }, "locations/0/latitude", 'must be a number from -90 to 90, not the string "60.1": remove the quotes'],
  ["half a place",           card,   { locations: [{ latitude: 1 }] },              "locations/0/longitude", "is required: a number from -180 to 180"],
  ["null deep down",         card,   { locations: [{ ...here, altitude: null }] },  "locations/0/altitude", "must be a number, not null"],
  ["eleven places",          card,   { locations: Array(11).fill(here) },           "locations", "has 11 entries, and 10 are the most: remove some"],
  ["no beacon's UUID",       card,   { beacons: [{ proximityUUID: "x" }] },         "beacons/0/proximityUUID", 'must be a UUID, not the string "x"'],
  ["a beacon's major",       card,   { beacons: [{ proximityUUID, major: 65536 }] }, "beacons/0/major", "must be a whole number from 0 to 65535, not the number 65536"],
  ["a beacon's minor",       card,   { beacons: [{ proximityUUID, minor: 1.5 }] },  "beacons/0/minor", "must be a whole number from 0 to 65535, not the number 1.5"],
  ["eleven beacons",         card,   { beacons: Array(11).fill({ proximityUUID }) }, "beacons", "has 11 entries, and 10 are the most: remove some"],
  ["a quoted distance",      card,   { maxDistance: "100" },                        "maxDistance", 'must be a number not below 0, not the string "100": remove the quotes'],
  ["a group of cards",       card,   { groupingIdentifier: "x" },                   "groupingIdentifier", "is not for a LoyaltyCard, only for BoardingPass and EventTicket: remove it"],

  ["NFC of 66 bytes",        card,   { nfc: { ...nfc, message: "é".repeat(33) } },  "nfc/message", `must be text of 1 to 64 bytes, not the string "${"é".repeat(33)}": it has 66 bytes`],
  ["NFC without a key",      card,   { nfc: { message: "1" } },                     "nfc/encryptionPublicKey", "is required: Base64 without line breaks"],
  ["a PEM file as key",      card,   { nfc: { ...nfc, encryptionPublicKey: "-----BEGIN" } }, "nfc/encryptionPublicKey", 'must be Base64 without line breaks, not the string "-----BEGIN"'],
  ["a key of another curve", card,   { nfc: { ...nfc, encryptionPublicKey: keyOf("secp384r1") } }, "nfc/encryptionPublicKey", "is no public key on the curve P-256 (an X.509 SubjectPublicKeyInfo in Base64): give the body of its PEM file"],
  ["NFC with a word",        card,   { nfc: { ...nfc, requiresAuthentication: "yes" } }, "nfc/requiresAuthentication", 'must be true or false, not the string "yes"'],

  ["an app without a store", card,   { appLaunchURL: "app://x" },                   "appLaunchURL", "needs associatedStoreIdentifiers beside it, without which Wallet refuses the pass: add it, or remove appLaunchURL"],
  ["no address of an app",   card,   { appLaunchURL: "x y", associatedStoreIdentifiers: [1] }, "appLaunchURL", 'must be an address with its scheme, such as https:// or that of an app, not the string "x y"'],
  ["a quoted app",           card,   { associatedStoreIdentifiers: ["1"] },         "associatedStoreIdentifiers/0", 'must be a whole number not below 1, not the string "1": remove the quotes'],
  ["half an action",         card,   { featuredActions: [{ identifier: "x" }] },    "featuredActions/0/type", "is required: text that is not empty"],
  ["a nameless event",       ticket, { upcomingPassInformation: [{ type: "event", name: "x" }] }, "upcomingPassInformation/0/identifier", "is required: text that is not empty"],
  ["the scheme of others",   flight, { preferredStyleSchemes: ["posterEventTicket", "boardingPass"] }, "preferredStyleSchemes/0", "is posterEventTicket, the scheme of an EventTicket, and the template is a BoardingPass: remove it"],

  ["a tag of text",          card,   { semantics: { balance: "5" } },               "semantics/balance", 'must be an object, not the string "5"'],
  ["a tag's currency",       card,   { semantics: { balance: { currencyCode: "XYZ" } } }, "semantics/balance/currencyCode", `must be a currency's code (ISO 4217), such as EUR, not the string "XYZ"`],
  ["a tag's date",           ticket, { semantics: { eventStartDate: "tomorrow" } }, "semantics/eventStartDate", `must be ${wholeDate}, not the string "tomorrow"`],
  ["a quoted flight",        flight, { semantics: { flightNumber: "815" } },        "semantics/flightNumber", 'must be a whole number not below 0, not the string "815": remove the quotes'],
  ["a tag's time zone",      flight, { semantics: { departureLocationTimeZone: "Europe/Atlantis" } }, "semantics/departureLocationTimeZone", 'must be a time zone\'s name, such as Europe/Zurich, not the string "Europe/Atlantis"'],
  ["one performer",          ticket, { semantics: { performerNames: "A" } },        "semantics/performerNames", 'must be an array, not the string "A"'],
  ["a seat's number",        ticket, { semantics: { seats: [{ seatNumber: 7 }] } }, "semantics/seats/0/seatNumber", "must be text, not the number 7"],
  ["a net without password", ticket, { semantics: { wifiAccess: [{ ssid: "x" }] } }, "semantics/wifiAccess/0/password", "is required: text"],
  ["a field's tag",          card,   field({ semantics: { duration: "1h" } }),      "storeCard/backFields/0/semantics/duration", 'must be a number not below 0, not the string "1h"'],

  ["a field without a key",  card,   { storeCard: { backFields: [{ value: "1" }] } }, "storeCard/backFields/0/key", "is required: text that is not empty"],
  ["a field without value",  card,   { storeCard: { backFields: [{ key: "a" }] } }, "storeCard/backFields/0/value", "is required: text or a number, since a does not stand in /body/back"],
  ["a misspelt field",       card,   { storeCard: { primaryFields: [{ key: "point", label: "" }] } }, "storeCard/primaryFields/0/value", "is required: text or a number, since point does not stand in /body/primary: did you mean points?"],
  ["a key twice",            card,   { storeCard: { backFields: [{ key: "a", value: 1 }, { key: "a", value: 2 }] } }, "storeCard/backFields/1/key", "is a, the key of /apple/storeCard/backFields/0 already: give each field of a pass its own"],
  ["a key of another group", card,   { storeCard: { backFields: [{ key: "points", value: 1 }] } }, "storeCard/backFields/0/key", "is points, the key of /body/primary/0 already: give each field of a pass its own"],
  ["a value that is true",   card,   field({ value: true }),                        "storeCard/backFields/0/value", "must be text or a number, not the boolean true"],
  ["a key that is null",     card,   field({ key: null }),                          "storeCard/backFields/0/key", "must be text that is not empty, not null"],
  ["an alignment",           card,   field({ textAlignment: "right" }, "headerFields"), "storeCard/headerFields/0/textAlignment", 'must be one of PKTextAlignmentLeft, PKTextAlignmentCenter, PKTextAlignmentRight, PKTextAlignmentNatural, not the string "right": did you mean PKTextAlignmentRight?'],
  ["a date's style",         card,   field({ dateStyle: "Short", value: day }),     "storeCard/backFields/0/dateStyle", `must be ${dateStyles}, not the string "Short": did you mean PKDateStyleShort?`],
  ["a number's style",       card,   field({ numberStyle: "PKNumberStyleRoman", value: 5 }), "storeCard/backFields/0/numberStyle", 'must be one of PKNumberStyleDecimal, PKNumberStylePercent, PKNumberStyleScientific, PKNumberStyleSpellOut, not the string "PKNumberStyleRoman": did you mean PKNumberStyleDecimal?'],
  ["a currency's name",      card,   field({ currencyCode: "EURO", value: 5 }),     "storeCard/backFields/0/currencyCode", `must be a currency's code (ISO 4217), such as EUR, not the string "EURO"`],
  ["a detector",             card,   field({ dataDetectorTypes: ["Link", "Mail"].map((kind) => `PKDataDetectorType${kind}`) }), "storeCard/backFields/0/dataDetectorTypes/1", 'must be one of PKDataDetectorTypePhoneNumber, PKDataDetectorTypeLink, PKDataDetectorTypeAddress, PKDataDetectorTypeCalendarEvent, not the string "PKDataDetectorTypeMail": did you mean PKDataDetectorTypeLink?'],
  ["a third row",            ticket, { eventTicket: { auxiliaryFields: [{ key: "a", value: "b", row: 2 }] } }, "eventTicket/auxiliaryFields/0/row", "must be a whole number from 0 to 1, not the number 2"],
  ["a relative word",        card,   field({ isRelative: "no", dateStyle: "PKDateStyleShort", value: day }), "storeCard/backFields/0/isRelative", 'must be true or false, not the string "no"'],

  ["an unknown barcode",     card,   { barcodes: [{ ...qr, format: "QR" }] },       "barcodes/0/format", 'must be one of PKBarcodeFormatQR, PKBarcodeFormatPDF417, PKBarcodeFormatAztec, PKBarcodeFormatCode128, PKBarcodeFormatCode39, PKBarcodeFormatCodabar, PKBarcodeFormatEAN13, PKBarcodeFormatI2of5, not the string "QR": did you mean PKBarcodeFormatQR?'],
  ["an empty barcode",       card,   { barcodes: [{ ...qr, message: "" }] },        "barcodes/0/message", 'must be text that is not empty, not the string ""'],
  ["a message beyond Latin-1", card, { barcodes: [{ ...qr, message: "Łódź", messageEncoding: "ISO-8859-1" }] }, "barcodes/0/messageEncoding", "has no place for all characters of the message: write utf-8, or leave it out"],
];

for (const [name, type, apple, place, message] of refused) {
  t.test(`${name} on a ${type} is refused, and nothing else is`, async (t) => {
    t.strictSame(toldOf(documentOf(type, apple)), { errors: [`${at(place)} ${message}`], warnings: [] });
  });
}

const poster = { preferredStyleSchemes: ["posterEventTicket", "eventTicket"] };

// biome-ignore format: read as a table
const doubtful: [name: string, type: string, apple: object, place: string, message: string][] = [
  ["a misspelt member",      card,   { sharingProhibitd: true },                    "sharingProhibitd", "is not known to this release and kept as it is: did you mean sharingProhibited?"],
  ["a new member",           card,   { holographicFoil: true },                     "holographicFoil", "is not known to this release and kept as it is"],
  ["a new group",            card,   { storeCard: { middleFields: [] } },           "storeCard/middleFields", "is not known to this release and kept as it is"],
  ["a misspelt tag",         card,   { semantics: { balanc: {} } },                 "semantics/balanc", "is not known to this release and kept as it is: did you mean balance?"],
  ["a new kind of event",    ticket, { semantics: { eventType: "PKEventTypeMovies" } }, "semantics/eventType", 'is "PKEventTypeMovies", not known to this release and kept as it is: did you mean PKEventTypeMovie?'],
  ["a new scheme",           ticket, { preferredStyleSchemes: ["posterEventTickt", "eventTicket"] }, "preferredStyleSchemes/0", 'is "posterEventTickt", not known to this release and kept as it is: did you mean posterEventTicket?'],
  ["a scheme for a card",    card,   { preferredStyleSchemes: [] },                 "preferredStyleSchemes", "is not for a LoyaltyCard, only for EventTicket and BoardingPass, and has no effect: remove it"],
  ["a poster's address",     card,   { bagPolicyURL: "https://a.example" },         "bagPolicyURL", "is not for a LoyaltyCard, only for EventTicket, and has no effect: remove it"],
  ["no poster's address",    ticket, { bagPolicyURL: "https://a.example" },         "bagPolicyURL", 'is for poster event tickets only: write ["posterEventTicket", "eventTicket"] into /apple/preferredStyleSchemes, or remove it'],
  ["an exchanged period",    ticket, { relevantDates: [{ startDate: day, endDate: "2027-06-12T19:29:00+02:00" }] }, "relevantDates/0/endDate", "is before startDate: exchange them"],
  ["an event of no time",    ticket, { semantics: { eventStartDate: day, eventEndDate: "2027-06-12T00:00Z" } }, "semantics/eventEndDate", "is before eventStartDate: exchange them"],

  ["a silent announcement",  card,   field({ changeMessage: "News" }),              "storeCard/backFields/0/changeMessage", "has no %@, so an iPhone tells of the change in general words: put %@ where the new value belongs"],
  ["an aligned back",        card,   field({ textAlignment: "PKTextAlignmentRight" }), "storeCard/backFields/0/textAlignment", "has no effect in backFields: remove it"],
  ["detectors in front",     card,   field({ dataDetectorTypes: [] }, "headerFields"), "storeCard/headerFields/0/dataDetectorTypes", "has no effect outside of backFields: remove it"],
  ["a row on a card",        card,   field({ row: 1 }, "auxiliaryFields"),          "storeCard/auxiliaryFields/0/row", "has no effect outside of eventTicket's auxiliaryFields: remove it"],
  ["a relative nothing",     card,   field({ isRelative: true }),                   "storeCard/backFields/0/isRelative", "has no effect without dateStyle or timeStyle: add one, or remove it"],
  ["a zone of nothing",      card,   field({ ignoresTimeZone: true }),              "storeCard/backFields/0/ignoresTimeZone", "has no effect without dateStyle or timeStyle: add one, or remove it"],
  ["a styled currency",      card,   field({ currencyCode: "EUR", numberStyle: "PKNumberStyleDecimal", value: 5 }), "storeCard/backFields/0/currencyCode", "contradicts numberStyle: remove one of them"],
  ["a date and a number",    card,   field({ dateStyle: "PKDateStyleShort", currencyCode: "EUR", value: day }), "storeCard/backFields/0/dateStyle", "contradicts numberStyle and currencyCode: a value is a date or a number"],
  ["a word as date",         card,   field({ timeStyle: "PKDateStyleShort", value: "soon" }), "storeCard/backFields/0/value", 'is "soon", which is not a complete date with a time zone, and shown as it is: change it, or remove the style'],
  ["a number as date",       card,   field({ dateStyle: "PKDateStyleShort", value: 5 }), "storeCard/backFields/0/value", "is 5, which is not a complete date with a time zone, and shown as it is: change it, or remove the style"],
  ["a word as number",       card,   field({ numberStyle: "PKNumberStylePercent", value: "12,5" }), "storeCard/backFields/0/value", 'is "12,5", which is not a plain number, and shown as it is: change it, or remove the style'],
  ["bold letters",           card,   field({ attributedValue: "<b>x</b>" }),        "storeCard/backFields/0/attributedValue", "has a tag other than <a href>, the only one that Wallet reads: remove it"],
  ["a group of posters",     card,   { storeCard: { additionalInfoFields: [] } },   "storeCard/additionalInfoFields", "is not shown on the style storeCard, only on eventTicket and boardingPass: move its fields"],
  ["a footer on a ticket",   ticket, { eventTicket: { footerFields: [] } },         "eventTicket/footerFields", "is not shown on the style eventTicket, only on posterGeneric and generic: move its fields"],

  ["four in the header",     card,   { storeCard: { headerFields: many(4) } },      "storeCard/headerFields/3", "is one of 4 fields in headerFields, of which Wallet shows 3 on storeCard: move some to the back"],
  ["two in front",           card,   { storeCard: { primaryFields: many(1) } },     "storeCard/primaryFields/0", "is one of 2 fields in primaryFields, of which Wallet shows 1 on storeCard: move some to the back"],
  ["three places of a flight", flight, { boardingPass: { primaryFields: many(2) } }, "boardingPass/primaryFields/1", "is one of 3 fields in primaryFields, of which Wallet shows 2 on boardingPass: move some to the back"],
  ["five in a second row",   ticket, { eventTicket: { auxiliaryFields: [...many(4), ...many(5, { row: 1 }).map((entry, i) => ({ ...entry, key: `r${i}` }))] } }, "eventTicket/auxiliaryFields/8", "is one of 5 fields in auxiliaryFields, row 1, of which Wallet shows 4 on eventTicket: move some to the back"],

  ["a line without fallback", card,  { barcodes: [qr, { format: "PKBarcodeFormatEAN13", message: "4006381333931" }] }, "barcodes/1", "is not drawn before iOS 27: put a barcode of an older format behind it (PKBarcodeFormatQR, PKBarcodeFormatPDF417, PKBarcodeFormatAztec, PKBarcodeFormatCode128)"],
  ["a short EAN",            card,   { barcodes: [{ format: "PKBarcodeFormatEAN13", message: "40" }, qr] }, "barcodes/0/message", "cannot be drawn as PKBarcodeFormatEAN13, which holds 12 or 13 digits"],
  ["an odd pair",            card,   { barcodes: [{ format: "PKBarcodeFormatI2of5", message: "123" }, qr] }, "barcodes/0/message", "cannot be drawn as PKBarcodeFormatI2of5, which holds an even number of digits"],
  ["small letters",          card,   { barcodes: [{ format: "PKBarcodeFormatCode39", message: "abc" }, qr] }, "barcodes/0/message", "cannot be drawn as PKBarcodeFormatCode39, which holds capitals, digits, space and $ % + . / -"],
  ["letters in a Codabar",   card,   { barcodes: [{ format: "PKBarcodeFormatCodabar", message: "A12XB" }, qr] }, "barcodes/0/message", "cannot be drawn as PKBarcodeFormatCodabar, which holds digits and $ : / . + -, between A to D"],
  ["a new format for the old", card, { barcode: { format: "PKBarcodeFormatCode128", message: "1" } }, "barcode", "is for old devices, which do not draw that format: use /apple/barcodes"],
];

for (const [name, type, apple, place, message] of doubtful) {
  t.test(`${name} on a ${type} is a warning, and stops nothing`, async (t) => {
    const document = documentOf(type, apple);
    t.strictSame(toldOf(document), { errors: [], warnings: [`${at(place)} ${message}`] });
    t.match(parseTemplate(document, icons()).content, { apple });
  });
}

t.test("a default that its style cannot format is a warning", async (t) => {
  const [points, ...others] = soundDocument.fields;
  const styled = (value: string): object => ({
    ...documentOf(card, {
      storeCard: { primaryFields: [{ key: "points", numberStyle: "PKNumberStyleDecimal" }] },
    }),
    fields: [{ ...points, default: value }, ...others],
  });
  t.strictSame(toldOf(styled("12.5")), { errors: [], warnings: [] });
  t.strictSame(toldOf(styled("many")).warnings, [
    `${at("storeCard/primaryFields/0")} formats the field's default, "many", which is not a plain number, and shown as it is: change it, or remove the style`,
  ]);
});

t.test("beside a square barcode a card has room for one row of both groups", async (t) => {
  const crowded = (format: string): object => ({
    ...documentOf(card, {
      storeCard: {
        secondaryFields: many(3),
        auxiliaryFields: [
          { key: "x", value: 1 },
          { key: "y", value: 2 },
        ],
      },
    }),
    barcode: { format, message: "1" },
  });
  t.strictSame(toldOf(crowded("pdf417")).warnings, []);
  t.strictSame(toldOf(crowded("qr")).warnings, [
    `${at("storeCard/auxiliaryFields/1")} is one of 5 fields in secondaryFields and auxiliaryFields beside a square barcode, of which Wallet shows 4 on storeCard: move some to the back`,
  ]);
});

t.test("the fields of the body are counted too", async (t) => {
  const fields = [1, 2].map((i) => ({ key: `f${i}`, label: "", kind: "Static", default: "" }));
  const document = { ...soundDocument, fields, body: { primary: ["f1", "f2"] } };
  t.strictSame(toldOf(document).warnings, [
    "template.json#/body/primary/1 is one of 2 fields in primaryFields, of which Wallet shows 1 on storeCard: move some to the back",
  ]);
  t.strictSame(toldOf({ ...document, providers: ["google"] }).warnings, [], "they are no matter of Google's");
});

t.test("what is all token is not judged, whatever belongs in its place", async (t) => {
  const token = "{{ref}}";
  const apple = {
    voided: token,
    expirationDate: token,
    maxDistance: token,
    backgroundColor: `rgb(${token}, 0, 0)`,
    locations: [{ latitude: token, longitude: `1${token}`, relevantText: `Near ${token}` }],
    beacons: [{ proximityUUID: token, major: token }],
    nfc: { message: `${"x".repeat(64)}${token}`, encryptionPublicKey: token },
    barcodes: [{ format: `PKBarcodeFormat${token}`, message: token }],
    relevantDates: [{ date: `${token}T19:30:00+02:00` }],
    associatedStoreIdentifiers: [token],
    semantics: { balance: { amount: token, currencyCode: token }, duration: token },
    storeCard: { backFields: [{ key: "a", value: token, dateStyle: token }] },
    futureMember: token,
  };
  const { errors, warnings } = toldOf(documentOf(card, apple));
  t.strictSame(errors, []);
  t.strictSame(warnings, [`${at("futureMember")} is not known to this release and kept as it is`]);
});

t.test("null takes away what the service writes", async (t) => {
  const apple = {
    logoText: null,
    barcodes: null,
    storeCard: { primaryFields: [{ key: "points", label: null, changeMessage: null }], backFields: null },
  };
  t.strictSame(toldOf(documentOf(card, apple)), { errors: [], warnings: [] });
});

t.test("a poster without what Wallet demands of it is the ordinary ticket, member for member", async (t) => {
  const apple = {
    ...poster,
    semantics: { venueName: "x", eventType: "PKEventTypeSports", homeTeamAbbreviation: "h" },
    nfc: { ...nfc, requiresAuthentication: undefined },
  };
  const { errors, warnings } = toldOf(documentOf(ticket, JSON.parse(JSON.stringify(apple))));
  t.strictSame(errors, []);
  t.strictSame(
    warnings.map((warning) => warning.replace(/:? without it .*$/, "")),
    [
      `${at("semantics/eventName")} is missing for posterEventTicket`,
      `${at("semantics/awayTeamAbbreviation")} is missing for posterEventTicket`,
      `${at("nfc/requiresAuthentication")} is missing for posterEventTicket`,
      `${at("preferredStyleSchemes")} asks for a poster: add images/artwork.png,`,
    ],
  );
});

t.test("a semantic boarding pass without its tags is the ordinary one", async (t) => {
  const semantics = {
    airlineCode: "EX",
    flightNumber: 815,
    originalDepartureDate: day,
    originalBoardingDate: day,
    originalArrivalDate: day,
    departureAirportCode: "ZRH",
    departureAirportTimeZone: "Europe/Zurich",
    destinationAirportCode: "HEL",
    passengerName: { givenName: "Ada" },
  };
  const schemes = { preferredStyleSchemes: ["semanticBoardingPass", "boardingPass"] };
  t.strictSame(toldOf(documentOf(flight, { ...schemes, semantics })), { errors: [], warnings: [] });
  const { warnings } = toldOf(documentOf(flight, { preferredStyleSchemes: ["semanticBoardingPass"] }));
  t.equal(warnings.length, 1 + Object.keys(semantics).length);
  t.equal(
    warnings[0],
    `${at("preferredStyleSchemes")} has no boardingPass to fall back to: put it behind semanticBoardingPass`,
  );
});

t.test("a feature is noted once, with the iOS that it needs", async (t) => {
  const period = { startDate: day };
  // biome-ignore format: read as a table
  const notes: [type: string, apple: object, expected: string[]][] = [
    [card,   {}, []],
    [ticket, { relevantDates: [period, period] }, [`${at("relevantDates")} is for periods of relevance, which need iOS 18: older iPhones go by relevantDate`]],
    [ticket, { ...poster, sellURL: "https://a.example", transferURL: "https://a.example" }, [`${at("preferredStyleSchemes/0")} is for poster event tickets, which need iOS 18: older iPhones show the ordinary event ticket`]],
    [flight, { preferredStyleSchemes: ["semanticBoardingPass"] }, [`${at("preferredStyleSchemes/0")} is for semantic boarding passes, which need iOS 26: older iPhones show the ordinary boarding pass`]],
    ["Generic", { posterGeneric: {} }, [`${at("posterGeneric")} is for poster generic passes, which need iOS 27: older iPhones show the style generic`]],
    [card,   { featuredActions: [] }, [`${at("featuredActions")} is for featured actions, which need iOS 27: older iPhones show none of them`]],
    [card,   { barcodes: [{ format: "PKBarcodeFormatI2of5", message: "12" }, { format: "PKBarcodeFormatCode39", message: "1" }, qr] }, [`${at("barcodes/0/format")} is for barcodes as Code 39, Codabar, EAN-13 or Interleaved 2 of 5, which need iOS 27: older iPhones take the next barcode that they know`]],
    [card,   { barcodes: [{ format: "PKBarcodeFormatCode128", message: "12" }] }, [`${at("barcodes")} is Code 128, which an Apple Watch does not draw: put another format behind it in /apple/barcodes`]],
    [card,   { barcodes: [{ format: "PKBarcodeFormatCode128", message: "12" }, qr] }, []],
  ];
  for (const [type, apple, expected] of notes) t.strictSame(notesOf(documentOf(type, apple)), expected);
});

t.test("keys may stand on both faces of a poster generic pass, and a footer there", async (t) => {
  const headerFields = [{ key: "points", value: "{{points}}" }];
  const apple = {
    posterGeneric: { headerFields, primaryFields: many(2), footerFields: [{ key: "f", value: "1" }] },
  };
  t.strictSame(toldOf(documentOf("MembershipCard", apple)), { errors: [], warnings: [] });
});
