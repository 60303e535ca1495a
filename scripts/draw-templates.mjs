// Draws the images of the system templates: templates/artwork/<template>/<slot>.svg becomes
// templates/system/<template>/images/<slot>.png, @2x and @3x. Only needed after an SVG was changed, for the
// PNGs are committed. Needs rsvg-convert, pngquant and optipng (Debian: librsvg2-bin, pngquant, optipng).
//
//   node scripts/draw-templates.mjs [template ...]

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const templates = fileURLToPath(new URL("../templates/", import.meta.url));

// Apple's slots, in points; a logo and a footer may be narrower. The hero is Google's: in pixels, without scales.
// Wallet blurs the background, so that one can do without dithering, which would nearly double its template.
const slots = {
  icon: { width: 38, height: 38, scales: [1, 2, 3] },
  logo: { width: 160, height: 50, narrower: true, scales: [1, 2, 3] },
  strip: { width: 375, height: 144, scales: [1, 2, 3] },
  thumbnail: { width: 90, height: 90, scales: [1, 2, 3] },
  background: { width: 345, height: 505, dither: false, scales: [1, 2, 3] },
  footer: { width: 286, height: 15, narrower: true, scales: [1, 2, 3] },
  hero: { width: 1032, height: 336, scales: [1] },
};

function sizeOf(svgPath) {
  const viewBox = /viewBox="0 0 (\d+) (\d+)"/.exec(readFileSync(svgPath, "utf8"));
  if (viewBox === null) throw new Error(`${svgPath}: needs a viewBox of whole points that begins at 0 0`);
  return { width: Number(viewBox[1]), height: Number(viewBox[2]) };
}

function checkSize(svgPath, slot, slotName) {
  const { width, height } = sizeOf(svgPath);
  const fits = slot.narrower ? width <= slot.width : width === slot.width;
  if (!fits || height !== slot.height) {
    throw new Error(`${svgPath}: is ${width}x${height}, a ${slotName} is ${slot.width}x${slot.height}`);
  }
  return { width, height };
}

/** One PNG of an SVG, its colours reduced to a palette. */
function drawPng(svgPath, target, size, dither) {
  const args = ["--width", String(size.width), "--height", String(size.height), svgPath];
  const png = execFileSync("rsvg-convert", args, { maxBuffer: 1 << 26 });
  const palette = ["--speed", "1", "--strip", "--quality", "0-98", ...(dither ? [] : ["--nofs"]), "-"];
  const quantised = execFileSync("pngquant", palette, { input: png, maxBuffer: 1 << 26 });
  writeFileSync(target, quantised);
  execFileSync("optipng", ["-quiet", "-o3", target]);
}

function drawTemplate(name) {
  const sources = join(templates, "artwork", name);
  const drawn = mkdtempSync(join(tmpdir(), "draw-templates-"));
  for (const file of readdirSync(sources).filter((entry) => entry.endsWith(".svg"))) {
    const slotName = basename(file, ".svg");
    const slot = slots[slotName];
    const source = join(sources, file);
    if (slot === undefined) throw new Error(`${source}: there is no image slot of this name`);
    const size = checkSize(source, slot, slotName);
    for (const scale of slot.scales) {
      const target = join(drawn, scale === 1 ? `${slotName}.png` : `${slotName}@${scale}x.png`);
      const pixels = { width: size.width * scale, height: size.height * scale };
      drawPng(source, target, pixels, slot.dither !== false);
    }
  }
  const files = readdirSync(drawn);
  const bytes = files.reduce((sum, file) => sum + readFileSync(join(drawn, file)).length, 0);
  // Only now, so that a tool that is missing costs no image.
  const images = join(templates, "system", name, "images");
  rmSync(images, { recursive: true, force: true });
  cpSync(drawn, images, { recursive: true });
  rmSync(drawn, { recursive: true });
  console.log(`${name}: ${files.length} images, ${Math.ceil(bytes / 1024)} KiB`);
}

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : readdirSync(join(templates, "artwork"))) drawTemplate(name);
