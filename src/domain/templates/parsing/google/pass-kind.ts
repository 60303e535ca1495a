import type { TemplateContent, TemplateType } from "../../template.ts";
import { isMembers } from "../members.ts";

/** Google's kinds of passes: https://developers.google.com/wallet/reference/rest. */
export type PassKind = "loyalty" | "offer" | "eventTicket" | "flight" | "transit" | "giftCard" | "generic";

/** All of them, in the order of the documents. */
export const passKinds: readonly PassKind[] = [
  "loyalty",
  "offer",
  "eventTicket",
  "flight",
  "transit",
  "giftCard",
  "generic",
];

const kinds: Record<Exclude<TemplateType, "BoardingPass">, PassKind> = {
  LoyaltyCard: "loyalty",
  Coupon: "offer",
  EventTicket: "eventTicket",
  GiftCard: "giftCard",
  MembershipCard: "generic",
  Generic: "generic",
};

/**
 * The kind of a template's passes. A boarding pass is a flight where `google.class` has a `flightHeader`: airline,
 * number, airports and hour belong to a flight's class, and nothing else in a template says them. Any other boarding
 * pass, and one with a `transitType`, is transit, whose stations belong to the object and may differ with each pass.
 */
export function passKind(type: TemplateType, { google }: Pick<TemplateContent, "google">): PassKind {
  if (type !== "BoardingPass") return kinds[type];
  const author = isMembers(google?.class) ? google.class : {};
  return "flightHeader" in author && !("transitType" in author) ? "flight" : "transit";
}
