import QRCode from "qrcode";
import type { BarcodeFormat } from "../../domain/templates/template.ts";
import { html, type Markup, trustedMarkup } from "./markup.ts";

/** A template's own formats, and those that Apple alone knows (iOS 27). */
export type DrawnFormat = BarcodeFormat | "code39" | "codabar" | "ean13" | "i2of5";

/** Blank modules around a QR code (ISO/IEC 18004, 9.1). */
const quietModules = 4;

/**
 * The longest message, in UTF-8 bytes, that is drawn. Beyond these a phone's screen has too few pixels for a scanner
 * to tell the bars apart, and an encoder would hold the process for as long as a second for one page.
 */
const longestDrawn: Record<DrawnFormat, number> = {
  qr: 1024,
  pdf417: 512,
  aztec: 512,
  code128: 48,
  code39: 32,
  codabar: 32,
  ean13: 13,
  i2of5: 48,
};

const encoders = {
  pdf417: "pdf417",
  aztec: "azteccode",
  code128: "code128",
  code39: "code39",
  codabar: "rationalizedCodabar",
  ean13: "ean13",
  i2of5: "interleaved2of5",
} as const;

const twoDimensional: readonly DrawnFormat[] = ["qr", "pdf417", "aztec"];

/** Whether a format is one row of bars. */
export function isLinear(format: DrawnFormat): boolean {
  return !twoDimensional.includes(format);
}

/**
 * An inline SVG of a barcode, black on nothing, with `title` as its accessible name and `id` for it to refer to.
 * null when the message is empty, too long for the format, or holds what the format cannot say.
 */
export async function barcodeSvg(
  format: DrawnFormat,
  text: string,
  name: { id: string; title: string },
): Promise<Markup | null> {
  // Half a surrogate pair has no bytes to encode; pass.json gets the same replacement character.
  const message = text.toWellFormed();
  const bytes = Buffer.byteLength(message);
  if (bytes === 0 || bytes > longestDrawn[format]) return null;
  if (format === "qr") return svg(qrDrawing(message), format, name);
  // Beyond ASCII a Code 128 reader does not agree with its writer about the character set; the others have no such characters.
  if (isLinear(format) && /[^\x00-\x7f]/.test(message)) return null;
  const drawing = await barDrawing(encoders[format], message);
  return drawing === null ? null : svg(drawing, format, name);
}

type Drawing = { width: number; height: number; shapes: Markup };

/** One stroke per run of dark modules, each row relative to its start: a fifth of the size of a square per module. */
function qrDrawing(message: string): Drawing {
  const content = isLatin1Only(message)
    ? [{ data: Buffer.from(message, "latin1"), mode: "byte" as const }]
    : message;
  const { modules } = QRCode.create(content, { errorCorrectionLevel: "M" });
  const { size, data } = modules;
  let path = "";
  for (let row = 0; row < size; row++) {
    let pen: number | null = null;
    for (let column = 0; column < size; ) {
      let end = column;
      while (end < size && data[row * size + end] === 1) end++;
      if (end === column) {
        column++;
        continue;
      }
      path += pen === null ? `M${column + quietModules} ${row + quietModules}.5` : `m${column - pen} 0`;
      path += `h${end - column}`;
      pen = end;
      column = end;
    }
  }
  const side = size + 2 * quietModules;
  // Without crisp edges a hairline shows between rows.
  const shapes = html`<path stroke="#000" shape-rendering="crispEdges" d="${path}"/>`;
  return { width: side, height: side, shapes };
}

/**
 * Beyond ASCII but within Latin-1: the wallet writes these as ISO 8859-1, the default of all three symbologies,
 * and everything further as UTF-8. A scanner must read the same bytes from the page as from the phone.
 */
function isLatin1Only(message: string): boolean {
  return /[\x80-\xff]/.test(message) && !/[^\x00-\xff]/.test(message);
}

const librarySvg =
  /^<svg viewBox="0 0 (\d+) (\d+)" xmlns="http:\/\/www\.w3\.org\/2000\/svg">\s*((?:<path [\w#=" .,-]+\/>\s*)+)<\/svg>\s*$/;

/** Loaded when the first such code is drawn: the library is a megabyte, and most passes bear a QR code. */
async function barDrawing(bcid: string, text: string): Promise<Drawing | null> {
  const { toSVG } = await import("bwip-js/node");
  let drawn: string;
  try {
    drawn = toSVG({ bcid, text, scale: 1, binarytext: isLatin1Only(text) });
  } catch {
    // The encoder names its refusals by throwing: the symbol has no room for the message.
    return null;
  }
  const [, width, height, paths] = librarySvg.exec(drawn) ?? [];
  if (width === undefined || height === undefined || paths === undefined) return null;
  return { width: Number(width), height: Number(height), shapes: trustedMarkup(paths.trim()) };
}

function svg(drawing: Drawing, format: DrawnFormat, name: { id: string; title: string }): Markup {
  const { width, height, shapes } = drawing;
  // The bars of a linear code say nothing by their height, so it may fill its panel.
  const stretch = isLinear(format) ? html` preserveAspectRatio="none"` : null;
  return html`<svg class="${format}" viewBox="0 0 ${width} ${height}"${stretch} role="img" aria-labelledby="${name.id}"><title id="${name.id}">${name.title}</title>${shapes}</svg>`;
}
