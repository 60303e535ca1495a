import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { chromium } from "playwright-core";
import t from "tap";
import { decodePng } from "../../../../src/http/pages/preview/png-reading.ts";
import { encodePng } from "../../../../src/http/pages/preview/png-writing.ts";
import { findChromium } from "../../../e2e/support/chromium.ts";

const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
t.teardown(() => browser.close());
const page = await browser.newPage();

/** What the browser sees in a PNG: width, height, and the pixels as one list. */
async function seen(file: Uint8Array): Promise<[number, number, number[]]> {
  const encoded = Buffer.from(file).toString("base64");
  return page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob("${encoded}"), (c) => c.charCodeAt(0));
    const options = { premultiplyAlpha: "none", colorSpaceConversion: "none" };
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }), options);
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    return [bitmap.width, bitmap.height, [...data]];
  })()`);
}

/** A PNG by its own members: rows as they are filtered, each with its filter before it. */
function png(members: {
  width: number;
  height: number;
  depth: number;
  colourType: number;
  rows: number[];
  palette?: number[];
  alphas?: number[];
  interlace?: number;
}): Uint8Array {
  const { width, height, depth, colourType, rows, palette, alphas, interlace = 0 } = members;
  const chunk = (type: string, data: Uint8Array) => {
    const framed = Buffer.alloc(data.length + 12);
    framed.writeUInt32BE(data.length, 0);
    framed.write(type, 4, "latin1");
    framed.set(data, 8);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([depth, colourType, 0, 0, interlace], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", Buffer.from(palette))]),
    ...(alphas === undefined ? [] : [chunk("tRNS", Buffer.from(alphas))]),
    chunk("IDAT", deflateSync(Buffer.from(rows))),
    chunk("IEND", new Uint8Array()),
  ]);
}

t.test("the images of the system's templates are read as the browser reads them", async (t) => {
  for (const name of [
    "loyalty-card/images/logo.png",
    "boarding-pass/images/footer.png",
    "coupon/images/icon@2x.png",
  ]) {
    const file = readFileSync(new URL(`../../../../templates/system/${name}`, import.meta.url));
    const image = decodePng(file);
    const [width, height, pixels] = await seen(file);
    t.strictSame([image?.width, image?.height], [width, height], name);
    const opaque = pixels.flatMap((value, i) => (pixels[i - (i % 4) + 3] === 255 ? [[i, value]] : []));
    t.ok(opaque.length > 0, name);
    t.strictSame(
      opaque.filter(([i, value]) => image?.rgba[i ?? 0] !== value),
      [],
      name,
    );
  }
});

t.test(
  "grey, grey with opacity, colours and palettes are read, each row through its own filter",
  async (t) => {
    const shape = { width: 2, height: 2, depth: 8 };
    const pixelsOf = (file: Uint8Array) => [...(decodePng(file)?.rgba ?? [])];
    t.strictSame(
      pixelsOf(png({ ...shape, colourType: 0, rows: [0, 10, 20, 2, 1, 1] })),
      [10, 10, 10, 255, 20, 20, 20, 255, 11, 11, 11, 255, 21, 21, 21, 255],
    );
    t.strictSame(
      pixelsOf(png({ ...shape, colourType: 4, rows: [1, 10, 200, 5, 10, 4, 1, 1, 1, 1] })),
      [10, 10, 10, 200, 15, 15, 15, 210, 11, 11, 11, 201, 16, 16, 16, 211],
    );
    t.strictSame(
      pixelsOf(png({ ...shape, colourType: 2, rows: [0, 1, 2, 3, 4, 5, 6, 3, 1, 1, 1, 1, 1, 1] })).slice(
        8,
        11,
      ),
      [1, 2, 2],
    );
    const palette = [255, 0, 0, 0, 0, 255];
    t.strictSame(
      pixelsOf(png({ ...shape, depth: 1, colourType: 3, palette, alphas: [128], rows: [0, 0x40, 0, 0x80] })),
      [255, 0, 0, 128, 0, 0, 255, 255, 0, 0, 255, 255, 255, 0, 0, 128],
    );
  },
);

t.test("what is another kind of PNG, too large, or broken is none", async (t) => {
  const whole = { width: 2, height: 1, depth: 8, colourType: 0, rows: [0, 1, 2] };
  t.not(decodePng(png(whole)), null);
  const others: Record<string, Uint8Array> = {
    "16 bits": png({ ...whole, depth: 16, rows: [0, 1, 2, 3, 4] }),
    "a palette of 16 bits": png({
      ...whole,
      depth: 16,
      colourType: 3,
      palette: [1, 2, 3],
      rows: [0, 0, 0, 0, 0],
    }),
    "a palette of 3 bits": png({ ...whole, depth: 3, colourType: 3, palette: [1, 2, 3], rows: [0, 0] }),
    interlaced: png({ ...whole, interlace: 1 }),
    "no colour type": png({ ...whole, colourType: 5 }),
    "no filter": png({ ...whole, rows: [9, 1, 2] }),
    "a row too few": png({ ...whole, height: 2 }),
    "more than it says": png({ ...whole, rows: Array(1_000_000).fill(0) }),
    "too large": png({ ...whole, width: 4096, height: 4096 }),
    "a side of nothing": png({ ...whole, width: 0 }),
    "no PNG": Buffer.from("GIF89a"),
    nothing: new Uint8Array(),
  };
  for (const [name, file] of Object.entries(others)) t.equal(decodePng(file), null, name);
});

t.test("the browser and we read what we write", async (t) => {
  const rgba = Uint8Array.from({ length: 7 * 5 * 4 }, (_, i) => (i % 4 === 3 ? 255 : (i * 37) % 256));
  const file = await encodePng({ width: 7, height: 5, rgba });
  t.strictSame(await seen(file), [7, 5, [...rgba]]);
  t.strictSame([...(decodePng(file)?.rgba ?? [])], [...rgba]);
});
