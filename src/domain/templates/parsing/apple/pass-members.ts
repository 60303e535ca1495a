import type { TemplateType } from "../../template.ts";
import {
  anything,
  choice,
  filledText,
  formatted,
  list,
  membersOf,
  merged,
  number,
  type ObjectShape,
  object,
  text,
  truth,
} from "../shapes.ts";
import { anyUrl, base64, mailAddress, passColour, passDate, secureUrl, uuid } from "../text-formats.ts";
import { styleMembers } from "./field-members.ts";
import { semantics } from "./semantics.ts";
import { styleNames } from "./styles.ts";
import { eventUrls, storeIdentifiers, upcomingPass } from "./upcoming-passes.ts";

/** The formats that every iPhone draws, and those of iOS 27. */
export const everyBarcode = [
  "PKBarcodeFormatQR",
  "PKBarcodeFormatPDF417",
  "PKBarcodeFormatAztec",
  "PKBarcodeFormatCode128",
] as const;
export const lineBarcodes = [
  "PKBarcodeFormatCode39",
  "PKBarcodeFormatCodabar",
  "PKBarcodeFormatEAN13",
  "PKBarcodeFormatI2of5",
] as const;

const barcode = object({
  format: { shape: choice([...everyBarcode, ...lineBarcodes]), required: true },
  message: { shape: filledText, required: true },
  messageEncoding: { shape: filledText },
  altText: { shape: text },
});

const location = object({
  latitude: { shape: number({ min: -90, max: 90 }), required: true },
  longitude: { shape: number({ min: -180, max: 180 }), required: true },
  altitude: { shape: number() },
  relevantText: { shape: text },
});

const beacon = object({
  proximityUUID: { shape: formatted(uuid), required: true },
  ...membersOf(number({ min: 0, max: 65535, whole: true }), ["major", "minor"]),
  relevantText: { shape: text },
});

/** `date` was called `relevantDate` by iOS 18. */
const relevantDate = object(
  membersOf(formatted(passDate), ["date", "startDate", "endDate", "relevantDate"]),
  ["date", "startDate", "relevantDate"],
);

const nfc = object({
  message: { shape: { is: "text", filled: true, maxBytes: 64 }, required: true },
  encryptionPublicKey: { shape: formatted(base64), required: true },
  requiresAuthentication: { shape: truth },
});

const action = object({
  identifier: { shape: filledText, required: true },
  type: { shape: filledText, required: true },
  url: { shape: text },
});

const tickets: readonly TemplateType[] = ["EventTicket"];
const poster = { feature: "posterEventTicket", types: tickets } as const;
const boarding = { feature: "semanticBoardingPass", types: ["BoardingPass"] } as const;

// biome-ignore format: read as a table
const boardingUrls = [
  "changeSeatURL", "entertainmentURL", "managementURL", "purchaseAdditionalBaggageURL", "purchaseLoungeAccessURL",
  "purchaseWifiURL", "registerServiceAnimalURL", "reportLostBagURL", "requestWheelchairURL", "transitProviderWebsiteURL",
  "upgradeURL",
];

/**
 * pass.json but for what the service writes itself: https://developer.apple.com/documentation/walletpasses/pass, and
 * Apple's own builder, github.com/apple/pass-builder, Pass.swift.
 */
export const passMembers: ObjectShape = merged({
  ...styleMembers(styleNames),
  organizationName: { shape: filledText },
  description: { shape: filledText },
  ...membersOf(text, ["logoText", "logoSymbolName"]),
  ...membersOf(formatted(passColour), ["backgroundColor", "foregroundColor", "labelColor", "stripColor"]),
  suppressStripShine: { shape: truth },
  sharingProhibited: { shape: truth },
  barcodes: { shape: list(barcode) },
  barcode: { shape: barcode },
  expirationDate: { shape: formatted(passDate) },
  voided: { shape: truth },
  relevantDates: { shape: list(relevantDate), feature: "relevantDates" },
  relevantDate: { shape: formatted(passDate) },
  locations: { shape: list(location, { most: 10 }) },
  beacons: { shape: list(beacon, { most: 10 }) },
  maxDistance: { shape: number({ min: 0 }) },
  groupingIdentifier: { shape: filledText, types: ["BoardingPass", "EventTicket"], refusedElsewhere: true },
  nfc: { shape: nfc },
  semantics: { shape: semantics },
  associatedStoreIdentifiers: { shape: storeIdentifiers },
  appLaunchURL: { shape: formatted(anyUrl), needs: "associatedStoreIdentifiers" },
  userInfo: { shape: anything },
  preferredStyleSchemes: { shape: list(filledText), types: ["EventTicket", "BoardingPass"] },
  featuredActions: { shape: list(action), feature: "featuredActions" },
  upcomingPassInformation: { shape: list(upcomingPass), feature: "upcomingPasses", types: tickets },
  ...membersOf(formatted(secureUrl), eventUrls, poster),
  orderFoodURL: { shape: formatted(secureUrl), types: ["EventTicket", "BoardingPass"] },
  contactVenueEmail: { shape: formatted(mailAddress), ...poster },
  contactVenuePhoneNumber: { shape: text, ...poster },
  auxiliaryStoreIdentifiers: { shape: storeIdentifiers, ...poster },
  eventLogoText: { shape: text, feature: "eventLogoText", types: tickets },
  footerBackgroundColor: { shape: formatted(passColour), ...poster },
  suppressHeaderDarkening: { shape: truth, ...poster },
  useAutomaticColors: { shape: truth, ...poster },
  ...membersOf(formatted(secureUrl), boardingUrls, boarding),
  transitProviderEmail: { shape: formatted(mailAddress), ...boarding },
  transitProviderPhoneNumber: { shape: text, ...boarding },
});
