import type { TemplateHeader } from "../../domain/templates/template.ts";

/** Colours as `#rrggbb`, each fit to go into a stylesheet: nothing else ever gets into one from a template. */
export type Palette = {
  background: string;
  foreground: string;
  label: string;
  pageLight: string;
  glowLight: string;
  pageDark: string;
  glowDark: string;
};

type Rgb = readonly [red: number, green: number, blue: number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];

/** WCAG 2.2, 1.4.3: the least contrast of text in normal size. */
const leastContrast = 4.5;

/** The palette of pages without a pass, and the replacement for colours that are none. */
export const neutralColours = {
  background_color: "#f2f2f5",
  foreground_color: "#16161a",
  label_color: "#55555f",
} as const;

/** The fainter of the two text colours of the page around a pass, in either scheme. */
export const softInk = { light: "#44444e", dark: "#bdbdc8" } as const;

/**
 * The colours of a pass and of the page around it. A colour that is not `#rrggbb` is refused and replaced by the
 * neutral one; a foreground or label that cannot be read on the background moves towards black or white until it can.
 */
export function paletteOf(
  header: Pick<TemplateHeader, "background_color" | "foreground_color" | "label_color">,
): Palette {
  const background = parseColour(header.background_color) ?? colour(neutralColours.background_color);
  const foreground = parseColour(header.foreground_color) ?? colour(neutralColours.foreground_color);
  const label = parseColour(header.label_color) ?? colour(neutralColours.label_color);
  const tint = vivid(background);
  const pageLight = mix([247, 247, 249], tint, 0.04);
  const pageDark = mix([15, 15, 18], tint, 0.03);
  return {
    background: hex(background),
    foreground: hex(readableOn(background, foreground)),
    label: hex(readableOn(background, label)),
    pageLight: hex(pageLight),
    glowLight: hex(glow(pageLight, tint, colour(softInk.light))),
    pageDark: hex(pageDark),
    glowDark: hex(glow(pageDark, tint, colour(softInk.dark))),
  };
}

/** True for exactly `#` and six hexadecimal digits. */
export function isColour(value: string): boolean {
  return parseColour(value) !== null;
}

/** The contrast of two `#rrggbb` colours by WCAG 2.2, from 1 to 21. */
export function contrast(one: string, other: string): number {
  return contrastOf(colour(one), colour(other));
}

/** The hue of a colour at full brightness: a dark brown tints a page as orange does, instead of greying it. */
function vivid(rgb: Rgb): Rgb {
  const brightest = Math.max(...rgb);
  return brightest === 0 ? white : mix(black, rgb, 255 / brightest);
}

/** As much of the tint on the page as its faintest text allows, up to a fifth. */
function glow(page: Rgb, tint: Rgb, ink: Rgb): Rgb {
  for (let share = 0.2; share > 0; share -= 0.03) {
    const candidate = mix(page, tint, share);
    if (contrastOf(candidate, ink) >= leastContrast) return candidate;
  }
  return page;
}

function readableOn(background: Rgb, wanted: Rgb): Rgb {
  const end = contrastOf(background, white) > contrastOf(background, black) ? white : black;
  for (let share = 0; share < 1; share += 0.1) {
    const candidate = mix(wanted, end, share);
    if (contrastOf(background, candidate) >= leastContrast) return candidate;
  }
  return end;
}

function parseColour(value: string): Rgb | null {
  const match = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(value);
  if (match === null) return null;
  const [, red = "", green = "", blue = ""] = match;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function colour(value: string): Rgb {
  return parseColour(value) ?? black;
}

/** `base` with a share (0 to 1) of `other`, in sRGB. */
function mix(base: Rgb, other: Rgb, share: number): Rgb {
  const channel = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [channel(base[0], other[0]), channel(base[1], other[1]), channel(base[2], other[2])];
}

function hex(rgb: Rgb): string {
  return `#${rgb.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
}

function contrastOf(one: Rgb, other: Rgb): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance (WCAG 2.2, definitions). */
function luminance(rgb: Rgb): number {
  const linear = (channel: number) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
}
