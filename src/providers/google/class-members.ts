import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import type { TemplateContent } from "../../domain/templates/template.ts";
import { authorPart } from "./author-part.ts";
import { type Image, type LocalizedString, localized, passTitle } from "./shared-members.ts";
import type { PassImages } from "./template-images.ts";
import { type ClassTemplateInfo, cardRows } from "./text-modules.ts";

type CommonClass = { issuerName: string; hexBackgroundColor: string; heroImage: Image | null };
type LoyaltyClass = CommonClass & {
  programName: string;
  programLogo: Image | null;
  wideProgramLogo: Image | null;
};
type OfferClass = CommonClass & {
  title: string;
  provider: string;
  redemptionChannel: "INSTORE" | "ONLINE" | "BOTH" | "TEMPORARY_PRICE_REDUCTION";
  titleImage: Image | null;
  wideTitleImage: Image | null;
};
type EventTicketClass = CommonClass & {
  eventName: LocalizedString;
  logo: Image | null;
  wideLogo: Image | null;
};
/** Everything else that a flight needs comes from the template's `google.class`. */
type FlightClass = CommonClass & {
  flightHeader: {
    carrier: { airlineName: LocalizedString; airlineLogo: Image | null; wideAirlineLogo: Image | null };
  };
};
type TransitClass = CommonClass & {
  transitType: "BUS" | "RAIL" | "TRAM" | "FERRY" | "OTHER";
  transitOperatorName: LocalizedString;
  logo: Image | null;
  wideLogo: Image | null;
};
type GiftCardClass = CommonClass & {
  merchantName: string;
  cardNumberLabel: string | null;
  programLogo: Image | null;
  wideProgramLogo: Image | null;
};
type GenericClass = { classTemplateInfo: ClassTemplateInfo | null };

type Drawn = { content: TemplateContent; images: PassImages };
/** What we write of each kind of class, beside id, review status and call-back. */
export type ClassOf = {
  loyalty: LoyaltyClass;
  offer: OfferClass;
  eventTicket: EventTicketClass;
  flight: FlightClass;
  transit: TransitClass;
  giftCard: GiftCardClass;
  generic: GenericClass;
};

/** `https://developers.google.com/wallet/reference/rest/v1/<kind>class`: what a template says of it. */
export const drawClass: { [K in PassKind]: (drawn: Drawn) => ClassOf[K] } = {
  loyalty: ({ content, images }) => ({
    ...common({ content, images }),
    programName: passTitle(content.header),
    programLogo: images.logo ?? null,
    wideProgramLogo: images.wideLogo ?? null,
  }),
  offer: ({ content, images }) => ({
    ...common({ content, images }),
    title: content.header.description || passTitle(content.header),
    provider: content.header.organization_name,
    redemptionChannel: "BOTH",
    titleImage: images.logo ?? null,
    wideTitleImage: images.wideLogo ?? null,
  }),
  eventTicket: ({ content, images }) => ({
    ...common({ content, images }),
    eventName: localized(passTitle(content.header)),
    logo: images.logo ?? null,
    wideLogo: images.wideLogo ?? null,
  }),
  flight: ({ content, images }) => ({
    ...common({ content, images }),
    flightHeader: {
      carrier: {
        airlineName: localized(content.header.organization_name),
        airlineLogo: images.logo ?? null,
        wideAirlineLogo: images.wideLogo ?? null,
      },
    },
  }),
  transit: ({ content, images }) => ({
    ...common({ content, images }),
    transitType: "OTHER",
    transitOperatorName: localized(content.header.organization_name),
    logo: images.logo ?? null,
    wideLogo: images.wideLogo ?? null,
  }),
  giftCard: ({ content, images }) => ({
    ...common({ content, images }),
    merchantName: content.header.organization_name,
    cardNumberLabel: cardNumberLabel(content),
    programLogo: images.logo ?? null,
    wideProgramLogo: images.wideLogo ?? null,
  }),
  // Colour, logo and banner of a generic pass are members of its object.
  generic: ({ content }) => ({ classTemplateInfo: cardRows(content) ?? null }),
};

function common({ content: { header }, images }: Drawn): CommonClass {
  return {
    issuerName: header.organization_name,
    hexBackgroundColor: header.background_color,
    heroImage: images.hero ?? null,
  };
}

/** The first primary field is the card's number, unless the author says another. */
function cardNumberLabel(content: TemplateContent): string | null {
  if ("cardNumber" in authorPart(content, "object")) return null;
  return content.fields.find((field) => field.key === content.body.primary[0])?.label || null;
}
