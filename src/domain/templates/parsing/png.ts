const signature = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

export type PngReading = { width: number; height: number } | { problem: string };

/**
 * Width and height in pixels, from the header (PNG specification, third edition: sections 5.2 and 11.2.1), of a file whose
 * chunks are all there. Decodes nothing.
 */
export function readPng(bytes: Uint8Array): PngReading {
  if (!signature.every((byte, i) => bytes[i] === byte)) {
    return { problem: `is no PNG${disguise(bytes)}: save it as one` };
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || view.getUint32(8) !== 13 || chunkType(bytes, 8) !== "IHDR") return cutOff;
  const [width, height] = [view.getUint32(16), view.getUint32(20)];
  if (width === 0 || height === 0) return { problem: "is a PNG without a size: draw it anew" };
  for (let at = 8; at + 12 <= bytes.length; at += view.getUint32(at) + 12) {
    if (chunkType(bytes, at) === "IEND") return { width, height };
  }
  return cutOff;
}

const cutOff = { problem: "is a PNG that is cut off: copy it anew" };

function chunkType(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at + 4, at + 8));
}

/** What else a file is that was merely called a PNG. */
function disguise(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start === "") return ", it is empty";
  if (start.startsWith("\xff\xd8\xff")) return " but a JPEG";
  if (start.startsWith("GIF8")) return " but a GIF";
  if (start.startsWith("RIFF") && start.endsWith("WEBP")) return " but a WebP";
  if (start.startsWith("%PDF")) return " but a PDF";
  if (/^\s*<(\?xml|svg|!)/.test(start)) return " but an SVG";
  return "";
}
