import {
  choice,
  formatted,
  list,
  membersOf,
  number,
  type ObjectShape,
  object,
  text,
  truth,
} from "../shapes.ts";
import { currencyCode, passColour, passDate, timeZone } from "../text-formats.ts";

/** https://developer.apple.com/documentation/walletpasses/semantictagtype */
const location = object({
  latitude: { shape: number({ min: -90, max: 90 }), required: true },
  longitude: { shape: number({ min: -180, max: 180 }), required: true },
  altitude: { shape: number() },
});

const currencyAmount = object({
  amount: { shape: text },
  currencyCode: { shape: formatted(currencyCode) },
});

const personName = object(
  membersOf(text, [
    "familyName",
    "givenName",
    "middleName",
    "namePrefix",
    "nameSuffix",
    "nickname",
    "phoneticRepresentation",
  ]),
);

const seat = object({
  ...membersOf(text, [
    "seatDescription",
    "seatIdentifier",
    "seatNumber",
    "seatRow",
    "seatSection",
    "seatType",
  ]),
  ...membersOf(text, ["seatAisle", "seatLevel"]),
  seatSectionColor: { shape: formatted(passColour) },
});

const eventDateInfo = object({
  date: { shape: formatted(passDate) },
  timeZone: { shape: formatted(timeZone) },
  ...membersOf(truth, ["ignoreTimeComponents", "unannounced", "undetermined"]),
});

const wifiNetwork = object({
  ssid: { shape: text, required: true },
  password: { shape: text, required: true },
});

const eventTypes = [
  "PKEventTypeGeneric",
  "PKEventTypeLivePerformance",
  "PKEventTypeMovie",
  "PKEventTypeSports",
  "PKEventTypeConference",
  "PKEventTypeConvention",
  "PKEventTypeWorkshop",
  "PKEventTypeSocialGathering",
] as const;

const securityPrograms = list(
  choice(
    [
      "PKTransitSecurityProgramTSAPreCheck",
      "PKTransitSecurityProgramTSAPreCheckTouchlessID",
      "PKTransitSecurityProgramOSS",
      "PKTransitSecurityProgramITI",
      "PKTransitSecurityProgramITD",
      "PKTransitSecurityProgramGlobalEntry",
      "PKTransitSecurityProgramCLEAR",
    ],
    { open: true },
  ),
);

const passengerCapabilities = list(
  choice(
    [
      "PKPassengerCapabilityPreboarding",
      "PKPassengerCapabilityPriorityBoarding",
      "PKPassengerCapabilityCarryon",
      "PKPassengerCapabilityPersonalItem",
    ],
    { open: true },
  ),
);

// biome-ignore format: read as a table
const texts = [
  "additionalTicketAttributes", "admissionLevel", "admissionLevelAbbreviation", "airlineCode", "airlineLoungePlaceID",
  "attendeeName", "awayTeamAbbreviation", "awayTeamLocation", "awayTeamName", "boardingGroup", "boardingSequenceNumber",
  "boardingZone", "carNumber", "confirmationNumber", "departureAirportCode", "departureAirportName", "departureCityName",
  "departureGate", "departureLocationDescription", "departurePlatform", "departureStationName", "departureTerminal",
  "destinationAirportCode", "destinationAirportName", "destinationCityName", "destinationGate",
  "destinationLocationDescription", "destinationPlatform", "destinationStationName", "destinationTerminal",
  "entranceDescription", "eventLiveMessage", "eventName", "flightCode", "genre", "homeTeamAbbreviation", "homeTeamLocation",
  "homeTeamName", "internationalDocumentsVerifiedDeclarationName", "leagueAbbreviation", "leagueName",
  "membershipProgramName", "membershipProgramNumber", "membershipProgramStatus", "priorityStatus", "securityScreening",
  "sportName", "ticketFareClass", "transitProvider", "transitStatus", "transitStatusReason", "vehicleName",
  "vehicleNumber", "vehicleType", "venueEntrance", "venueEntranceDoor", "venueEntranceGate", "venueEntrancePortal",
  "venueName", "venuePhoneNumber", "venuePlaceID", "venueRegionName", "venueRoom",
];

// biome-ignore format: read as a table
const dates = [
  "currentArrivalDate", "currentBoardingDate", "currentDepartureDate", "eventEndDate", "eventStartDate",
  "originalArrivalDate", "originalBoardingDate", "originalDepartureDate", "venueBoxOfficeOpenDate", "venueCloseDate",
  "venueDoorsOpenDate", "venueFanZoneOpenDate", "venueGatesOpenDate", "venueOpenDate", "venueParkingLotsOpenDate",
];

const timeZones = [
  "departureAirportTimeZone",
  "departureLocationTimeZone",
  "destinationAirportTimeZone",
  "destinationLocationTimeZone",
];

const listsOfTexts = [
  "albumIDs",
  "artistIDs",
  "loungePlaceIDs",
  "passengerAirlineSSRs",
  "passengerInformationSSRs",
  "passengerServiceSSRs",
  "performerNames",
  "playlistIDs",
];

/** The tags that Wallet knows, on a pass and on a field: https://developer.apple.com/documentation/walletpasses/semantictags */
export const semantics: ObjectShape = object({
  ...membersOf(text, texts),
  ...membersOf(formatted(passDate), dates),
  ...membersOf(formatted(timeZone), timeZones),
  ...membersOf(list(text), listsOfTexts),
  ...membersOf(location, ["departureLocation", "destinationLocation", "venueLocation"]),
  ...membersOf(currencyAmount, ["balance", "totalPrice"]),
  ...membersOf(truth, ["internationalDocumentsAreVerified", "silenceRequested", "tailgatingAllowed"]),
  ...membersOf(securityPrograms, [
    "departureAirportSecurityPrograms",
    "departureLocationSecurityPrograms",
    "destinationAirportSecurityPrograms",
    "destinationLocationSecurityPrograms",
    "passengerEligibleSecurityPrograms",
  ]),
  airplay: { shape: list(object({ airPlayDeviceGroupToken: { shape: text } })) },
  duration: { shape: number({ min: 0 }) },
  eventStartDateInfo: { shape: eventDateInfo },
  eventType: { shape: choice(eventTypes, { open: true }) },
  flightNumber: { shape: number({ min: 0, whole: true }) },
  passengerCapabilities: { shape: passengerCapabilities },
  passengerName: { shape: personName },
  seats: { shape: list(seat) },
  wifiAccess: { shape: list(wifiNetwork) },
});
