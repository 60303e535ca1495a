import type { TemplateType } from "../../template.ts";

/** What Wallet can since a version of iOS that not every iPhone has. */
export type AppleFeature = {
  /** In words, in the plural. */
  name: string;
  iOS: string;
  /** What an iPhone with an older iOS does, behind «older iPhones». */
  older: string;
  /** The scheme that asks for it in `preferredStyleSchemes`, and the type of template that may. */
  scheme?: { name: string; type: TemplateType };
};

const features = {
  relevantDates: { name: "periods of relevance", iOS: "18", older: "go by relevantDate" },
  posterEventTicket: {
    name: "poster event tickets",
    iOS: "18",
    older: "show the ordinary event ticket",
    scheme: { name: "posterEventTicket", type: "EventTicket" },
  },
  eventLogoText: { name: "texts beside a poster's logo", iOS: "18.1", older: "show the logo alone" },
  semanticBoardingPass: {
    name: "semantic boarding passes",
    iOS: "26",
    older: "show the ordinary boarding pass",
    scheme: { name: "semanticBoardingPass", type: "BoardingPass" },
  },
  upcomingPasses: { name: "upcoming events", iOS: "26", older: "show none of them" },
  posterGeneric: { name: "poster generic passes", iOS: "27", older: "show the style generic" },
  featuredActions: { name: "featured actions", iOS: "27", older: "show none of them" },
  lineBarcodes: {
    name: "barcodes as Code 39, Codabar, EAN-13 or Interleaved 2 of 5",
    iOS: "27",
    older: "take the next barcode that they know",
  },
} as const satisfies Record<string, AppleFeature>;

export type FeatureName = keyof typeof features;

export const appleFeatures: Readonly<Record<FeatureName, AppleFeature>> = features;
