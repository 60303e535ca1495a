/**
 * The seven class and seven object types of the Wallet API: their members, from the discovery document
 * (walletobjects v1, revision 20260806), and which of them its reference marks as required.
 */
export const verticals = [
  "generic",
  "loyalty",
  "offer",
  "eventTicket",
  "flight",
  "giftCard",
  "transit",
] as const;
export type Vertical = (typeof verticals)[number];
export type Side = "Class" | "Object";
/** As the path of the API says it: `genericClass`, `eventTicketObject`. */
export type ResourceType = `${Vertical}${Side}`;

export const resourceTypes: readonly ResourceType[] = verticals.flatMap(
  (vertical) => [`${vertical}Class`, `${vertical}Object`] as const,
);

const everyClass = `
    appLinkData:AppLinkData callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo
    enableSmartTap:boolean id imageModulesData:ImageModuleData[] linksModuleData:LinksModuleData
    merchantLocations:MerchantLocation[] messages:Message[]
    multipleDevicesAndHoldersAllowedStatus:enum.Holders redemptionIssuers:int64[]
    securityAnimation:SecurityAnimation textModulesData:TextModuleData[]
    valueAddedModuleData:ValueAddedModuleData[] viewUnlockRequirement:enum.ViewUnlock`;
const everyObject = `
    appLinkData:AppLinkData barcode:Barcode classId groupingInfo:GroupingInfo hasUsers:boolean
    heroImage:Image id imageModulesData:ImageModuleData[] linkedObjectIds:string[]
    linksModuleData:LinksModuleData merchantLocations:MerchantLocation[] messages:Message[]
    passConstraints:PassConstraints rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions
    smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[]
    validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[]`;
// What the six older types share and the generic one, which came later, does not have.
const olderClass = `${everyClass}
    allowMultipleUsersPerObject:boolean countryCode heroImage:Image hexBackgroundColor homepageUri:Uri
    infoModuleData:InfoModuleData issuerName localizedIssuerName:LocalizedString
    locations:LatLongPoint[] notifyPreference:enum.NotifyPreference review:Review
    reviewStatus:enum.ReviewStatus version:int64 wordMark:Image`;
const olderObject = `${everyObject}
    disableExpirationNotification:boolean hasLinkedDevice:boolean infoModuleData:InfoModuleData
    locations:LatLongPoint[] notifyPreference:enum.NotifyPreference version:int64`;

export const resourceShapes: Record<ResourceType, string> = {
  genericClass: everyClass,
  genericObject: `${everyObject}
    cardTitle:LocalizedString genericType:enum.GenericType header:LocalizedString hexBackgroundColor
    logo:Image notifications:Notifications subheader:LocalizedString wideLogo:Image`,
  loyaltyClass: `${olderClass}
    accountIdLabel accountNameLabel discoverableProgram:DiscoverableProgram kind
    localizedAccountIdLabel:LocalizedString localizedAccountNameLabel:LocalizedString
    localizedProgramName:LocalizedString localizedRewardsTier:LocalizedString
    localizedRewardsTierLabel:LocalizedString localizedSecondaryRewardsTier:LocalizedString
    localizedSecondaryRewardsTierLabel:LocalizedString programLogo:Image programName rewardsTier
    rewardsTierLabel secondaryRewardsTier secondaryRewardsTierLabel wideProgramLogo:Image`,
  loyaltyObject: `${olderObject}
    accountId accountName classReference:any kind linkedOfferIds:string[]
    loyaltyPoints:LoyaltyPoints secondaryLoyaltyPoints:LoyaltyPoints`,
  offerClass: `${olderClass}
    details finePrint helpUri:Uri kind localizedDetails:LocalizedString
    localizedFinePrint:LocalizedString localizedProvider:LocalizedString
    localizedShortTitle:LocalizedString localizedTitle:LocalizedString provider
    redemptionChannel:enum.RedemptionChannel shortTitle title titleImage:Image wideTitleImage:Image`,
  offerObject: `${olderObject}
    classReference:any kind`,
  eventTicketClass: `${olderClass}
    confirmationCodeLabel:enum.ConfirmationCodeLabel customConfirmationCodeLabel:LocalizedString
    customGateLabel:LocalizedString customRowLabel:LocalizedString customSeatLabel:LocalizedString
    customSectionLabel:LocalizedString dateTime:EventDateTime eventId eventName:LocalizedString
    finePrint:LocalizedString gateLabel:enum.GateLabel kind logo:Image rowLabel:enum.RowLabel
    seatLabel:enum.SeatLabel sectionLabel:enum.SectionLabel venue:EventVenue wideLogo:Image`,
  eventTicketObject: `${olderObject}
    classReference:any faceValue:Money hexBackgroundColor kind linkedOfferIds:string[]
    reservationInfo:EventReservationInfo seatInfo:EventSeat ticketHolderName ticketNumber
    ticketType:LocalizedString`,
  flightClass: `${olderClass}
    boardingAndSeatingPolicy:BoardingAndSeatingPolicy destination:AirportInfo flightHeader:FlightHeader
    flightStatus:enum.FlightStatus kind languageOverride localBoardingDateTime
    localEstimatedOrActualArrivalDateTime localEstimatedOrActualDepartureDateTime
    localGateClosingDateTime localScheduledArrivalDateTime localScheduledDepartureDateTime
    origin:AirportInfo`,
  flightObject: `${olderObject}
    boardingAndSeatingInfo:BoardingAndSeatingInfo classReference:any hexBackgroundColor kind
    passengerName reservationInfo:ReservationInfo securityProgramLogo:Image`,
  giftCardClass: `${olderClass}
    allowBarcodeRedemption:boolean cardNumberLabel eventNumberLabel kind
    localizedCardNumberLabel:LocalizedString localizedEventNumberLabel:LocalizedString
    localizedMerchantName:LocalizedString localizedPinLabel:LocalizedString merchantName pinLabel
    programLogo:Image wideProgramLogo:Image`,
  giftCardObject: `${olderObject}
    balance:Money balanceUpdateTime:DateTime cardNumber classReference:any eventNumber kind
    pin`,
  transitClass: `${olderClass}
    activationOptions:ActivationOptions customCarriageLabel:LocalizedString
    customCoachLabel:LocalizedString customConcessionCategoryLabel:LocalizedString
    customConfirmationCodeLabel:LocalizedString customDiscountMessageLabel:LocalizedString
    customFareClassLabel:LocalizedString customFareNameLabel:LocalizedString
    customOtherRestrictionsLabel:LocalizedString customPlatformLabel:LocalizedString
    customPurchaseFaceValueLabel:LocalizedString customPurchasePriceLabel:LocalizedString
    customPurchaseReceiptNumberLabel:LocalizedString customRouteRestrictionsDetailsLabel:LocalizedString
    customRouteRestrictionsLabel:LocalizedString customSeatLabel:LocalizedString
    customTicketNumberLabel:LocalizedString customTimeRestrictionsLabel:LocalizedString
    customTransitTerminusNameLabel:LocalizedString customZoneLabel:LocalizedString
    enableSingleLegItinerary:boolean languageOverride logo:Image transitOperatorName:LocalizedString
    transitType:enum.TransitType watermark:Image wideLogo:Image`,
  transitObject: `${olderObject}
    activationStatus:ActivationStatus classReference:any
    concessionCategory:enum.ConcessionCategory customConcessionCategory:LocalizedString
    customTicketStatus:LocalizedString deviceContext:DeviceContext hexBackgroundColor passengerNames
    passengerType:enum.PassengerType purchaseDetails:PurchaseDetails ticketLeg:TicketLeg
    ticketLegs:TicketLeg[] ticketNumber ticketRestrictions:TicketRestrictions
    ticketStatus:enum.TicketStatus tripId tripType:enum.TripType`,
};

/** Members that a stored resource must have. `state` of a generic object defaults to ACTIVE; elsewhere it must be said. */
export const requiredMembers: Record<ResourceType, readonly string[]> = {
  genericClass: ["id"],
  genericObject: ["id", "classId", "cardTitle", "header"],
  loyaltyClass: ["id", "issuerName", "reviewStatus", "programName", "programLogo"],
  loyaltyObject: ["id", "classId", "state"],
  offerClass: ["id", "issuerName", "reviewStatus", "provider", "title", "redemptionChannel"],
  offerObject: ["id", "classId", "state"],
  eventTicketClass: ["id", "issuerName", "reviewStatus", "eventName"],
  eventTicketObject: ["id", "classId", "state"],
  flightClass: [
    "id",
    "issuerName",
    "reviewStatus",
    "localScheduledDepartureDateTime",
    "flightHeader",
    "origin",
    "destination",
  ],
  flightObject: ["id", "classId", "state", "passengerName", "reservationInfo"],
  giftCardClass: ["id", "issuerName", "reviewStatus", "merchantName"],
  giftCardObject: ["id", "classId", "state", "cardNumber"],
  transitClass: ["id", "issuerName", "reviewStatus", "transitType", "logo"],
  transitObject: ["id", "classId", "state", "tripType"],
};

/** Members that only Google writes: read without complaint, and forgotten. */
export const outputOnly = [
  "kind",
  "classReference",
  "hasUsers",
  "hasLinkedDevice",
  "review",
  "version",
] as const;
