import type { TemplateType } from "../../template.ts";

/** The style of pass.json that the passes of a type have. */
export const appleStyles: Readonly<Record<TemplateType, string>> = {
  LoyaltyCard: "storeCard",
  GiftCard: "storeCard",
  Coupon: "coupon",
  EventTicket: "eventTicket",
  BoardingPass: "boardingPass",
  MembershipCard: "generic",
  Generic: "generic",
};

/** The style of iOS 27 that stands beside `generic`, for older ones to fall back to. */
export const posterStyle = "posterGeneric";

export const styleNames = [...new Set(Object.values(appleStyles)), posterStyle];

/** The styles that a template of a type may speak of. */
export function stylesOf(type: TemplateType): string[] {
  const style = appleStyles[type];
  return style === "generic" ? [style, posterStyle] : [style];
}
