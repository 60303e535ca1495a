/** What the Wallet API asks of a message beyond its types, by message. From the discovery document's descriptions. */
import { isLoopbackUrl } from "../loopback.ts";
import { isUnset } from "./enums.ts";
import { isObject, type Json, type JsonObject } from "./proto-json.ts";

/** Complaints, each the end of a sentence that begins with the path of the message. */
type Rule = (message: JsonObject) => (string | false)[];

const localized: Rule = ({ defaultValue }) => [defaultValue === undefined && ".defaultValue must be set"];

const uri =
  (schemes: RegExp | undefined): Rule =>
  ({ uri: value }) => [
    !isUri(value, schemes) && `.uri is not an absolute URL: ${JSON.stringify(value ?? null)}`,
  ];

const point: Rule = ({ latitude, longitude }) => [
  !within(latitude, 90) && ".latitude must be between -90.0 and 90.0",
  !within(longitude, 180) && ".longitude must be between -180.0 and 180.0",
];

const airport: Rule = ({ airportIataCode }) => [
  !matches(/^[A-Z]{3}$/, airportIataCode) && ".airportIataCode must have three letters",
];

const carrier: Rule = (message) => [
  exactlyOne(message, ["carrierIataCode", "carrierIcaoCode"]),
  message.carrierIataCode !== undefined &&
    !matches(/^[A-Z0-9]{2}$/, message.carrierIataCode) &&
    ".carrierIataCode must have two characters",
  message.carrierIcaoCode !== undefined &&
    !matches(/^[A-Z]{3}$/, message.carrierIcaoCode) &&
    ".carrierIcaoCode must have three letters",
];

const isoDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d(:\d\d)?)?$/;
const localDateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?$/;

const dates =
  (pattern: RegExp, ...names: string[]): Rule =>
  (message) =>
    names.map((name) => {
      const value = message[name];
      return (
        value !== undefined &&
        !isDate(pattern, value) &&
        `.${name} is not a date/time: ${JSON.stringify(value)}`
      );
    });

export const messageRules: Record<string, Rule> = {
  AirportInfo: airport,
  AppLinkData: ({ displayText }) => [
    longestText(displayText) > 30 && ".displayText must have at most 30 characters",
  ],
  Barcode: ({ type, value }) => [
    (type === undefined || isUnset(type)) && ".type must be set",
    !isText(value) && ".value must be set",
  ],
  CallbackOptions: ({ url }) => [
    // Google takes https only; here the receiver may be a service on this machine.
    url !== undefined &&
      !isUri(url, /^https:$/) &&
      !isLoopbackUrl(String(url)) &&
      ".url must be an absolute https URL",
  ],
  CardRowTemplateInfo: (message) => [exactlyOne(message, ["oneItem", "twoItems", "threeItems"])],
  CardTemplateOverride: ({ cardRowTemplateInfos }) => [
    atMost(3, ".cardRowTemplateInfos", cardRowTemplateInfos),
  ],
  DateTime: dates(isoDateTime, "date"),
  EventDateTime: (message) => [
    ...dates(isoDateTime, "doorsOpen", "start", "end")(message),
    notBoth(message, "doorsOpenLabel", "customDoorsOpenLabel"),
  ],
  FlightCarrier: carrier,
  FlightHeader: ({ carrier: given, flightNumber }) => [
    given === undefined && ".carrier must be set",
    !matches(/^\d+$/, flightNumber) && ".flightNumber must be digits",
  ],
  FrequentFlyerInfo: ({ frequentFlyerNumber }) => [
    !isText(frequentFlyerNumber) && ".frequentFlyerNumber must be set",
  ],
  Image: (message) => [
    exactlyOne(message, ["sourceUri", "privateImageId"]),
    message.privateImageId !== undefined && ".privateImageId is not the id of an uploaded image",
  ],
  ImageModuleData: ({ mainImage }) => [mainImage === undefined && ".mainImage must be set"],
  ImageUri: uri(/^https?:$/),
  LatLongPoint: point,
  LinksModuleData: ({ uris }) => [atMost(10, ".uris", uris)],
  LocalizedString: localized,
  LoyaltyPoints: ({ balance }) => [balance === undefined && ".balance must be set"],
  LoyaltyPointsBalance: (message) => [exactlyOne(message, ["string", "int", "double", "money"])],
  MerchantLocation: point,
  Message: ({ header, localizedHeader, body, localizedBody }) => [
    !isText(header) && localizedHeader === undefined && ".header must be set",
    !isText(body) && localizedBody === undefined && ".body must be set",
  ],
  Money: ({ currencyCode, micros }) => [
    !matches(/^[A-Z]{3}$/, currencyCode) && ".currencyCode must be an ISO 4217 code",
    micros === undefined && ".micros must be set",
  ],
  PurchaseDetails: dates(isoDateTime, "purchaseDateTime"),
  RotatingBarcode: ({ type, valuePattern }) => [
    (type === undefined || isUnset(type)) && ".type must be set",
    !isText(valuePattern) && ".valuePattern must be set",
  ],
  TextModuleData: ({ id }) => [
    id !== undefined && !matches(/^[A-Za-z0-9_-]+$/, id) && ".id may have only letters, digits, «_» and «-»",
  ],
  TicketLeg: (message) => [
    ...dates(isoDateTime, "arrivalDateTime", "departureDateTime")(message),
    notBoth(message, "ticketSeat", "ticketSeats"),
    message.originStationCode === undefined &&
      message.originName === undefined &&
      " must have originStationCode or originName",
    message.destinationName !== undefined && message.originName === undefined && ".originName must be set",
    message.destinationStationCode !== undefined &&
      message.originStationCode === undefined &&
      ".originStationCode must be set",
  ],
  TicketSeat: (message) => [notBoth(message, "fareClass", "customFareClass")],
  TimeInterval: ({ start, end }) => intervalFaults(dateOf(start), dateOf(end)),
  TranslatedString: ({ language, value }) => [
    !matches(/^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$/, language) && ".language must be a BCP 47 tag",
    value === undefined && ".value must be set",
  ],
  Uri: uri(undefined),
  ValueAddedModuleData: ({ header, uri: target }) => [
    header === undefined && ".header must be set",
    !isUri(target, /^https?:$/) && ".uri is not an absolute URL",
  ],
  eventTicketClass: (message) => [
    ...["confirmationCode", "gate", "row", "seat", "section"].map((name) =>
      notBoth(message, `${name}Label`, `custom${name[0]?.toUpperCase()}${name.slice(1)}Label`),
    ),
    isText(message.eventId) && [...message.eventId].length > 64 && ".eventId must have at most 64 characters",
  ],
  flightClass: dates(
    localDateTime,
    "localScheduledDepartureDateTime",
    "localEstimatedOrActualDepartureDateTime",
    "localBoardingDateTime",
    "localScheduledArrivalDateTime",
    "localEstimatedOrActualArrivalDateTime",
    "localGateClosingDateTime",
  ),
  transitObject: (message) => [
    notBoth(message, "concessionCategory", "customConcessionCategory"),
    notBoth(message, "ticketStatus", "customTicketStatus"),
    notBoth(message, "ticketLeg", "ticketLegs"),
    message.validTimeInterval === undefined &&
      [message.ticketLeg, ...list(message.ticketLegs)].some(
        (leg) => isObject(leg) && leg.departureDateTime === undefined,
      ) &&
      " must have a departureDateTime in each leg, or a validTimeInterval",
  ],
};

export function atMost(limit: number, name: string, value: Json | undefined): string | false {
  return Array.isArray(value) && value.length > limit && `${name} must have at most ${limit} items`;
}

export const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== "";

function exactlyOne(message: JsonObject, names: string[]): string | false {
  const given = names.filter((name) => message[name] !== undefined).length;
  return given !== 1 && ` must have exactly one of ${names.join(", ")}`;
}

function notBoth(message: JsonObject, one: string, other: string): string | false {
  return (
    message[one] !== undefined && message[other] !== undefined && ` may not have both ${one} and ${other}`
  );
}

function matches(pattern: RegExp, value: Json | undefined): boolean {
  return typeof value === "string" && pattern.test(value);
}

function within(value: Json | undefined, bound: number): boolean {
  return typeof value === "number" && Math.abs(value) <= bound;
}

function isUri(value: Json | undefined, schemes: RegExp | undefined): boolean {
  if (typeof value !== "string" || !URL.canParse(value)) return false;
  return schemes === undefined || schemes.test(new URL(value).protocol);
}

function isDate(pattern: RegExp, value: Json): boolean {
  // The calendar is checked on the local part: 2026-02-30 has the right form only.
  const local = typeof value === "string" ? value.slice(0, 16) : "";
  if (!matches(pattern, value) || Number.isNaN(Date.parse(`${local}Z`))) return false;
  return new Date(`${local}Z`).toISOString().startsWith(local);
}

const dateOf = (value: Json | undefined): string | undefined =>
  isObject(value) && typeof value.date === "string" ? value.date : undefined;

function intervalFaults(start: string | undefined, end: string | undefined): (string | false)[] {
  if (start === undefined || end === undefined) return [];
  const offset = /(Z|[+-]\d\d:\d\d(:\d\d)?)$/;
  if (offset.test(start) !== offset.test(end))
    return [" must give an offset in both start and end, or in neither"];
  return [Date.parse(end) < Date.parse(start) && " ends before it starts"];
}

const list = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);

/** Length of the longest translation, in code points. */
function longestText(value: Json | undefined): number {
  if (!isObject(value)) return 0;
  const texts = [
    value.defaultValue,
    ...(Array.isArray(value.translatedValues) ? value.translatedValues : []),
  ];
  return Math.max(0, ...texts.map((text) => (isObject(text) ? [...String(text.value ?? "")].length : 0)));
}
