import { choice, filledText, formatted, list, membersOf, number, object, text, truth } from "../shapes.ts";
import { mailAddress, passDate, secureUrl, sha256, timeZone } from "../text-formats.ts";
import { field } from "./field-members.ts";
import { semantics } from "./semantics.ts";

const image = object({
  URLs: {
    shape: list(
      object({
        SHA256: { shape: formatted(sha256), required: true },
        URL: { shape: formatted(secureUrl), required: true },
        scale: { shape: number({ min: 1, max: 3 }) },
        size: { shape: number({ min: 0, max: 2 * 1024 * 1024, whole: true }) },
      }),
    ),
  },
  reuseExisting: { shape: truth },
});

const dateInformation = object({
  date: { shape: formatted(passDate) },
  timeZone: { shape: formatted(timeZone) },
  ...membersOf(truth, ["ignoreTimeComponents", "isAllDay", "isUnannounced", "isUndetermined"]),
});

/** Of the pages about an event, but for `orderFoodURL`, which a boarding pass may have, too. */
// biome-ignore format: read as a table
export const eventUrls = [
  "accessibilityURL", "addOnURL", "bagPolicyURL", "contactVenueWebsite", "directionsInformationURL", "merchandiseURL",
  "parkingInformationURL", "purchaseParkingURL", "sellURL", "transferURL", "transitInformationURL",
];

export const storeIdentifiers = list(number({ min: 1, whole: true }));

const urls = object({
  ...membersOf(formatted(secureUrl), [...eventUrls, "orderFoodURL"]),
  contactVenueEmail: { shape: formatted(mailAddress) },
  contactVenuePhoneNumber: { shape: text },
});

/** https://developer.apple.com/documentation/walletpasses/upcomingpassinformationentry */
export const upcomingPass = object({
  type: { shape: choice(["event"], { open: true }), required: true },
  identifier: { shape: filledText, required: true },
  name: { shape: filledText, required: true },
  isActive: { shape: truth },
  dateInformation: { shape: dateInformation },
  images: { shape: object(membersOf(image, ["headerImage", "venueMap"])) },
  URLs: { shape: urls },
  semantics: { shape: semantics },
  ...membersOf(list(field), ["additionalInfoFields", "backFields"]),
  auxiliaryStoreIdentifiers: { shape: storeIdentifiers },
});
