import { fieldValues, renderTokens } from "../../domain/passes/field-values.ts";
import type { Pass } from "../../domain/passes/pass.ts";
import type { TemplateContent } from "../../domain/templates/template.ts";
import { barcodeSvg, type DrawnFormat, isLinear } from "./barcode-svg.ts";
import { html, isolated, type Markup, plainLine } from "./markup.ts";
import type { PassLanguage } from "./pass-language.ts";
import { isRecord } from "./wallet-format.ts";

type PanelInput = { pass: Pass; content: TemplateContent; language: PassLanguage };

/** A code with the text below it, or its message written out where it cannot be drawn; null: there is none. */
export async function barcodePanel({ pass, content, language }: PanelInput): Promise<Markup | null> {
  const barcode = barcodeOf(content);
  if (barcode === null) return null;
  const { format } = barcode;
  const values = fieldValues(content, pass);
  const message = renderTokens(barcode.message, values);
  if (message === "") return null;
  const text = language.translate(renderTokens(barcode.altText, values)).trim();
  const kind = { ...language.words.codes, ...appleNames }[format];
  const title = text === "" ? kind : `${kind}: ${plainLine(text)}`;
  const code = await barcodeSvg(format, message, { id: "pass-code", title });
  // Without a drawing whoever stands at the counter can still type what the code would say.
  const words = code === null ? message : text;
  const wide = isLinear(format) || format === "pdf417" || code === null;
  return html`<div class="code${wide ? " wide" : ""}">${code ?? html`<p class="unreadable">${kind}</p>`}${
    words === "" ? null : html`<p class="alt">${isolated(words)}</p>`
  }</div>`;
}

type Barcode = { format: DrawnFormat; message: string; altText: string };

const appleNames = { code39: "Code 39", codabar: "Codabar", ean13: "EAN-13", i2of5: "ITF" } as const;

const appleFormats: Readonly<Record<string, DrawnFormat>> = {
  PKBarcodeFormatQR: "qr",
  PKBarcodeFormatPDF417: "pdf417",
  PKBarcodeFormatAztec: "aztec",
  PKBarcodeFormatCode128: "code128",
  PKBarcodeFormatCode39: "code39",
  PKBarcodeFormatCodabar: "codabar",
  PKBarcodeFormatEAN13: "ean13",
  PKBarcodeFormatI2of5: "i2of5",
};

/** The template's for all wallets; where it has none, the first that its `apple` part brings. */
function barcodeOf({ barcode, apple }: TemplateContent): Barcode | null {
  if (barcode !== null) {
    return { format: barcode.format, message: barcode.message, altText: barcode.alt_text ?? "" };
  }
  const barcodes = Array.isArray(apple?.barcodes) ? apple.barcodes : [];
  for (const { format, message, altText } of barcodes.filter(isRecord)) {
    const known = Object.hasOwn(appleFormats, String(format)) ? appleFormats[String(format)] : undefined;
    if (known === undefined || typeof message !== "string") continue;
    return { format: known, message, altText: typeof altText === "string" ? altText : "" };
  }
  return null;
}
