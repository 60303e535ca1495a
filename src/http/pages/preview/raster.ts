/** Pixels from the top left, row by row: red, green, blue and opacity, a byte each. */
export type Raster = { width: number; height: number; rgba: Uint8Array };

/** In pixels from the top left. */
export type Box = { left: number; top: number; width: number; height: number };

export type Colour = readonly [red: number, green: number, blue: number];

/** `#rrggbb`. */
export function colourOf(hex: string): Colour {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
  return [red, green, blue];
}

/** Opaque, from one colour at the top to another one at the bottom. */
export function gradient(width: number, height: number, [from, to]: readonly [Colour, Colour]): Raster {
  const raster: Raster = { width, height, rgba: new Uint8Array(width * height * 4) };
  for (let y = 0; y < height; y++) {
    const share = y / height;
    const [red = 0, green = 0, blue = 0] = from.map((channel, i) =>
      Math.round(channel + ((to[i] ?? 0) - channel) * share),
    );
    fillRow(raster, { left: 0, top: y, width }, [red, green, blue]);
  }
  return raster;
}

/** Fills a box with round corners. */
export function fillRounded(
  raster: Raster,
  { left, top, width, height }: Box,
  { colour, radius }: { colour: Colour; radius: number },
): void {
  for (let row = 0; row < height; row++) {
    const fromCorner = Math.max(radius - row - 0.5, row + 0.5 - (height - radius), 0);
    const ends = fromCorner === 0 ? 0 : radius;
    const inner = { left: left + ends, top: top + row, width: width - 2 * ends };
    fillRow(raster, inner, colour);
    const start = ((top + row) * raster.width + left) * 4;
    for (let column = 0; column < ends; column++) {
      // The pixel on the arc counts by what of it lies within.
      const distance = Math.hypot(radius - column - 0.5, fromCorner);
      const covered = Math.min(1, Math.max(0, radius - distance + 0.5));
      blend(raster, start + column * 4, colour, covered);
      blend(raster, start + (width - 1 - column) * 4, colour, covered);
    }
  }
}

/** Writes the first pixel and copies it, which is what engines are fast at. */
function fillRow({ width, rgba }: Raster, row: Omit<Box, "height">, [red, green, blue]: Colour): void {
  const start = (row.top * width + row.left) * 4;
  const end = start + row.width * 4;
  rgba.set([red, green, blue, 255], start);
  for (let filled = 4; start + filled < end; filled *= 2) {
    rgba.copyWithin(start + filled, start, Math.min(start + filled, end - filled));
  }
}

/** Draws an image over a whole box, each pixel the mean of those that it stands for. */
export function drawImage(raster: Raster, image: Raster, box: Box): void {
  const scaleX = image.width / box.width;
  const scaleY = image.height / box.height;
  for (let y = 0; y < box.height; y++) {
    for (let x = 0; x < box.width; x++) {
      const from = { x: Math.floor(x * scaleX), y: Math.floor(y * scaleY) };
      const to = {
        x: Math.max(from.x + 1, Math.floor((x + 1) * scaleX)),
        y: Math.max(from.y + 1, Math.floor((y + 1) * scaleY)),
      };
      const [red, green, blue, opacity] = mean(image, from, to);
      blend(raster, ((box.top + y) * raster.width + box.left + x) * 4, [red, green, blue], opacity);
    }
  }
}

type Point = { x: number; y: number };

/** Colours count by their opacity, which comes last, from 0 to 1. */
function mean({ width, rgba }: Raster, from: Point, to: Point): [number, number, number, number] {
  let [red, green, blue, opacity] = [0, 0, 0, 0];
  for (let y = from.y; y < to.y; y++) {
    for (let x = from.x; x < to.x; x++) {
      const at = (y * width + x) * 4;
      const weight = rgba[at + 3] ?? 0;
      red += (rgba[at] ?? 0) * weight;
      green += (rgba[at + 1] ?? 0) * weight;
      blue += (rgba[at + 2] ?? 0) * weight;
      opacity += weight;
    }
  }
  if (opacity === 0) return [0, 0, 0, 0];
  const pixels = (to.x - from.x) * (to.y - from.y);
  return [red / opacity, green / opacity, blue / opacity, opacity / pixels / 255];
}

function blend({ rgba }: Raster, at: number, [red, green, blue]: Colour, opacity: number): void {
  if (opacity <= 0) return;
  const mixed = (under: number, over: number) => Math.round(under + (over - under) * opacity);
  rgba[at] = mixed(rgba[at] ?? 0, red);
  rgba[at + 1] = mixed(rgba[at + 1] ?? 0, green);
  rgba[at + 2] = mixed(rgba[at + 2] ?? 0, blue);
}
