import fc from "fast-check";
import t from "tap";
import { readPng } from "../../../../src/domain/templates/parsing/png.ts";
import { pngOf } from "../fixtures/png.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text, "latin1");

t.test("the size is that of the header", async (t) => {
  for (const [width, height] of [
    [1, 1],
    [38, 76],
    [1032, 336],
  ] as const) {
    t.strictSame(readPng(pngOf(width, height)), { width, height });
  }
  const moved = Buffer.concat([Buffer.alloc(7), pngOf(3, 5)]).subarray(7);
  t.strictSame(readPng(moved), { width: 3, height: 5 }, "in the middle of a larger buffer");
});

t.test("what is no PNG is told, and what it is instead", async (t) => {
  const cases: [Uint8Array, string][] = [
    [bytes(""), "is no PNG, it is empty: save it as one"],
    [bytes("\xff\xd8\xff\xe0..JFIF"), "is no PNG but a JPEG: save it as one"],
    [bytes("GIF89a"), "is no PNG but a GIF: save it as one"],
    [bytes("RIFF....WEBPVP8 "), "is no PNG but a WebP: save it as one"],
    [bytes("%PDF-1.7"), "is no PNG but a PDF: save it as one"],
    [bytes("<svg xmlns="), "is no PNG but an SVG: save it as one"],
    [bytes("\n<?xml version="), "is no PNG but an SVG: save it as one"],
    [bytes("hello"), "is no PNG: save it as one"],
  ];
  for (const [file, problem] of cases) t.strictSame(readPng(file), { problem });
});

t.test("a PNG without a size is refused", async (t) => {
  const file = Buffer.from(pngOf(1, 1));
  file.writeUInt32BE(0, 16);
  t.strictSame(readPng(file), { problem: "is a PNG without a size: draw it anew" });
});

t.test("a PNG that ends too early is refused, wherever it was cut", async (t) => {
  const whole = pngOf(38, 38);
  for (let length = 8; length < whole.length; length++) {
    t.strictSame(readPng(whole.subarray(0, length)), { problem: "is a PNG that is cut off: copy it anew" });
  }
});

t.test("no bytes whatsoever make it fail or go on for ever", async (t) => {
  const start = pngOf(2, 2).subarray(0, 33);
  const file = fc.uint8Array({ maxLength: 64 }).map((rest) => Buffer.concat([start, rest]));
  t.doesNotThrow(() =>
    fc.assert(fc.property(file, (given) => "problem" in readPng(given) || "width" in readPng(given))),
  );
});
