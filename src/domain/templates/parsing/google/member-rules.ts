import { choice, filledText, formatted, list, number, type Shape } from "../shapes.ts";
import { anyUrl, currencyCode, type TextFormat } from "../text-formats.ts";
import { apiDate, hexColour, iataAirport, iataCarrier, localTime, moduleId, webUrl } from "./text-formats.ts";

/** What Google asks of a schema beyond the types of its members. */
export type SchemaRules = {
  required?: readonly string[];
  /** One of these at least. */
  oneOf?: readonly string[];
  /** Members that must be more than their type. */
  members?: Readonly<Record<string, Shape>>;
  /** The service writes such objects itself, and merges the template's into them: these need not be whole. */
  merged?: boolean;
};

const filled = (...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, filledText]));
const inFormat = (format: TextFormat, ...names: string[]): Record<string, Shape> =>
  Object.fromEntries(names.map((name) => [name, formatted(format)]));

const point: SchemaRules = {
  required: ["latitude", "longitude"],
  members: { latitude: number({ min: -90, max: 90 }), longitude: number({ min: -180, max: 180 }) },
};

/** How many entries of a list Google takes on one class or object. */
export const mostEntries: Readonly<Record<string, number>> = {
  textModulesData: 10,
  imageModulesData: 1,
  merchantLocations: 10,
  locations: 20,
  valueAddedModuleData: 15,
};

/** https://developers.google.com/wallet/reference/rest, what is said there in words. */
export const schemaRules: Readonly<Record<string, SchemaRules>> = {
  AirportInfo: { members: inFormat(iataAirport, "airportIataCode") },
  Barcode: { required: ["type", "value"], members: filled("value"), merged: true },
  CardRowOneItem: { required: ["item"] },
  CardRowThreeItems: { required: ["startItem", "middleItem", "endItem"] },
  CardRowTwoItems: { required: ["startItem", "endItem"] },
  DateTime: { required: ["date"], members: inFormat(apiDate, "date"), merged: true },
  EventDateTime: { members: inFormat(apiDate, "doorsOpen", "start", "end") },
  EventTicketObject: { members: filled("ticketHolderName") },
  EventVenue: { required: ["name", "address"] },
  FieldReference: { required: ["fieldPath"], members: filled("fieldPath") },
  FlightCarrier: { members: inFormat(iataCarrier, "carrierIataCode") },
  FlightClass: {
    members: {
      ...filled("issuerName"),
      ...inFormat(
        localTime,
        "localBoardingDateTime",
        "localEstimatedOrActualArrivalDateTime",
        "localEstimatedOrActualDepartureDateTime",
        "localGateClosingDateTime",
        "localScheduledArrivalDateTime",
        "localScheduledDepartureDateTime",
      ),
    },
  },
  FlightObject: { members: filled("passengerName") },
  GiftCardClass: { members: filled("issuerName", "merchantName") },
  GiftCardObject: { members: filled("cardNumber") },
  Image: { oneOf: ["sourceUri", "privateImageId"], merged: true },
  ImageModuleData: { required: ["mainImage"] },
  ImageUri: { required: ["uri"], members: inFormat(webUrl, "uri"), merged: true },
  LatLongPoint: point,
  LocalizedString: { required: ["defaultValue"], merged: true },
  LoyaltyClass: { members: filled("issuerName", "programName") },
  LoyaltyPoints: { required: ["balance"] },
  LoyaltyPointsBalance: { oneOf: ["string", "int", "double", "money"], members: filled("string") },
  MerchantLocation: point,
  Money: { required: ["currencyCode", "micros"], members: inFormat(currencyCode, "currencyCode") },
  OfferClass: { members: filled("issuerName", "provider", "title") },
  EventTicketClass: { members: filled("issuerName") },
  PurchaseDetails: { members: inFormat(apiDate, "purchaseDateTime") },
  ReservationInfo: { members: filled("confirmationCode") },
  RotatingBarcode: { required: ["type", "valuePattern"], members: filled("valuePattern") },
  RotatingBarcodeValues: { members: inFormat(apiDate, "startDateTime") },
  TextModuleData: {
    oneOf: ["body", "localizedBody", "header", "localizedHeader"],
    members: { ...inFormat(moduleId, "id"), ...filled("body", "header") },
  },
  TicketLeg: {
    oneOf: ["originStationCode", "originName"],
    members: inFormat(apiDate, "arrivalDateTime", "departureDateTime"),
  },
  TimeInterval: { oneOf: ["start", "end"], merged: true },
  TransitClass: { members: filled("issuerName") },
  TranslatedString: { required: ["language", "value"], members: filled("language", "value"), merged: true },
  Uri: { required: ["uri"], members: inFormat(anyUrl, "uri") },
  ValueAddedModuleData: { required: ["header", "uri"], members: inFormat(webUrl, "uri") },
};

/** Members that mean the same wherever they stand. */
export const everywhere: Readonly<Record<string, Shape>> = { hexBackgroundColor: formatted(hexColour) };

/** A list as Google takes it, of this name. */
export const listOf = (of: Shape, name: string): Shape => {
  const most = mostEntries[name];
  return most === undefined ? list(of) : list(of, { most });
};

/** An enumeration as it is described: current values, and behind a bar the old spellings. */
export function enumeration(description: string): Shape {
  const [current = "", old = ""] = description.split("|").map((words) => words.trim());
  return choice(current.split(" "), { also: old === "" ? [] : old.split(" ") });
}
