/** What a person would see of a pass, whichever of the seven types it is of. */
import { isLoopbackUrl } from "../loopback.ts";
import { isObject, type Json, type JsonObject } from "./proto-json.ts";
import type { StoredResource } from "./wallet-store.ts";

export type Picture = { url: string; description: string };

export type Face = {
  id: string;
  issuer: string;
  title: string;
  subtitle: string;
  /** ACTIVE, COMPLETED, EXPIRED or INACTIVE. */
  state: string;
  /** `#rrggbb`, or null for Google's own choice. */
  colour: string | null;
  logo: Picture | null;
  pictures: Picture[];
  facts: { label: string; value: string }[];
  messages: { header: string; body: string }[];
  /** Such as `QR_CODE: 4711`. */
  barcode: string | null;
  isSaved: boolean;
};

/** Labels, and the paths from which the first that has a text is shown. */
const factsOf: [label: string, ...paths: string[]][] = [
  ["Member", "object.accountName"],
  ["Account", "object.accountId"],
  ["Points", "object.loyaltyPoints.balance"],
  ["Offered by", "class.provider"],
  ["Name", "object.ticketHolderName", "object.passengerName", "object.passengerNames"],
  ["Ticket", "object.ticketNumber"],
  [
    "Seat",
    "object.seatInfo.seat",
    "object.ticketLeg.ticketSeat.seat",
    "object.boardingAndSeatingInfo.seatNumber",
  ],
  ["Row", "object.seatInfo.row"],
  ["Section", "object.seatInfo.section"],
  ["Confirmation", "object.reservationInfo.confirmationCode"],
  ["From", "class.origin.airportIataCode", "object.ticketLeg.originName"],
  ["To", "class.destination.airportIataCode", "object.ticketLeg.destinationName"],
  ["Card", "object.cardNumber"],
  ["Balance", "object.balance"],
  ["Valid until", "object.validTimeInterval.end.date"],
];

const titles = ["object.header", "class.programName", "class.eventName", "class.title", "class.merchantName"];
const moreTitles = [
  "class.transitOperatorName",
  "class.flightHeader.carrier.airlineName",
  "class.flightHeader",
];
const logos = ["object.logo", "class.programLogo", "class.titleImage", "class.logo"];
const airlineLogo = "class.flightHeader.carrier.airlineLogo";

/** `ofClass` is the class of the object, as it is stored. */
export function faceOf({ resource, hasUsers = false }: StoredResource, ofClass: JsonObject): Face {
  const root: JsonObject = { object: resource, class: ofClass };
  const first = (...paths: string[]) =>
    paths.map((path) => textOf(at(root, path))).find((text) => text !== "") ?? "";
  const both = (member: string) => [...list(resource[member]), ...list(ofClass[member])];
  const colour = first("object.hexBackgroundColor", "class.hexBackgroundColor");
  const facts = factsOf.map(([label, ...paths]) => ({ label, value: first(...paths) }));
  const modules = both("textModulesData").map((module) => ({
    label: textOf(module.localizedHeader) || textOf(module.header),
    value: textOf(module.localizedBody) || textOf(module.body),
  }));
  return {
    id: String(resource.id),
    issuer: first("object.cardTitle", "class.localizedIssuerName", "class.issuerName"),
    title: first(...titles, ...moreTitles) || String(resource.id),
    subtitle: first("object.subheader", "object.ticketType"),
    state: String(resource.state ?? "ACTIVE"),
    colour: /^#[0-9a-f]{6}$/i.test(colour) ? colour : null,
    logo:
      [...logos, airlineLogo].map((path) => pictureOf(at(root, path))).find((found) => found !== null) ??
      null,
    pictures: [
      at(root, "object.heroImage") ?? at(root, "class.heroImage"),
      ...both("imageModulesData").map(({ mainImage }) => mainImage),
    ].flatMap((image) => pictureOf(image) ?? []),
    facts: [...facts, ...modules].filter(({ value }) => value !== ""),
    messages: both("messages").map((message) => ({
      header: textOf(message.localizedHeader) || textOf(message.header),
      body: textOf(message.localizedBody) || textOf(message.body),
    })),
    barcode: barcodeOf(resource.barcode),
    isSaved: hasUsers,
  };
}

function at(root: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = root;
  for (const name of path.split(".")) value = isObject(value) ? (value[name] as Json | undefined) : undefined;
  return value;
}

const list = (value: Json | undefined): JsonObject[] =>
  Array.isArray(value)
    ? value.filter((item) => isObject(item) as boolean).map((item) => item as JsonObject)
    : [];

/** The default language of a text, a number, an amount, or a flight's number; else nothing. */
function textOf(value: Json | undefined): string {
  if (typeof value === "string" || typeof value === "number") return String(value);
  if (!isObject(value)) return "";
  const { defaultValue, micros, currencyCode, flightNumber } = value as JsonObject;
  if (isObject(defaultValue)) return textOf(defaultValue.value as Json | undefined);
  if (micros !== undefined) return `${(Number(micros) / 1e6).toFixed(2)} ${textOf(currencyCode)}`.trim();
  if (flightNumber !== undefined) return textOf(flightNumber);
  const [balance] = ["string", "int", "double", "money"]
    .map((name) => value[name])
    .filter((one) => one !== undefined);
  return textOf(balance as Json | undefined);
}

function pictureOf(image: Json | undefined): Picture | null {
  if (!isObject(image) || !isObject(image.sourceUri)) return null;
  const url = String(image.sourceUri.uri ?? "");
  const description = textOf(image.contentDescription as Json | undefined);
  // Google fetches pictures itself; a page that did would tell strangers who looks at it.
  return isLoopbackUrl(url) ? { url, description } : null;
}

function barcodeOf(barcode: Json | undefined): string | null {
  if (!isObject(barcode)) return null;
  return `${barcode.type}: ${barcode.alternateText ?? barcode.value}`;
}
