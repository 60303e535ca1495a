/**
 * The messages that classes and objects are built of: every member that the Wallet API knows, with its type,
 * from the discovery document (walletobjects v1, revision 20260806). A bare name is a string.
 */
export const nestedShapes: Record<string, string> = {
  ActivationOptions: "activationUrl allowReactivation:boolean",
  ActivationStatus: "state:enum.ActivationState",
  AddMessageRequest: "message:Message",
  AirportInfo: "airportIataCode airportNameOverride:LocalizedString gate kind terminal",
  AppLinkData: `
    androidAppLinkInfo:AppLinkDataAppLinkInfo displayText:LocalizedString
    iosAppLinkInfo:AppLinkDataAppLinkInfo webAppLinkInfo:AppLinkDataAppLinkInfo`,
  AppLinkDataAppLinkInfo: `
    appLogoImage:Image appTarget:AppLinkDataAppLinkInfoAppTarget description:LocalizedString
    title:LocalizedString`,
  AppLinkDataAppLinkInfoAppTarget: "packageName targetUri:Uri",
  Barcode: `
    alternateText kind renderEncoding:enum.RenderEncoding showCodeText:LocalizedString
    type:enum.BarcodeType value`,
  BarcodeSectionDetail: "fieldSelector:FieldSelector",
  BoardingAndSeatingInfo: `
    boardingDoor:enum.BoardingDoor boardingGroup boardingPosition boardingPrivilegeImage:Image kind
    seatAssignment:LocalizedString seatClass seatNumber sequenceNumber`,
  BoardingAndSeatingPolicy: `
    boardingPolicy:enum.BoardingPolicy kind seatClassPolicy:enum.SeatClassPolicy`,
  CallbackOptions: "updateRequestUrl url",
  CardBarcodeSectionDetails: `
    firstBottomDetail:BarcodeSectionDetail firstTopDetail:BarcodeSectionDetail
    secondTopDetail:BarcodeSectionDetail`,
  CardRowOneItem: "item:TemplateItem",
  CardRowTemplateInfo: "oneItem:CardRowOneItem threeItems:CardRowThreeItems twoItems:CardRowTwoItems",
  CardRowThreeItems: "endItem:TemplateItem middleItem:TemplateItem startItem:TemplateItem",
  CardRowTwoItems: "endItem:TemplateItem startItem:TemplateItem",
  CardTemplateOverride: "cardRowTemplateInfos:CardRowTemplateInfo[]",
  ClassTemplateInfo: `
    cardBarcodeSectionDetails:CardBarcodeSectionDetails cardTemplateOverride:CardTemplateOverride
    detailsTemplateOverride:DetailsTemplateOverride listTemplateOverride:ListTemplateOverride`,
  DateTime: "date",
  DetailsItemInfo: "item:TemplateItem",
  DetailsTemplateOverride: "detailsItemInfos:DetailsItemInfo[]",
  DeviceContext: "deviceToken",
  DiscoverableProgram: `
    merchantSigninInfo:DiscoverableProgramMerchantSigninInfo
    merchantSignupInfo:DiscoverableProgramMerchantSignupInfo state:enum.ProgramState`,
  DiscoverableProgramMerchantSigninInfo: "signinWebsite:Uri",
  DiscoverableProgramMerchantSignupInfo: "signupSharedDatas:enum.SharedData[] signupWebsite:Uri",
  EventDateTime: `
    customDoorsOpenLabel:LocalizedString doorsOpen doorsOpenLabel:enum.DoorsOpenLabel end kind start`,
  EventReservationInfo: "confirmationCode kind",
  EventSeat: `
    gate:LocalizedString kind row:LocalizedString seat:LocalizedString section:LocalizedString`,
  EventVenue: "address:LocalizedString kind name:LocalizedString",
  ExpiryNotification: "enableNotification:boolean",
  FieldReference: "dateFormat:enum.DateFormat fieldPath",
  FieldSelector: "fields:FieldReference[]",
  FirstRowOption: "fieldOption:FieldSelector transitOption:enum.TransitOption",
  FlightCarrier: `
    airlineAllianceLogo:Image airlineLogo:Image airlineName:LocalizedString carrierIataCode
    carrierIcaoCode kind wideAirlineLogo:Image`,
  FlightHeader: `
    carrier:FlightCarrier flightNumber flightNumberDisplayOverride kind operatingCarrier:FlightCarrier
    operatingFlightNumber`,
  FrequentFlyerInfo: "frequentFlyerNumber frequentFlyerProgramName:LocalizedString kind",
  GroupingInfo: "groupingId sortIndex:int32",
  Image: "contentDescription:LocalizedString kind privateImageId sourceUri:ImageUri",
  ImageModuleData: "id mainImage:Image",
  ImageUri: "description localizedDescription:LocalizedString uri",
  InfoModuleData: "labelValueRows:LabelValueRow[] showLastUpdateTime:boolean",
  LabelValue: "label localizedLabel:LocalizedString localizedValue:LocalizedString value",
  LabelValueRow: "columns:LabelValue[]",
  LatLongPoint: "kind latitude:double longitude:double",
  LinksModuleData: "uris:Uri[]",
  ListTemplateOverride: `
    firstRowOption:FirstRowOption secondRowOption:FieldSelector thirdRowOption:FieldSelector`,
  LocalizedString: "defaultValue:TranslatedString kind translatedValues:TranslatedString[]",
  LoyaltyPoints: "balance:LoyaltyPointsBalance label localizedLabel:LocalizedString",
  LoyaltyPointsBalance: "double:double int:int32 money:Money string",
  MerchantLocation: "latitude:double longitude:double",
  Message: `
    body displayInterval:TimeInterval header id kind localizedBody:LocalizedString
    localizedHeader:LocalizedString messageType:enum.MessageType`,
  ModuleViewConstraints: "displayInterval:TimeInterval",
  Money: "currencyCode kind micros:int64",
  Notifications: "expiryNotification:ExpiryNotification upcomingNotification:UpcomingNotification",
  PassConstraints: "nfcConstraint:enum.NfcConstraint[] screenshotEligibility:enum.Screenshot",
  PurchaseDetails: `
    accountId confirmationCode purchaseDateTime purchaseReceiptNumber ticketCost:TicketCost`,
  ReservationInfo: "confirmationCode eticketNumber frequentFlyerInfo:FrequentFlyerInfo kind",
  Review: "comments",
  RotatingBarcode: `
    alternateText initialRotatingBarcodeValues:RotatingBarcodeValues renderEncoding:enum.RenderEncoding
    showCodeText:LocalizedString totpDetails:RotatingBarcodeTotpDetails type:enum.BarcodeType
    valuePattern`,
  RotatingBarcodeTotpDetails: `
    algorithm:enum.TotpAlgorithm parameters:RotatingBarcodeTotpDetailsTotpParameters[]
    periodMillis:int64`,
  RotatingBarcodeTotpDetailsTotpParameters: "key valueLength:int32",
  RotatingBarcodeValues: "periodMillis:int64 startDateTime values:string[]",
  SaveRestrictions: "restrictToEmailSha256",
  SecurityAnimation: "animationType:enum.Animation",
  TemplateItem: "firstValue:FieldSelector predefinedItem:enum.PredefinedItem secondValue:FieldSelector",
  TextModuleData: "body header id localizedBody:LocalizedString localizedHeader:LocalizedString",
  TicketCost: "discountMessage:LocalizedString faceValue:Money purchasePrice:Money",
  TicketLeg: `
    arrivalDateTime carriage departureDateTime destinationName:LocalizedString destinationStationCode
    fareName:LocalizedString originName:LocalizedString originStationCode platform ticketSeat:TicketSeat
    ticketSeats:TicketSeat[] transitOperatorName:LocalizedString transitTerminusName:LocalizedString
    zone`,
  TicketRestrictions: `
    otherRestrictions:LocalizedString routeRestrictions:LocalizedString
    routeRestrictionsDetails:LocalizedString timeRestrictions:LocalizedString`,
  TicketSeat: `
    coach customFareClass:LocalizedString fareClass:enum.FareClass seat seatAssignment:LocalizedString`,
  TimeInterval: "end:DateTime kind start:DateTime",
  TranslatedString: "kind language value",
  UpcomingNotification: "enableNotification:boolean",
  Uri: "description id kind localizedDescription:LocalizedString uri",
  ValueAddedModuleData: `
    body:LocalizedString header:LocalizedString image:Image sortIndex:int32 uri
    viewConstraints:ModuleViewConstraints`,
};
