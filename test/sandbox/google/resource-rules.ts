import t from "tap";
import { Refused } from "../../../src/sandbox/exchange.ts";
import { createReader } from "../../../src/sandbox/google/proto-json.ts";
import { checkResource, mergePatch, readResource } from "../../../src/sandbox/google/resource-rules.ts";
import type { ResourceType } from "../../../src/sandbox/google/resource-shapes.ts";
import { samples } from "../fixtures/google.ts";

const reader = createReader();

/** The refusal of a resource as Google words it, or «» when it is accepted. */
function refusalOf(type: ResourceType, more: object, base?: object): string {
  const vertical = type.replace(/Class$|Object$/, "");
  const sample = type.endsWith("Class") ? samples[vertical]?.class : samples[vertical]?.object;
  const body = { id: "1.a", ...(type.endsWith("Object") && { classId: "1.c" }), ...sample, ...base, ...more };
  try {
    // Through JSON, as it comes over the wire.
    checkResource(reader, type, readResource(reader, type, JSON.parse(JSON.stringify(body))));
    return "";
  } catch (error) {
    if (!(error instanceof Refused) || "reset" in error.answer) throw error;
    return JSON.parse(String(error.answer.body)).error.message;
  }
}

const text = (value = "Text") => ({ defaultValue: { language: "en", value } });
const image = (uri = "https://example.com/a.png") => ({ sourceUri: { uri } });
const times = <T>(count: number, item: T): T[] => new Array(count).fill(item);
const at = (latitude: number, longitude: number) => [{ latitude, longitude }];
const row = (item: object) => ({
  classTemplateInfo: { cardTemplateOverride: { cardRowTemplateInfos: times(1, item) } },
});
const field = (fieldPath: string) => row({ oneItem: { item: { firstValue: { fields: [{ fieldPath }] } } } });

const accepted: [ResourceType, object][] = [
  ["genericObject", { hexBackgroundColor: "#ffcc00" }],
  ["genericObject", { hexBackgroundColor: "#fc0" }],
  ["genericObject", { heroImage: { ...image(), contentDescription: text() } }],
  [
    "genericObject",
    { linksModuleData: { uris: [{ uri: "tel:+411234", description: "Call" }, { uri: "https://e.com" }] } },
  ],
  ["genericObject", { textModulesData: times(10, { id: "points_1", header: "Points", body: "5" }) }],
  ["genericObject", { textModulesData: [{ localizedHeader: text(), localizedBody: text("") }] }],
  [
    "genericObject",
    {
      validTimeInterval: {
        start: { date: "2027-01-01T00:00:00Z" },
        end: { date: "2027-12-31T23:59:59.999+01:00" },
      },
    },
  ],
  ["genericObject", { validTimeInterval: { end: { date: "2027-02-28T10:00" } } }],
  ["genericObject", { barcode: { type: "QR_CODE", value: "x", renderEncoding: "UTF_8" } }],
  ["genericObject", { genericType: "GENERIC_OTHER", groupingInfo: { sortIndex: 2 }, subheader: null }],
  [
    "genericObject",
    { passConstraints: { nfcConstraint: ["BLOCK_PAYMENT"], screenshotEligibility: "INELIGIBLE" } },
  ],
  ["genericClass", { ...row({ twoItems: { startItem: {}, endItem: {} } }) }],
  ["genericClass", field("object.textModulesData['points']")],
  ["genericClass", field("class.linksModuleData")],
  ["genericClass", { callbackOptions: { url: "https://example.com/google/callback" } }],
  ["genericClass", { callbackOptions: { url: "http://127.0.0.1:8080/google/callback" } }],
  ["genericClass", { callbackOptions: { url: "http://localhost/google/callback" } }],
  [
    "genericClass",
    { multipleDevicesAndHoldersAllowedStatus: "ONE_USER_ALL_DEVICES", redemptionIssuers: ["1", 2] },
  ],
  ["genericClass", { merchantLocations: at(-90, 180) }],
  [
    "loyaltyObject",
    { loyaltyPoints: { label: "P", balance: { money: { currencyCode: "CHF", micros: "5000000" } } } },
  ],
  ["loyaltyObject", { loyaltyPoints: { balance: { int: "12" } } }],
  [
    "eventTicketClass",
    { venue: { name: text(), address: text() }, dateTime: { start: "2027-04-12T19:20:50.52-04:00" } },
  ],
  ["eventTicketObject", { seatInfo: { seat: text("5"), row: text("G") }, ticketHolderName: "Ada" }],
  ["flightObject", { boardingAndSeatingInfo: { boardingGroup: "B", seatNumber: "42" } }],
  [
    "transitObject",
    {
      ticketLeg: { originName: text("A"), destinationName: text("B"), departureDateTime: "2027-04-12T08:20" },
    },
  ],
  ["giftCardObject", { balance: { currencyCode: "CHF", micros: 20000000 }, pin: "1111" }],
];
for (const [type, more] of accepted) {
  t.test(`a ${type} may have ${JSON.stringify(more).slice(0, 90)}`, async (t) => {
    t.equal(refusalOf(type, more), "");
  });
}

const refused: [ResourceType, object, string][] = [
  ["genericObject", { foo: 1 }, 'Unknown name "foo": Cannot find field.'],
  ["genericObject", { notifyPreference: "NOTIFY_ON_UPDATE" }, 'Unknown name "notifyPreference"'],
  ["genericClass", { issuerName: "Example" }, 'Unknown name "issuerName"'],
  ["genericClass", { constructor: 1 }, 'Unknown name "constructor"'],
  [
    "genericObject",
    { barcode: { type: "QR_CODE", value: "1", colour: "red" } },
    `Unknown name "colour" at 'barcode'`,
  ],
  [
    "genericObject",
    { textModulesData: [{ id: "a", text: "x" }] },
    `Unknown name "text" at 'textModulesData[0]'`,
  ],
  ["genericObject", { textModulesData: { id: "a" } }, "Invalid value at 'textModulesData'"],
  ["genericObject", { textModulesData: [null] }, "Invalid value at 'textModulesData[0]'"],
  ["genericObject", { header: "Member" }, "Invalid value at 'header'"],
  [
    "genericObject",
    { smartTapRedemptionValue: 5 },
    "Invalid value at 'smartTapRedemptionValue' (TYPE_STRING), 5",
  ],
  ["genericClass", { enableSmartTap: "true" }, "Invalid value at 'enableSmartTap' (TYPE_BOOLEAN)"],
  ["genericClass", { redemptionIssuers: ["x"] }, "Invalid value at 'redemptionIssuers[0]' (TYPE_INT64)"],
  [
    "genericObject",
    { groupingInfo: { sortIndex: 1.5 } },
    "Invalid value at 'groupingInfo.sortIndex' (TYPE_INT32)",
  ],
  ["genericObject", { state: "VOIDED" }, "Invalid value at 'state'"],
  ["genericObject", { genericType: "genericOther" }, "Invalid value at 'genericType'"],
  ["genericObject", { barcode: { type: "QR", value: "1" } }, "Invalid value at 'barcode.type'"],
  ["genericObject", { barcode: { type: "QR_CODE" } }, "barcode.value must be set"],
  ["genericObject", { barcode: { value: "1" } }, "barcode.type must be set"],
  ["genericObject", { header: text("") }, "header must be set"],
  [
    "genericObject",
    { header: { translatedValues: [{ language: "de", value: "x" }] } },
    "header.defaultValue must be set",
  ],
  [
    "genericObject",
    { subheader: { defaultValue: { language: "english!", value: "x" } } },
    "subheader.defaultValue.language",
  ],
  [
    "genericObject",
    { subheader: { defaultValue: { language: "en" } } },
    "subheader.defaultValue.value must be set",
  ],
  ["genericObject", { hexBackgroundColor: "red" }, "hexBackgroundColor"],
  ["genericObject", { hexBackgroundColor: "#12345" }, "hexBackgroundColor"],
  ["genericObject", { hexBackgroundColor: "rgb(1,2,3)" }, "hexBackgroundColor"],
  ["genericObject", { logo: image("logo.png") }, "logo.sourceUri.uri is not an absolute URL"],
  ["genericObject", { logo: image("data:image/png;base64,AAAA") }, "logo.sourceUri.uri"],
  ["genericObject", { logo: image("ftp://example.com/a.png") }, "logo.sourceUri.uri"],
  ["genericObject", { logo: {} }, "logo must have exactly one of sourceUri, privateImageId"],
  ["genericObject", { logo: { privateImageId: "x" } }, "logo.privateImageId"],
  ["genericObject", { linksModuleData: { uris: [{ uri: "/menu" }] } }, "linksModuleData.uris[0].uri"],
  [
    "genericObject",
    { linksModuleData: { uris: times(11, { uri: "https://e.com" }) } },
    "linksModuleData.uris must have at most 10",
  ],
  [
    "genericObject",
    { textModulesData: times(11, { id: "a", body: "b" }) },
    "textModulesData must have at most 10 items",
  ],
  ["genericObject", { textModulesData: [{ id: "a b" }] }, "textModulesData[0].id"],
  [
    "genericObject",
    { imageModulesData: times(2, { mainImage: image() }) },
    "imageModulesData must have at most 1",
  ],
  ["genericObject", { messages: times(11, { header: "a", body: "b" }) }, "messages must have at most 10"],
  [
    "genericObject",
    { merchantLocations: times(11, { latitude: 1, longitude: 1 }) },
    "merchantLocations must have at most 10",
  ],
  ["genericObject", { merchantLocations: at(90.1, 0) }, "merchantLocations[0].latitude"],
  ["genericObject", { merchantLocations: at(0, -181) }, "merchantLocations[0].longitude"],
  ["genericObject", { validTimeInterval: { start: { date: "tomorrow" } } }, "validTimeInterval.start.date"],
  [
    "genericObject",
    { validTimeInterval: { start: { date: "2027-02-30T00:00:00Z" } } },
    "validTimeInterval.start.date",
  ],
  [
    "genericObject",
    { validTimeInterval: { start: { date: "2027-01-02T00:00Z" }, end: { date: "2027-01-01T00:00Z" } } },
    "ends before",
  ],
  [
    "genericObject",
    { validTimeInterval: { start: { date: "2027-01-02T00:00" }, end: { date: "2027-01-03T00:00Z" } } },
    "offset",
  ],
  ["genericObject", { appLinkData: { displayText: text("x".repeat(31)) } }, "appLinkData.displayText"],
  ["genericClass", { callbackOptions: { url: "http://example.com/" } }, "callbackOptions.url"],
  ["genericClass", { callbackOptions: { url: "http://127.0.0.1.example.com/" } }, "callbackOptions.url"],
  ["genericClass", { callbackOptions: { url: "ftp://127.0.0.1/" } }, "callbackOptions.url"],
  ["genericClass", row({}), "cardRowTemplateInfos[0] must have exactly one of oneItem"],
  ["genericClass", row({ oneItem: {}, twoItems: {} }), "cardRowTemplateInfos[0] must have exactly one of"],
  ["genericClass", field("object.points"), "fieldPath does not name a field"],
  ["genericClass", field("textModulesData['a']"), "fieldPath does not name a field"],
  ["loyaltyClass", { programName: "" }, "programName must be set"],
  ["loyaltyClass", { reviewStatus: "REVIEW_STATUS_UNSPECIFIED" }, "reviewStatus must be set"],
  ["loyaltyObject", { loyaltyPoints: { label: "P" } }, "loyaltyPoints.balance must be set"],
  [
    "loyaltyObject",
    { loyaltyPoints: { balance: { int: 1, string: "1" } } },
    "loyaltyPoints.balance must have exactly one",
  ],
  [
    "eventTicketClass",
    { gateLabel: "GATE", customGateLabel: text() },
    "may not have both gateLabel and customGateLabel",
  ],
  ["eventTicketClass", { eventId: "x".repeat(65) }, "eventId must have at most 64"],
  ["eventTicketClass", { dateTime: { start: "19:00" } }, "dateTime.start"],
  ["flightClass", { origin: { airportIataCode: "Zürich" } }, "origin.airportIataCode"],
  [
    "flightClass",
    { localScheduledDepartureDateTime: "2027-07-02T15:30:00Z" },
    "localScheduledDepartureDateTime",
  ],
  [
    "flightClass",
    { flightHeader: { carrier: { carrierIataCode: "LX" }, flightNumber: "LX123" } },
    "flightHeader.flightNumber",
  ],
  [
    "flightClass",
    { flightHeader: { carrier: { carrierIataCode: "LX", carrierIcaoCode: "SWR" }, flightNumber: "1" } },
    "exactly one of carrierIataCode",
  ],
  ["flightClass", { flightHeader: { flightNumber: "1" } }, "flightHeader.carrier must be set"],
  [
    "transitObject",
    { ticketLeg: { destinationName: text("B"), departureDateTime: "2027-04-12T08:20" } },
    "ticketLeg",
  ],
  ["transitObject", { ticketLegs: [{ originName: text("A") }] }, "departureDateTime"],
  ["giftCardObject", { balance: { currencyCode: "francs", micros: 1 } }, "balance.currencyCode"],
];
for (const [type, more, message] of refused) {
  t.test(`a ${type} may not have ${JSON.stringify(more).slice(0, 90)}`, async (t) => {
    t.match(refusalOf(type, more), message);
  });
}

t.test("every violation is named, with its field", async (t) => {
  try {
    readResource(reader, "genericObject", { foo: 1, header: 2, barcode: { x: 1 } });
    t.fail("accepted");
  } catch (error) {
    if (!(error instanceof Refused) || "reset" in error.answer) throw error;
    const { details } = JSON.parse(String(error.answer.body)).error;
    t.equal(details[0]["@type"], "type.googleapis.com/google.rpc.BadRequest");
    const fields = details[0].fieldViolations.map((violation: { field: string }) => violation.field);
    t.strictSame(fields, ["", "header", "barcode"]);
  }
});

t.test("a merge patch follows the examples of RFC 7396", async (t) => {
  const target = {
    title: "Goodbye!",
    author: { givenName: "John", familyName: "Doe" },
    tags: ["a", "b"],
    content: "x",
  };
  const patch = { title: "Hello!", phone: "+01", author: { familyName: null }, tags: ["a"] };
  t.strictSame(mergePatch(target, patch), {
    title: "Hello!",
    author: { givenName: "John" },
    tags: ["a"],
    content: "x",
    phone: "+01",
  });
  t.equal(target.author.familyName, "Doe", "the target stays as it was");
});
