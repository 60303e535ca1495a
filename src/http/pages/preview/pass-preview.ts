import { setImmediate as othersTurn } from "node:timers/promises";
import type { RenderableTemplate } from "../../../domain/templates/template.ts";
import { paletteOf } from "../palette.ts";
import { decodePng } from "./png-reading.ts";
import { encodePng } from "./png-writing.ts";
import { type Box, colourOf, drawImage, fillRounded, gradient, type Raster } from "./raster.ts";

/** In pixels: what services that draw previews ask for. */
export const previewSize = { width: 1200, height: 630 } as const;

const card = { left: 220, top: 75, width: 760, height: 480 } as const;
const margin = 44;
const edge = [208, 208, 214] as const;

/**
 * The picture of a template for those who get the link of one of its passes sent, as a PNG: a card in its colours with its
 * logo and banner, and bars for texts. It holds nothing of any pass, since services that draw previews keep it.
 */
export async function drawPreview(
  { version, images }: RenderableTemplate,
  languageTag: string | null,
): Promise<Buffer> {
  const palette = paletteOf(version.content.header);
  const { width, height } = previewSize;
  const raster = gradient(width, height, [colourOf(palette.glowLight), colourOf(palette.pageLight)]);
  // A card as pale as the page around it is told apart by its edge.
  fillRounded(raster, grown(card, 2), { colour: edge, radius: 38 });
  fillRounded(raster, card, { colour: colourOf(palette.background), radius: 36 });
  const found = (...names: string[]) => imageOf(images, languageTag, names);
  const logo = found("logo@2x.png", "logo@3x.png", "logo.png", "icon@3x.png", "icon@2x.png", "icon.png");
  if (logo !== null) {
    drawImage(raster, logo, fitted(logo, { left: card.left + margin, top: 103, width: 420, height: 72 }));
  }
  await othersTurn();
  const banner = found("strip@2x.png", "strip@3x.png", "strip.png", "hero.png");
  const bannerHeight =
    banner === null ? 0 : Math.min(292, Math.round((banner.height / banner.width) * card.width));
  if (banner !== null) drawImage(raster, banner, { ...card, top: 200, height: bannerHeight });
  const [label, text] = [colourOf(palette.label), colourOf(palette.foreground)];
  for (const [at, length] of [170, 250, 120].entries()) {
    const left = card.left + margin + at * 236;
    const top = 200 + bannerHeight + (banner === null ? 150 : 18);
    fillRounded(raster, { left, top, width: length / 2, height: 8 }, { colour: label, radius: 4 });
    const bar = { left, top: top + 16, width: Math.min(length, 200), height: 16 };
    fillRounded(raster, bar, { colour: text, radius: 8 });
  }
  await othersTurn();
  return encodePng(raster);
}

/** The first of these images that can be read, in the language where the template has it. */
function imageOf(
  images: RenderableTemplate["images"],
  tag: string | null,
  names: readonly string[],
): Raster | null {
  const paths = tag === null ? names : [...names.map((name) => `${tag}.lproj/${name}`), ...names];
  for (const path of paths) {
    const bytes = images.get(path);
    const image = bytes === undefined ? null : decodePng(bytes);
    if (image !== null) return image;
  }
  return null;
}

/** As large as it goes into a box, at its left and in the middle of its height. */
function fitted(image: Raster, box: Box): Box {
  const scale = Math.min(box.width / image.width, box.height / image.height);
  const [width, height] = [image.width, image.height].map((side) =>
    Math.max(1, Math.round(side * scale)),
  ) as [number, number];
  return { left: box.left, top: box.top + Math.round((box.height - height) / 2), width, height };
}

function grown({ left, top, width, height }: Box, by: number): Box {
  return { left: left - by, top: top - by, width: width + 2 * by, height: height + 2 * by };
}
