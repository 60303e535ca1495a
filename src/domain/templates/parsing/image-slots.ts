import type { TemplateType } from "../template.ts";

/** Where a template directory keeps its images; findings name files by it. */
export const imageFolder = "images";

export type ImageSlot = {
  /** In points: pixels at @1x. */
  width: number;
  height: number;
  /** Whether the image may be smaller; Wallet shows it as it is then. */
  size: "exactly" | "at most";
  /** The types of pass on which Apple Wallet shows it; null: on all, or only on the posters. */
  shownOn: readonly TemplateType[] | null;
  /** The schemes and styles of posters that show it, when the author's `apple` part asks for one. */
  posters?: readonly string[];
};

/** Apple's slots, from its own pass builder: github.com/apple/pass-builder, PassPackage.swift. */
export const imageSlots: Readonly<Record<string, ImageSlot>> = {
  icon: { width: 38, height: 38, size: "exactly", shownOn: null },
  logo: { width: 160, height: 50, size: "at most", shownOn: null },
  strip: {
    width: 375,
    height: 144,
    size: "exactly",
    shownOn: ["LoyaltyCard", "GiftCard", "Coupon", "EventTicket"],
  },
  thumbnail: {
    width: 90,
    height: 90,
    size: "exactly",
    shownOn: ["MembershipCard", "Generic", "EventTicket"],
  },
  background: {
    width: 345,
    height: 505,
    size: "exactly",
    shownOn: ["EventTicket"],
    posters: ["posterGeneric"],
  },
  footer: { width: 286, height: 15, size: "at most", shownOn: ["BoardingPass"] },
  artwork: {
    width: 358,
    height: 448,
    size: "exactly",
    shownOn: null,
    posters: ["posterEventTicket", "posterGeneric"],
  },
  primaryLogo: {
    width: 126,
    height: 30,
    size: "at most",
    shownOn: null,
    posters: ["posterEventTicket", "semanticBoardingPass", "posterGeneric"],
  },
  secondaryLogo: {
    width: 135,
    height: 12,
    size: "at most",
    shownOn: null,
    posters: ["posterEventTicket", "semanticBoardingPass"],
  },
};

export const imageScales = [1, 2, 3] as const;
export type ImageScale = (typeof imageScales)[number];

/** Google Wallet's banner, in pixels: one file, without scales. */
export const hero = { name: "hero.png", width: 1032, height: 336 } as const;

/** What a file may weigh, and what all of them should: they travel in every .pkpass. */
export const largestFileBytes = 2 * 1024 * 1024;
export const advisedTotalBytes = 250_000;
/** Decoded, a picture takes four bytes a pixel, however small its file. */
export const longestSidePixels = 4096;

/** The file of a slot in a scale: `icon.png`, `icon@2x.png`. */
export function imageName(slot: string, scale: ImageScale): string {
  return scale === 1 ? `${slot}.png` : `${slot}@${scale}x.png`;
}

export type PlacedImage = { slot: string; rules: ImageSlot; scale: ImageScale };

/** What a file name without a folder stands for, or null where it is no slot's. */
export function placeOf(name: string): PlacedImage | null {
  const [, slot = "", scale = "1"] = /^([A-Za-z]+)(?:@([23])x)?\.png$/.exec(name) ?? [];
  const rules = Object.hasOwn(imageSlots, slot) ? imageSlots[slot] : undefined;
  return rules === undefined ? null : { slot, rules, scale: Number(scale) as ImageScale };
}

/** Every file name that has a place. */
export function knownImageNames(): string[] {
  const slots = Object.keys(imageSlots);
  return [...slots.flatMap((slot) => imageScales.map((scale) => imageName(slot, scale))), hero.name];
}

/** Whether a file below `images/` is meant as a picture; the others are texts of a language. */
export function isImageName(file: string): boolean {
  return !file.endsWith(`/${stringsFile}`);
}

/** The texts of a language, in its folder. */
export const stringsFile = "pass.strings";
