// Made by scripts/generate-google-members.mjs from Google's description of its Wallet API, revision 20260806.
// Do not edit: run it again.

/** Members by schema: `name:type`, a bare name is text, `[]` behind a type means a list of it. */
export const schemas: Readonly<Record<string, string>> = {
  GenericClass:
    "appLinkData:AppLinkData callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo enableSmartTap:boolean id imageModulesData:ImageModuleData[] linksModuleData:LinksModuleData merchantLocations:MerchantLocation[] messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus redemptionIssuers:int64[] securityAnimation:SecurityAnimation textModulesData:TextModuleData[] valueAddedModuleData:ValueAddedModuleData[] viewUnlockRequirement:enum.ViewUnlockRequirement",
  GenericObject:
    "appLinkData:AppLinkData barcode:Barcode cardTitle:LocalizedString classId genericType:enum.GenericType groupingInfo:GroupingInfo hasUsers:boolean header:LocalizedString heroImage:Image hexBackgroundColor id imageModulesData:ImageModuleData[] linkedObjectIds:string[] linksModuleData:LinksModuleData logo:Image merchantLocations:MerchantLocation[] messages:Message[] notifications:Notifications passConstraints:PassConstraints rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions smartTapRedemptionValue state:enum.State subheader:LocalizedString textModulesData:TextModuleData[] validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] wideLogo:Image",
  LoyaltyClass:
    "accountIdLabel accountNameLabel allowMultipleUsersPerObject:boolean appLinkData:AppLinkData callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo countryCode discoverableProgram:DiscoverableProgram enableSmartTap:boolean heroImage:Image hexBackgroundColor homepageUri:Uri id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData issuerName kind linksModuleData:LinksModuleData localizedAccountIdLabel:LocalizedString localizedAccountNameLabel:LocalizedString localizedIssuerName:LocalizedString localizedProgramName:LocalizedString localizedRewardsTier:LocalizedString localizedRewardsTierLabel:LocalizedString localizedSecondaryRewardsTier:LocalizedString localizedSecondaryRewardsTierLabel:LocalizedString locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus notifyPreference:enum.NotifyPreference programLogo:Image programName redemptionIssuers:int64[] review:Review reviewStatus:enum.ReviewStatus rewardsTier rewardsTierLabel secondaryRewardsTier secondaryRewardsTierLabel securityAnimation:SecurityAnimation textModulesData:TextModuleData[] valueAddedModuleData:ValueAddedModuleData[] version:int64 viewUnlockRequirement:enum.ViewUnlockRequirement wideProgramLogo:Image wordMark:Image",
  LoyaltyObject:
    "accountId accountName appLinkData:AppLinkData barcode:Barcode classId classReference:LoyaltyClass disableExpirationNotification:boolean groupingInfo:GroupingInfo hasLinkedDevice:boolean hasUsers:boolean heroImage:Image id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData kind linkedObjectIds:string[] linkedOfferIds:string[] linksModuleData:LinksModuleData locations:LatLongPoint[] loyaltyPoints:LoyaltyPoints merchantLocations:MerchantLocation[] messages:Message[] notifyPreference:enum.NotifyPreference passConstraints:PassConstraints rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions secondaryLoyaltyPoints:LoyaltyPoints smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[] validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] version:int64",
  OfferClass:
    "allowMultipleUsersPerObject:boolean appLinkData:AppLinkData callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo countryCode details enableSmartTap:boolean finePrint helpUri:Uri heroImage:Image hexBackgroundColor homepageUri:Uri id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData issuerName kind linksModuleData:LinksModuleData localizedDetails:LocalizedString localizedFinePrint:LocalizedString localizedIssuerName:LocalizedString localizedProvider:LocalizedString localizedShortTitle:LocalizedString localizedTitle:LocalizedString locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus notifyPreference:enum.NotifyPreference provider redemptionChannel:enum.RedemptionChannel redemptionIssuers:int64[] review:Review reviewStatus:enum.ReviewStatus securityAnimation:SecurityAnimation shortTitle textModulesData:TextModuleData[] title titleImage:Image valueAddedModuleData:ValueAddedModuleData[] version:int64 viewUnlockRequirement:enum.ViewUnlockRequirement wideTitleImage:Image wordMark:Image",
  OfferObject:
    "appLinkData:AppLinkData barcode:Barcode classId classReference:OfferClass disableExpirationNotification:boolean groupingInfo:GroupingInfo hasLinkedDevice:boolean hasUsers:boolean heroImage:Image id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData kind linkedObjectIds:string[] linksModuleData:LinksModuleData locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] notifyPreference:enum.NotifyPreference passConstraints:PassConstraints rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[] validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] version:int64",
  EventTicketClass:
    "allowMultipleUsersPerObject:boolean appLinkData:AppLinkData callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo confirmationCodeLabel:enum.ConfirmationCodeLabel countryCode customConfirmationCodeLabel:LocalizedString customGateLabel:LocalizedString customRowLabel:LocalizedString customSeatLabel:LocalizedString customSectionLabel:LocalizedString dateTime:EventDateTime enableSmartTap:boolean eventId eventName:LocalizedString finePrint:LocalizedString gateLabel:enum.GateLabel heroImage:Image hexBackgroundColor homepageUri:Uri id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData issuerName kind linksModuleData:LinksModuleData localizedIssuerName:LocalizedString locations:LatLongPoint[] logo:Image merchantLocations:MerchantLocation[] messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus notifyPreference:enum.NotifyPreference redemptionIssuers:int64[] review:Review reviewStatus:enum.ReviewStatus rowLabel:enum.RowLabel seatLabel:enum.SeatLabel sectionLabel:enum.SectionLabel securityAnimation:SecurityAnimation textModulesData:TextModuleData[] valueAddedModuleData:ValueAddedModuleData[] venue:EventVenue version:int64 viewUnlockRequirement:enum.ViewUnlockRequirement wideLogo:Image wordMark:Image",
  EventTicketObject:
    "appLinkData:AppLinkData barcode:Barcode classId classReference:EventTicketClass disableExpirationNotification:boolean faceValue:Money groupingInfo:GroupingInfo hasLinkedDevice:boolean hasUsers:boolean heroImage:Image hexBackgroundColor id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData kind linkedObjectIds:string[] linkedOfferIds:string[] linksModuleData:LinksModuleData locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] notifyPreference:enum.NotifyPreference passConstraints:PassConstraints reservationInfo:EventReservationInfo rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions seatInfo:EventSeat smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[] ticketHolderName ticketNumber ticketType:LocalizedString validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] version:int64",
  FlightClass:
    "allowMultipleUsersPerObject:boolean appLinkData:AppLinkData boardingAndSeatingPolicy:BoardingAndSeatingPolicy callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo countryCode destination:AirportInfo enableSmartTap:boolean flightHeader:FlightHeader flightStatus:enum.FlightStatus heroImage:Image hexBackgroundColor homepageUri:Uri id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData issuerName kind languageOverride linksModuleData:LinksModuleData localBoardingDateTime localEstimatedOrActualArrivalDateTime localEstimatedOrActualDepartureDateTime localGateClosingDateTime localScheduledArrivalDateTime localScheduledDepartureDateTime localizedIssuerName:LocalizedString locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus notifyPreference:enum.NotifyPreference origin:AirportInfo redemptionIssuers:int64[] review:Review reviewStatus:enum.ReviewStatus securityAnimation:SecurityAnimation textModulesData:TextModuleData[] valueAddedModuleData:ValueAddedModuleData[] version:int64 viewUnlockRequirement:enum.ViewUnlockRequirement wordMark:Image",
  FlightObject:
    "appLinkData:AppLinkData barcode:Barcode boardingAndSeatingInfo:BoardingAndSeatingInfo classId classReference:FlightClass disableExpirationNotification:boolean groupingInfo:GroupingInfo hasLinkedDevice:boolean hasUsers:boolean heroImage:Image hexBackgroundColor id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData kind linkedObjectIds:string[] linksModuleData:LinksModuleData locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] notifyPreference:enum.NotifyPreference passConstraints:PassConstraints passengerName reservationInfo:ReservationInfo rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions securityProgramLogo:Image smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[] validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] version:int64",
  GiftCardClass:
    "allowBarcodeRedemption:boolean allowMultipleUsersPerObject:boolean appLinkData:AppLinkData callbackOptions:CallbackOptions cardNumberLabel classTemplateInfo:ClassTemplateInfo countryCode enableSmartTap:boolean eventNumberLabel heroImage:Image hexBackgroundColor homepageUri:Uri id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData issuerName kind linksModuleData:LinksModuleData localizedCardNumberLabel:LocalizedString localizedEventNumberLabel:LocalizedString localizedIssuerName:LocalizedString localizedMerchantName:LocalizedString localizedPinLabel:LocalizedString locations:LatLongPoint[] merchantLocations:MerchantLocation[] merchantName messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus notifyPreference:enum.NotifyPreference pinLabel programLogo:Image redemptionIssuers:int64[] review:Review reviewStatus:enum.ReviewStatus securityAnimation:SecurityAnimation textModulesData:TextModuleData[] valueAddedModuleData:ValueAddedModuleData[] version:int64 viewUnlockRequirement:enum.ViewUnlockRequirement wideProgramLogo:Image wordMark:Image",
  GiftCardObject:
    "appLinkData:AppLinkData balance:Money balanceUpdateTime:DateTime barcode:Barcode cardNumber classId classReference:GiftCardClass disableExpirationNotification:boolean eventNumber groupingInfo:GroupingInfo hasLinkedDevice:boolean hasUsers:boolean heroImage:Image id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData kind linkedObjectIds:string[] linksModuleData:LinksModuleData locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] notifyPreference:enum.NotifyPreference passConstraints:PassConstraints pin rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[] validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] version:int64",
  TransitClass:
    "activationOptions:ActivationOptions allowMultipleUsersPerObject:boolean appLinkData:AppLinkData callbackOptions:CallbackOptions classTemplateInfo:ClassTemplateInfo countryCode customCarriageLabel:LocalizedString customCoachLabel:LocalizedString customConcessionCategoryLabel:LocalizedString customConfirmationCodeLabel:LocalizedString customDiscountMessageLabel:LocalizedString customFareClassLabel:LocalizedString customFareNameLabel:LocalizedString customOtherRestrictionsLabel:LocalizedString customPlatformLabel:LocalizedString customPurchaseFaceValueLabel:LocalizedString customPurchasePriceLabel:LocalizedString customPurchaseReceiptNumberLabel:LocalizedString customRouteRestrictionsDetailsLabel:LocalizedString customRouteRestrictionsLabel:LocalizedString customSeatLabel:LocalizedString customTicketNumberLabel:LocalizedString customTimeRestrictionsLabel:LocalizedString customTransitTerminusNameLabel:LocalizedString customZoneLabel:LocalizedString enableSingleLegItinerary:boolean enableSmartTap:boolean heroImage:Image hexBackgroundColor homepageUri:Uri id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData issuerName languageOverride linksModuleData:LinksModuleData localizedIssuerName:LocalizedString locations:LatLongPoint[] logo:Image merchantLocations:MerchantLocation[] messages:Message[] multipleDevicesAndHoldersAllowedStatus:enum.MultipleDevicesAndHoldersAllowedStatus notifyPreference:enum.NotifyPreference redemptionIssuers:int64[] review:Review reviewStatus:enum.ReviewStatus securityAnimation:SecurityAnimation textModulesData:TextModuleData[] transitOperatorName:LocalizedString transitType:enum.TransitType valueAddedModuleData:ValueAddedModuleData[] version:int64 viewUnlockRequirement:enum.ViewUnlockRequirement watermark:Image wideLogo:Image wordMark:Image",
  TransitObject:
    "activationStatus:ActivationStatus appLinkData:AppLinkData barcode:Barcode classId classReference:TransitClass concessionCategory:enum.ConcessionCategory customConcessionCategory:LocalizedString customTicketStatus:LocalizedString deviceContext:DeviceContext disableExpirationNotification:boolean groupingInfo:GroupingInfo hasLinkedDevice:boolean hasUsers:boolean heroImage:Image hexBackgroundColor id imageModulesData:ImageModuleData[] infoModuleData:InfoModuleData linkedObjectIds:string[] linksModuleData:LinksModuleData locations:LatLongPoint[] merchantLocations:MerchantLocation[] messages:Message[] notifyPreference:enum.NotifyPreference passConstraints:PassConstraints passengerNames passengerType:enum.PassengerType purchaseDetails:PurchaseDetails rotatingBarcode:RotatingBarcode saveRestrictions:SaveRestrictions smartTapRedemptionValue state:enum.State textModulesData:TextModuleData[] ticketLeg:TicketLeg ticketLegs:TicketLeg[] ticketNumber ticketRestrictions:TicketRestrictions ticketStatus:enum.TicketStatus tripId tripType:enum.TripType validTimeInterval:TimeInterval valueAddedModuleData:ValueAddedModuleData[] version:int64",
  AppLinkData:
    "androidAppLinkInfo:AppLinkDataAppLinkInfo displayText:LocalizedString iosAppLinkInfo:AppLinkDataAppLinkInfo webAppLinkInfo:AppLinkDataAppLinkInfo",
  CallbackOptions: "updateRequestUrl url",
  ClassTemplateInfo:
    "cardBarcodeSectionDetails:CardBarcodeSectionDetails cardTemplateOverride:CardTemplateOverride detailsTemplateOverride:DetailsTemplateOverride listTemplateOverride:ListTemplateOverride",
  ImageModuleData: "id mainImage:Image",
  LinksModuleData: "uris:Uri[]",
  MerchantLocation: "latitude:double longitude:double",
  Message:
    "body displayInterval:TimeInterval header id kind localizedBody:LocalizedString localizedHeader:LocalizedString messageType:enum.MessageType",
  SecurityAnimation: "animationType:enum.AnimationType",
  TextModuleData: "body header id localizedBody:LocalizedString localizedHeader:LocalizedString",
  ValueAddedModuleData:
    "body:LocalizedString header:LocalizedString image:Image sortIndex:int32 uri viewConstraints:ModuleViewConstraints",
  Barcode:
    "alternateText kind renderEncoding:enum.RenderEncoding showCodeText:LocalizedString type:enum.Type value",
  LocalizedString: "defaultValue:TranslatedString kind translatedValues:TranslatedString[]",
  GroupingInfo: "groupingId sortIndex:int32",
  Image: "contentDescription:LocalizedString kind privateImageId sourceUri:ImageUri",
  Notifications: "expiryNotification:ExpiryNotification upcomingNotification:UpcomingNotification",
  PassConstraints: "nfcConstraint:enum.NfcConstraint[] screenshotEligibility:enum.ScreenshotEligibility",
  RotatingBarcode:
    "alternateText initialRotatingBarcodeValues:RotatingBarcodeValues renderEncoding:enum.RenderEncoding showCodeText:LocalizedString totpDetails:RotatingBarcodeTotpDetails type:enum.Type valuePattern",
  SaveRestrictions: "restrictToEmailSha256",
  TimeInterval: "end:DateTime kind start:DateTime",
  DiscoverableProgram:
    "merchantSigninInfo:DiscoverableProgramMerchantSigninInfo merchantSignupInfo:DiscoverableProgramMerchantSignupInfo state:enum.DiscoverableProgramState",
  Uri: "description id kind localizedDescription:LocalizedString uri",
  InfoModuleData: "labelValueRows:LabelValueRow[] showLastUpdateTime:boolean",
  LatLongPoint: "kind latitude:double longitude:double",
  Review: "comments",
  LoyaltyPoints: "balance:LoyaltyPointsBalance label localizedLabel:LocalizedString",
  EventDateTime:
    "customDoorsOpenLabel:LocalizedString doorsOpen doorsOpenLabel:enum.DoorsOpenLabel end kind start",
  EventVenue: "address:LocalizedString kind name:LocalizedString",
  Money: "currencyCode kind micros:int64",
  EventReservationInfo: "confirmationCode kind",
  EventSeat: "gate:LocalizedString kind row:LocalizedString seat:LocalizedString section:LocalizedString",
  BoardingAndSeatingPolicy: "boardingPolicy:enum.BoardingPolicy kind seatClassPolicy:enum.SeatClassPolicy",
  AirportInfo: "airportIataCode airportNameOverride:LocalizedString gate kind terminal",
  FlightHeader:
    "carrier:FlightCarrier flightNumber flightNumberDisplayOverride kind operatingCarrier:FlightCarrier operatingFlightNumber",
  BoardingAndSeatingInfo:
    "boardingDoor:enum.BoardingDoor boardingGroup boardingPosition boardingPrivilegeImage:Image kind seatAssignment:LocalizedString seatClass seatNumber sequenceNumber",
  ReservationInfo: "confirmationCode eticketNumber frequentFlyerInfo:FrequentFlyerInfo kind",
  DateTime: "date",
  ActivationOptions: "activationUrl allowReactivation:boolean",
  ActivationStatus: "state:enum.ActivationStatusState",
  DeviceContext: "deviceToken",
  PurchaseDetails: "accountId confirmationCode purchaseDateTime purchaseReceiptNumber ticketCost:TicketCost",
  TicketLeg:
    "arrivalDateTime carriage departureDateTime destinationName:LocalizedString destinationStationCode fareName:LocalizedString originName:LocalizedString originStationCode platform ticketSeat:TicketSeat ticketSeats:TicketSeat[] transitOperatorName:LocalizedString transitTerminusName:LocalizedString zone",
  TicketRestrictions:
    "otherRestrictions:LocalizedString routeRestrictions:LocalizedString routeRestrictionsDetails:LocalizedString timeRestrictions:LocalizedString",
  AppLinkDataAppLinkInfo:
    "appLogoImage:Image appTarget:AppLinkDataAppLinkInfoAppTarget description:LocalizedString title:LocalizedString",
  CardBarcodeSectionDetails:
    "firstBottomDetail:BarcodeSectionDetail firstTopDetail:BarcodeSectionDetail secondTopDetail:BarcodeSectionDetail",
  CardTemplateOverride: "cardRowTemplateInfos:CardRowTemplateInfo[]",
  DetailsTemplateOverride: "detailsItemInfos:DetailsItemInfo[]",
  ListTemplateOverride:
    "firstRowOption:FirstRowOption secondRowOption:FieldSelector thirdRowOption:FieldSelector",
  ModuleViewConstraints: "displayInterval:TimeInterval",
  TranslatedString: "kind language value",
  ImageUri: "description localizedDescription:LocalizedString uri",
  ExpiryNotification: "enableNotification:boolean",
  UpcomingNotification: "enableNotification:boolean",
  RotatingBarcodeValues: "periodMillis:int64 startDateTime values:string[]",
  RotatingBarcodeTotpDetails:
    "algorithm:enum.Algorithm parameters:RotatingBarcodeTotpDetailsTotpParameters[] periodMillis:int64",
  DiscoverableProgramMerchantSigninInfo: "signinWebsite:Uri",
  DiscoverableProgramMerchantSignupInfo: "signupSharedDatas:enum.SignupSharedDatas[] signupWebsite:Uri",
  LabelValueRow: "columns:LabelValue[]",
  LoyaltyPointsBalance: "double:double int:int32 money:Money string",
  FlightCarrier:
    "airlineAllianceLogo:Image airlineLogo:Image airlineName:LocalizedString carrierIataCode carrierIcaoCode kind wideAirlineLogo:Image",
  FrequentFlyerInfo: "frequentFlyerNumber frequentFlyerProgramName:LocalizedString kind",
  TicketCost: "discountMessage:LocalizedString faceValue:Money purchasePrice:Money",
  TicketSeat:
    "coach customFareClass:LocalizedString fareClass:enum.FareClass seat seatAssignment:LocalizedString",
  AppLinkDataAppLinkInfoAppTarget: "packageName targetUri:Uri",
  BarcodeSectionDetail: "fieldSelector:FieldSelector",
  CardRowTemplateInfo: "oneItem:CardRowOneItem threeItems:CardRowThreeItems twoItems:CardRowTwoItems",
  DetailsItemInfo: "item:TemplateItem",
  FirstRowOption: "fieldOption:FieldSelector transitOption:enum.TransitOption",
  FieldSelector: "fields:FieldReference[]",
  RotatingBarcodeTotpDetailsTotpParameters: "key valueLength:int32",
  LabelValue: "label localizedLabel:LocalizedString localizedValue:LocalizedString value",
  CardRowOneItem: "item:TemplateItem",
  CardRowThreeItems: "endItem:TemplateItem middleItem:TemplateItem startItem:TemplateItem",
  CardRowTwoItems: "endItem:TemplateItem startItem:TemplateItem",
  TemplateItem: "firstValue:FieldSelector predefinedItem:enum.PredefinedItem secondValue:FieldSelector",
  FieldReference: "dateFormat:enum.DateFormat fieldPath",
};

/** The values of each enumeration. Those behind the bar are old spellings, which Google reads as well. */
export const enumerations: Readonly<Record<string, string>> = {
  MultipleDevicesAndHoldersAllowedStatus:
    "MULTIPLE_HOLDERS ONE_USER_ALL_DEVICES ONE_USER_ONE_DEVICE | multipleHolders oneUserAllDevices oneUserOneDevice",
  ViewUnlockRequirement: "UNLOCK_NOT_REQUIRED UNLOCK_REQUIRED_TO_VIEW",
  GenericType:
    "GENERIC_SEASON_PASS GENERIC_UTILITY_BILLS GENERIC_PARKING_PASS GENERIC_VOUCHER GENERIC_GYM_MEMBERSHIP GENERIC_LIBRARY_MEMBERSHIP GENERIC_RESERVATIONS GENERIC_AUTO_INSURANCE GENERIC_HOME_INSURANCE GENERIC_ENTRY_TICKET GENERIC_RECEIPT GENERIC_LOYALTY_CARD GENERIC_BUSINESS_CARD GENERIC_BARCODE_PASS GENERIC_MEMBERSHIP_CARD GENERIC_STUDENT_CARD GENERIC_TRANSIT_PASS GENERIC_VEHICLE_REGISTRATION GENERIC_OTHER",
  State: "ACTIVE COMPLETED EXPIRED INACTIVE | active completed expired inactive",
  NotifyPreference: "NOTIFY_ON_UPDATE",
  ReviewStatus: "UNDER_REVIEW APPROVED REJECTED DRAFT | underReview approved rejected draft",
  RedemptionChannel:
    "INSTORE ONLINE BOTH TEMPORARY_PRICE_REDUCTION | instore online both temporaryPriceReduction",
  ConfirmationCodeLabel:
    "CONFIRMATION_CODE CONFIRMATION_NUMBER ORDER_NUMBER RESERVATION_NUMBER | confirmationCode confirmationNumber orderNumber reservationNumber",
  GateLabel: "GATE DOOR ENTRANCE | gate door entrance",
  RowLabel: "ROW | row",
  SeatLabel: "SEAT | seat",
  SectionLabel: "SECTION THEATER | section theater",
  FlightStatus:
    "SCHEDULED ACTIVE LANDED CANCELLED REDIRECTED DIVERTED | scheduled active landed cancelled redirected diverted",
  TransitType: "BUS RAIL TRAM FERRY OTHER | bus rail tram ferry other",
  ConcessionCategory: "ADULT CHILD SENIOR | adult child senior",
  PassengerType: "SINGLE_PASSENGER MULTIPLE_PASSENGERS | singlePassenger multiplePassengers",
  TicketStatus: "USED REFUNDED EXCHANGED | used refunded exchanged",
  TripType: "ROUND_TRIP ONE_WAY | roundTrip oneWay",
  MessageType: "TEXT EXPIRATION_NOTIFICATION TEXT_AND_NOTIFY | text expirationNotification",
  AnimationType: "FOIL_SHIMMER | foilShimmer",
  RenderEncoding: "UTF_8",
  Type: "AZTEC CODE_39 CODE_128 CODABAR DATA_MATRIX EAN_8 EAN_13 ITF_14 PDF_417 QR_CODE UPC_A TEXT_ONLY | aztec code39 code128 codabar dataMatrix ean8 ean13 EAN13 itf14 pdf417 PDF417 qrCode qrcode upcA textOnly",
  NfcConstraint: "BLOCK_PAYMENT BLOCK_CLOSED_LOOP_TRANSIT",
  ScreenshotEligibility: "ELIGIBLE INELIGIBLE",
  DiscoverableProgramState: "TRUSTED_TESTERS LIVE DISABLED | trustedTesters live disabled",
  DoorsOpenLabel: "DOORS_OPEN GATES_OPEN | doorsOpen gatesOpen",
  BoardingPolicy: "ZONE_BASED GROUP_BASED BOARDING_POLICY_OTHER | zoneBased groupBased boardingPolicyOther",
  SeatClassPolicy:
    "CABIN_BASED CLASS_BASED TIER_BASED SEAT_CLASS_POLICY_OTHER | cabinBased classBased tierBased seatClassPolicyOther",
  BoardingDoor: "FRONT BACK | front back",
  ActivationStatusState: "NOT_ACTIVATED ACTIVATED | not_activated activated",
  Algorithm: "TOTP_SHA1",
  SignupSharedDatas:
    "FIRST_NAME LAST_NAME STREET_ADDRESS ADDRESS_LINE_1 ADDRESS_LINE_2 ADDRESS_LINE_3 CITY STATE ZIPCODE COUNTRY EMAIL PHONE",
  FareClass: "ECONOMY FIRST BUSINESS | economy first business",
  TransitOption:
    "ORIGIN_AND_DESTINATION_NAMES ORIGIN_AND_DESTINATION_CODES ORIGIN_NAME | originAndDestinationNames originAndDestinationCodes originName",
  PredefinedItem:
    "FREQUENT_FLYER_PROGRAM_NAME_AND_NUMBER FLIGHT_NUMBER_AND_OPERATING_FLIGHT_NUMBER | frequentFlyerProgramNameAndNumber flightNumberAndOperatingFlightNumber",
  DateFormat:
    "DATE_TIME DATE_ONLY TIME_ONLY DATE_TIME_YEAR DATE_YEAR YEAR_MONTH YEAR_MONTH_DAY | dateTime dateOnly timeOnly dateTimeYear dateYear",
};
