import { literalPieces } from "../../../passes/field-values.ts";
import type { TemplateBarcode } from "../../template.ts";
import type { ShapeCheck } from "../check-value.ts";
import { pointerTo } from "../findings.ts";
import { isMembers, type Members } from "../members.ts";
import { everyBarcode, lineBarcodes } from "./pass-members.ts";

/** What each of the formats of iOS 27 can hold. */
const contents: Readonly<Record<(typeof lineBarcodes)[number], { pattern: RegExp; words: string }>> = {
  PKBarcodeFormatCode39: { pattern: /^[A-Z0-9 $%+./-]+$/, words: "capitals, digits, space and $ % + . / -" },
  PKBarcodeFormatCodabar: {
    pattern: /^[A-D]?[\d$:/.+-]+[A-D]?$/i,
    words: "digits and $ : / . + -, between A to D",
  },
  PKBarcodeFormatEAN13: { pattern: /^\d{12,13}$/, words: "12 or 13 digits" },
  PKBarcodeFormatI2of5: { pattern: /^(\d\d)+$/, words: "an even number of digits" },
};

const isLine = (format: unknown): format is (typeof lineBarcodes)[number] =>
  lineBarcodes.some((line) => line === format);
const isOld = (format: unknown): boolean => everyBarcode.some((old) => old === format);

/** Whether every character is in Latin-1, which is what Wallet takes a message for. */
export function isLatin1(message: string): boolean {
  return /^[\u0000-\u00ff]*$/.test(message);
}

/** Checks that every device finds a barcode that it can draw. `own` is the template's, for all wallets. */
export function checkBarcodes(check: ShapeCheck, apple: Members, own: TemplateBarcode | null): void {
  const { reader, uses } = check;
  const barcodes = Array.isArray(apple.barcodes) ? apple.barcodes.filter(isMembers) : [];
  barcodes.forEach((barcode, i) => {
    const pointer = pointerTo("/apple/barcodes", i);
    checkMessage(check, barcode, pointer);
    if (!isLine(barcode.format)) return;
    if (!uses.has("lineBarcodes")) uses.set("lineBarcodes", `${pointer}/format`);
    if (!barcodes.slice(i + 1).some(({ format }) => isOld(format))) {
      reader.warn(
        pointer,
        `is not drawn before iOS 27: put a barcode of an older format behind it (${everyBarcode.join(", ")})`,
      );
    }
  });
  if (isMembers(apple.barcode)) {
    checkMessage(check, apple.barcode, "/apple/barcode");
    const { format } = apple.barcode;
    if (isLine(format) || format === "PKBarcodeFormatCode128") {
      reader.warn("/apple/barcode", "is for old devices, which do not draw that format: use /apple/barcodes");
    }
  }
  noteOfWatches(check, barcodes, own);
}

function checkMessage({ reader }: ShapeCheck, barcode: Members, pointer: string): void {
  const { message, messageEncoding, format } = barcode;
  if (typeof message !== "string") return;
  if (String(messageEncoding).toLowerCase() === "iso-8859-1" && !isLatin1(message)) {
    reader.fault(
      `${pointer}/messageEncoding`,
      "has no place for all characters of the message: write utf-8, or leave it out",
    );
  }
  const content = isLine(format) ? contents[format] : undefined;
  const isWhole = literalPieces(message).length === 1;
  if (content !== undefined && isWhole && !content.pattern.test(message)) {
    reader.warn(`${pointer}/message`, `cannot be drawn as ${format}, which holds ${content.words}`);
  }
}

function noteOfWatches({ reader }: ShapeCheck, barcodes: Members[], own: TemplateBarcode | null): void {
  const isOnly128 = barcodes.every(({ format }) => format === "PKBarcodeFormatCode128");
  if (barcodes.length > 0 ? !isOnly128 : own?.format !== "code128") return;
  const pointer = barcodes.length > 0 ? "/apple/barcodes" : "/barcode/format";
  reader.note(
    pointer,
    "is Code 128, which an Apple Watch does not draw: put another format behind it in /apple/barcodes",
  );
}
