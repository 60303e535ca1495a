import { inflateSync } from "node:zlib";
import { readPng } from "../../../domain/templates/parsing/png.ts";
import type { Raster } from "./raster.ts";

/** Decoded, four bytes each: no image of a pass needs more. */
const mostPixels = 2_000_000;

/** Channels of the colour types of PNG (third edition, 11.2.1). */
const channelsOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/**
 * The pixels of a PNG with 8 bits a channel or a palette, not interlaced, as nearly all are; null: it is another one, too
 * large, or broken.
 */
export function decodePng(file: Uint8Array): Raster | null {
  const size = readPng(file);
  if ("problem" in size || size.width * size.height > mostPixels) return null;
  const { width, height } = size;
  const [depth = 0, colourType = 0, , , interlace = 0] = file.subarray(24, 29);
  const channels = channelsOf[colourType];
  const depths = colourType === 3 ? [1, 2, 4, 8] : [8];
  if (channels === undefined || interlace !== 0 || !depths.includes(depth)) return null;
  const { data, palette, alphas } = chunksOf(file);
  const rowBytes = Math.ceil((width * channels * depth) / 8);
  const raw = inflated(data, (rowBytes + 1) * height);
  if (raw === null || !unfilter(raw, { height, rowBytes, step: Math.max(1, (channels * depth) >> 3) })) {
    return null;
  }
  const rgba = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y++) {
    const row = raw.subarray(y * (rowBytes + 1) + 1, (y + 1) * (rowBytes + 1));
    for (let x = 0; x < width; x++, to += 4) {
      if (colourType === 3) {
        const index = sample(row, x, depth);
        rgba.set(palette.subarray(index * 3, index * 3 + 3), to);
        rgba[to + 3] = alphas[index] ?? 255;
        continue;
      }
      const at = x * channels;
      const isGrey = channels < 3;
      rgba[to] = row[at] ?? 0;
      rgba[to + 1] = row[isGrey ? at : at + 1] ?? 0;
      rgba[to + 2] = row[isGrey ? at : at + 2] ?? 0;
      rgba[to + 3] = channels % 2 === 0 ? (row[at + channels - 1] ?? 0) : 255;
    }
  }
  return { width, height, rgba };
}

function chunksOf(file: Uint8Array): { data: Buffer; palette: Uint8Array; alphas: Uint8Array } {
  const view = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  const found = new Map<string, Buffer[]>();
  for (let at = 8; at + 12 <= view.length; ) {
    const length = view.readUInt32BE(at);
    const type = view.toString("latin1", at + 4, at + 8);
    found.set(type, [...(found.get(type) ?? []), view.subarray(at + 8, at + 8 + length)]);
    at += length + 12;
  }
  const whole = (type: string) => Buffer.concat(found.get(type) ?? []);
  return { data: whole("IDAT"), palette: whole("PLTE"), alphas: whole("tRNS") };
}

/** Exactly this many bytes, or null: a small file can unpack to a very large one. */
function inflated(data: Buffer, bytes: number): Uint8Array | null {
  try {
    const raw = inflateSync(data, { maxOutputLength: bytes });
    return raw.length === bytes ? raw : null;
  } catch {
    return null;
  }
}

/** Takes the filters off, row by row and in place (9.2). False: there is one that is none. */
function unfilter(
  raw: Uint8Array,
  { height, rowBytes, step }: { height: number; rowBytes: number; step: number },
): boolean {
  const blank = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    const filter = raw[start] ?? 0;
    if (filter > 4) return false;
    const row = raw.subarray(start + 1, start + 1 + rowBytes);
    const above = y === 0 ? blank : raw.subarray(start - rowBytes, start);
    for (let x = 0; x < rowBytes; x++) {
      const left = x < step ? 0 : (row[x - step] ?? 0);
      const up = above[x] ?? 0;
      const corner = x < step ? 0 : (above[x - step] ?? 0);
      row[x] = (row[x] ?? 0) + predicted(filter, { left, up, corner });
    }
  }
  return true;
}

function predicted(filter: number, near: { left: number; up: number; corner: number }): number {
  if (filter === 1) return near.left;
  if (filter === 2) return near.up;
  if (filter === 3) return (near.left + near.up) >> 1;
  return filter === 4 ? paeth(near) : 0;
}

/** The neighbour that is nearest to left + up - corner (9.4). */
function paeth({ left, up, corner }: { left: number; up: number; corner: number }): number {
  const estimate = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

function sample(row: Uint8Array, x: number, depth: number): number {
  const perByte = 8 / depth;
  const shift = 8 - depth * ((x % perByte) + 1);
  return ((row[Math.floor(x / perByte)] ?? 0) >> shift) & (2 ** depth - 1);
}
