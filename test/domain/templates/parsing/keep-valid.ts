import t from "tap";
import { passMembers } from "../../../../src/domain/templates/parsing/apple/pass-members.ts";
import { keepValidMembers } from "../../../../src/domain/templates/parsing/keep-valid.ts";

const kept = (members: object) => keepValidMembers({ ...members }, passMembers);
const here = { latitude: 60.17, longitude: 24.94 };
const day = "2027-06-12T19:30Z";

// biome-ignore format: read as a table
const rows: [name: string, members: object, expected: object][] = [
  ["a sound member stays",                  { logoText: "", maxDistance: 0, voided: false },              { logoText: "", maxDistance: 0, voided: false }],
  ["a date that is none goes",              { expirationDate: "soon", relevantDate: day },                { relevantDate: day }],
  ["a colour that is none goes",            { backgroundColor: "rgb(300, 0, 0)" },                        {}],
  ["an address that is not secure goes",    { sellURL: "http://a.example", transferURL: "https://a.example" }, { transferURL: "https://a.example" }],
  ["text becomes a number where one belongs", { locations: [{ latitude: "60.17", longitude: "-24.9" }] }, { locations: [{ latitude: 60.17, longitude: -24.9 }] }],
  ["and a truth value",                     { voided: "true", sharingProhibited: "false", suppressStripShine: "yes" }, { voided: true, sharingProhibited: false }],
  ["but a text that looks like one stays text", { logoText: "12", storeCard: { backFields: [{ key: "a", value: "007" }] } }, { logoText: "12", storeCard: { backFields: [{ key: "a", value: "007" }] } }],
  ["odd numbers are none",                  { maxDistance: "1e3", associatedStoreIdentifiers: ["0x10", " 1", "1."] }, {}],
  ["out of range is none",                  { beacons: [{ proximityUUID: "0190a0a0-0000-7000-8000-000000000001", major: "65536", minor: "7" }] }, { beacons: [{ proximityUUID: "0190a0a0-0000-7000-8000-000000000001", minor: 7 }] }],
  ["a required member takes its object along", { locations: [{ latitude: "north", longitude: 1 }, here] }, { locations: [here] }],
  ["and the last entry its list",           { locations: [{ latitude: "north", longitude: 1 }] },         {}],
  ["an empty list stays one",               { locations: [], storeCard: { backFields: [{ key: "a", dataDetectorTypes: [] }] } }, { locations: [], storeCard: { backFields: [{ key: "a", dataDetectorTypes: [] }] } }],
  ["of dates one must be there",            { relevantDates: [{ date: "?", endDate: day }, { startDate: day, endDate: "?" }] }, { relevantDates: [{ startDate: day }] }],
  ["a message too long for NFC takes it all", { nfc: { message: "é".repeat(33), encryptionPublicKey: "AAAA" } }, {}],
  ["a barcode of nothing goes",             { barcodes: [{ format: "PKBarcodeFormatQR", message: "" }] }, {}],
  ["a tag goes alone",                      { semantics: { eventStartDate: "?", eventName: "x", seats: [{ seatRow: "4" }] } }, { semantics: { eventName: "x", seats: [{ seatRow: "4" }] } }],
  ["what is not known stays, however deep", { future: "?", semantics: { future: [null] }, userInfo: { a: [1, null] } }, { future: "?", semantics: { future: [null] }, userInfo: { a: [1, null] } }],
  ["a choice newer than this release stays", { semantics: { eventType: "PKEventTypeGala" } },             { semantics: { eventType: "PKEventTypeGala" } }],
  ["null stays, which takes a member away", { logoText: null, storeCard: { backFields: null } },          { logoText: null, storeCard: { backFields: null } }],
];

for (const [name, members, expected] of rows) {
  t.test(`${name}: ${JSON.stringify(members).slice(0, 80)}`, async (t) => {
    t.strictSame(kept(members), expected);
  });
}

t.test("what was given is untouched", async (t) => {
  const members = { locations: [{ latitude: "1", longitude: "2" }], expirationDate: "?" };
  const before = structuredClone(members);
  kept(members);
  t.strictSame(members, before);
});
