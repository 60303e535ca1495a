import { isoInstant } from "../../domain/clock.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import type { PassKind } from "../../domain/templates/parsing/google/pass-kind.ts";
import type { TemplateContent } from "../../domain/templates/template.ts";
import type { TimeInterval } from "./from-apple.ts";
import { type Image, type LocalizedString, localized, passTitle } from "./shared-members.ts";
import type { PassImages } from "./template-images.ts";

type LoyaltyObject = { loyaltyPoints: { label: string; balance: { string: string } } | null };
type OfferObject = Record<never, never>;
type EventTicketObject = { ticketHolderName: string | null };
type FlightObject = { passengerName: string; reservationInfo: { confirmationCode: string } };
type TransitObject = {
  tripType: "ONE_WAY" | "ROUND_TRIP";
  validTimeInterval: TimeInterval;
  ticketLeg: { originName: LocalizedString; destinationName: LocalizedString | null } | null;
};
type GiftCardObject = { cardNumber: string };
type GenericObject = {
  cardTitle: LocalizedString;
  header: LocalizedString;
  subheader: LocalizedString | null;
  hexBackgroundColor: string;
  logo: Image | null;
  wideLogo: Image | null;
  heroImage: Image | null;
};

/** What we write of each kind of object, beside the members that all kinds have. */
export type ObjectOf = {
  loyalty: LoyaltyObject;
  offer: OfferObject;
  eventTicket: EventTicketObject;
  flight: FlightObject;
  transit: TransitObject;
  giftCard: GiftCardObject;
  generic: GenericObject;
};

export type Value = { key: string; label: string; value: string };
type Drawn = {
  pass: Pass;
  content: TemplateContent;
  images: PassImages;
  /** Primary fields that have a value. */
  primary: readonly Value[];
  /** When the pass ends, by what the template says for every wallet. */
  expires: { date: string } | null;
};

/**
 * How a kind shows the primary fields. `main` names the members that do: where the author writes one of them, ours
 * is left out, and the fields become text modules like all others. `draw` gets the fields that it may show;
 * it shows the first `shows` of them.
 */
export type Drawing<K extends PassKind> = {
  main: readonly string[];
  shows: number;
  draw(drawn: Drawn): ObjectOf[K];
};

/** `https://developers.google.com/wallet/reference/rest/v1/<kind>object`: the members that differ by kind. */
export const drawings: { [K in PassKind]: Drawing<K> } = {
  loyalty: {
    main: ["loyaltyPoints"],
    shows: 1,
    draw: ({ primary: [points] }) => ({
      loyaltyPoints: points ? { label: points.label, balance: { string: points.value } } : null,
    }),
  },
  // What an offer offers is the title of its class.
  offer: { main: [], shows: 0, draw: () => ({}) },
  eventTicket: {
    main: ["ticketHolderName"],
    shows: 1,
    draw: ({ primary: [holder] }) => ({ ticketHolderName: holder?.value ?? null }),
  },
  flight: {
    main: ["passengerName"],
    shows: 1,
    draw: ({ primary: [passenger], pass }) => ({
      passengerName: passenger?.value ?? pass.externalRef,
      reservationInfo: { confirmationCode: pass.externalRef },
    }),
  },
  // As on Apple's boarding passes, the primary fields are from where and to where.
  transit: {
    main: ["ticketLeg", "ticketLegs"],
    shows: 2,
    draw: ({ primary: [from, to], pass, expires }) => ({
      tripType: "ONE_WAY",
      // Google wants a departure or a validity; only the author can know the departure.
      validTimeInterval: { start: { date: isoInstant(pass.createdAtMs) }, end: expires },
      ticketLeg: from
        ? { originName: localized(from.value), destinationName: to ? localized(to.value) : null }
        : null,
    }),
  },
  giftCard: {
    main: ["cardNumber"],
    shows: 1,
    draw: ({ primary: [card], pass }) => ({ cardNumber: card?.value ?? pass.externalRef }),
  },
  generic: {
    main: ["header"],
    shows: 1,
    draw: ({ primary: [title], content: { header }, images }) => ({
      cardTitle: localized(header.organization_name),
      header: localized(title?.value ?? passTitle(header)),
      subheader: title?.label ? localized(title.label) : null,
      hexBackgroundColor: header.background_color,
      logo: images.logo ?? null,
      wideLogo: images.wideLogo ?? null,
      heroImage: images.hero ?? null,
    }),
  },
};
