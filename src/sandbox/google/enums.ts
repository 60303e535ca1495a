/**
 * The enumerations of the Wallet API, from its discovery document (walletobjects v1, revision 20260806).
 * The first word of each is the value that means «not set». «legacy» ones also take the old camelCase
 * spelling of each value, which the API still reads and writes back in capitals.
 */
const legacy: Record<string, string> = {
  Holders: "STATUS_UNSPECIFIED MULTIPLE_HOLDERS ONE_USER_ALL_DEVICES ONE_USER_ONE_DEVICE",
  DateFormat:
    "DATE_FORMAT_UNSPECIFIED DATE_TIME DATE_ONLY TIME_ONLY DATE_TIME_YEAR DATE_YEAR YEAR_MONTH YEAR_MONTH_DAY",
  PredefinedItem:
    "PREDEFINED_ITEM_UNSPECIFIED FREQUENT_FLYER_PROGRAM_NAME_AND_NUMBER FLIGHT_NUMBER_AND_OPERATING_FLIGHT_NUMBER",
  TransitOption:
    "TRANSIT_OPTION_UNSPECIFIED ORIGIN_AND_DESTINATION_NAMES ORIGIN_AND_DESTINATION_CODES ORIGIN_NAME",
  Animation: "ANIMATION_UNSPECIFIED FOIL_SHIMMER",
  State: "STATE_UNSPECIFIED ACTIVE COMPLETED EXPIRED INACTIVE",
  BarcodeType:
    "BARCODE_TYPE_UNSPECIFIED AZTEC CODE_39 CODE_128 CODABAR DATA_MATRIX EAN_8 EAN_13 ITF_14 PDF_417 QR_CODE UPC_A TEXT_ONLY",
  ReviewStatus: "REVIEW_STATUS_UNSPECIFIED UNDER_REVIEW APPROVED REJECTED DRAFT",
  ProgramState: "STATE_UNSPECIFIED TRUSTED_TESTERS LIVE DISABLED",
  RedemptionChannel: "REDEMPTION_CHANNEL_UNSPECIFIED INSTORE ONLINE BOTH TEMPORARY_PRICE_REDUCTION",
  ConfirmationCodeLabel:
    "CONFIRMATION_CODE_LABEL_UNSPECIFIED CONFIRMATION_CODE CONFIRMATION_NUMBER ORDER_NUMBER RESERVATION_NUMBER",
  GateLabel: "GATE_LABEL_UNSPECIFIED GATE DOOR ENTRANCE",
  RowLabel: "ROW_LABEL_UNSPECIFIED ROW",
  SeatLabel: "SEAT_LABEL_UNSPECIFIED SEAT",
  SectionLabel: "SECTION_LABEL_UNSPECIFIED SECTION THEATER",
  DoorsOpenLabel: "DOORS_OPEN_LABEL_UNSPECIFIED DOORS_OPEN GATES_OPEN",
  FlightStatus: "FLIGHT_STATUS_UNSPECIFIED SCHEDULED ACTIVE LANDED CANCELLED REDIRECTED DIVERTED",
  BoardingPolicy: "BOARDING_POLICY_UNSPECIFIED ZONE_BASED GROUP_BASED BOARDING_POLICY_OTHER",
  SeatClassPolicy: "SEAT_CLASS_POLICY_UNSPECIFIED CABIN_BASED CLASS_BASED TIER_BASED SEAT_CLASS_POLICY_OTHER",
  BoardingDoor: "BOARDING_DOOR_UNSPECIFIED FRONT BACK",
  TransitType: "TRANSIT_TYPE_UNSPECIFIED BUS RAIL TRAM FERRY OTHER",
  ConcessionCategory: "CONCESSION_CATEGORY_UNSPECIFIED ADULT CHILD SENIOR",
  PassengerType: "PASSENGER_TYPE_UNSPECIFIED SINGLE_PASSENGER MULTIPLE_PASSENGERS",
  TicketStatus: "TICKET_STATUS_UNSPECIFIED USED REFUNDED EXCHANGED",
  TripType: "TRIP_TYPE_UNSPECIFIED ROUND_TRIP ONE_WAY",
  FareClass: "FARE_CLASS_UNSPECIFIED ECONOMY FIRST BUSINESS",
};

const modern: Record<string, string> = {
  ViewUnlock: "VIEW_UNLOCK_REQUIREMENT_UNSPECIFIED UNLOCK_NOT_REQUIRED UNLOCK_REQUIRED_TO_VIEW",
  MessageType: "MESSAGE_TYPE_UNSPECIFIED TEXT EXPIRATION_NOTIFICATION TEXT_AND_NOTIFY",
  GenericType:
    "GENERIC_TYPE_UNSPECIFIED GENERIC_SEASON_PASS GENERIC_UTILITY_BILLS GENERIC_PARKING_PASS GENERIC_VOUCHER " +
    "GENERIC_GYM_MEMBERSHIP GENERIC_LIBRARY_MEMBERSHIP GENERIC_RESERVATIONS GENERIC_AUTO_INSURANCE " +
    "GENERIC_HOME_INSURANCE GENERIC_ENTRY_TICKET GENERIC_RECEIPT GENERIC_LOYALTY_CARD GENERIC_BUSINESS_CARD " +
    "GENERIC_BARCODE_PASS GENERIC_MEMBERSHIP_CARD GENERIC_STUDENT_CARD GENERIC_TRANSIT_PASS " +
    "GENERIC_VEHICLE_REGISTRATION GENERIC_OTHER",
  RenderEncoding: "RENDER_ENCODING_UNSPECIFIED UTF_8",
  NfcConstraint: "NFC_CONSTRAINT_UNSPECIFIED BLOCK_PAYMENT BLOCK_CLOSED_LOOP_TRANSIT",
  Screenshot: "SCREENSHOT_ELIGIBILITY_UNSPECIFIED ELIGIBLE INELIGIBLE",
  TotpAlgorithm: "TOTP_ALGORITHM_UNSPECIFIED TOTP_SHA1",
  NotifyPreference: "NOTIFICATION_SETTINGS_FOR_UPDATES_UNSPECIFIED NOTIFY_ON_UPDATE",
  SharedData:
    "SHARED_DATA_TYPE_UNSPECIFIED FIRST_NAME LAST_NAME STREET_ADDRESS ADDRESS_LINE_1 ADDRESS_LINE_2 " +
    "ADDRESS_LINE_3 CITY STATE ZIPCODE COUNTRY EMAIL PHONE",
  ActivationState: "UNKNOWN_STATE NOT_ACTIVATED ACTIVATED",
};

/** Values that came after the old spellings had been given up. */
const withoutAlias = new Set(["YEAR_MONTH", "YEAR_MONTH_DAY"]);

/** Old spellings that do not follow the rule. */
const oddAliases: Record<string, Record<string, string>> = {
  BarcodeType: { EAN13: "EAN_13", PDF417: "PDF_417", qrcode: "QR_CODE" },
  MessageType: { text: "TEXT", expirationNotification: "EXPIRATION_NOTIFICATION" },
  ActivationState: { not_activated: "NOT_ACTIVATED", activated: "ACTIVATED" },
};

/** For each enumeration, every accepted spelling with the value that is stored. */
export function enumerations(): Map<string, Map<string, string>> {
  const all = new Map<string, Map<string, string>>();
  for (const [name, words] of Object.entries({ ...legacy, ...modern })) {
    const values = words.split(" ");
    const spellings = new Map(values.map((value) => [value, value]));
    const aliased = name in legacy ? values.slice(1).filter((value) => !withoutAlias.has(value)) : [];
    for (const value of aliased) spellings.set(camelCase(value), value);
    for (const [alias, value] of Object.entries(oddAliases[name] ?? {})) spellings.set(alias, value);
    all.set(name, spellings);
  }
  return all;
}

function camelCase(value: string): string {
  return value.toLowerCase().replace(/_([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
}

/** True for the values by which the API says that an enumeration was not set. */
export function isUnset(value: unknown): boolean {
  return typeof value === "string" && (value.endsWith("_UNSPECIFIED") || value === "UNKNOWN_STATE");
}
