import { renderTokens } from "../../domain/passes/field-values.ts";
import type { BarcodeFormat, TemplateBarcode, TemplateHeader } from "../../domain/templates/template.ts";

/** https://developers.google.com/wallet/reference/rest/v1/LocalizedString */
export type LocalizedString = { defaultValue: { language: string; value: string } };

/** https://developers.google.com/wallet/reference/rest/v1/Image; Google fetches the address itself. */
export type Image = { sourceUri: { uri: string }; contentDescription: LocalizedString };

/** https://developers.google.com/wallet/reference/rest/v1/Barcode */
export type Barcode = {
  type: "QR_CODE" | "PDF_417" | "AZTEC" | "CODE_128";
  value: string;
  alternateText: string | null;
};

/** Google demands a language; what a template's own texts are in, it does not say. */
export const defaultLanguage = "en-US";

export function localized(value: string): LocalizedString {
  return { defaultValue: { language: defaultLanguage, value } };
}

/** What the pass as such is called, as against who issues it. */
export function passTitle(header: TemplateHeader): string {
  return header.logo_text || header.description || header.organization_name;
}

const barcodeTypes: Record<BarcodeFormat, Barcode["type"]> = {
  qr: "QR_CODE",
  pdf417: "PDF_417",
  aztec: "AZTEC",
  code128: "CODE_128",
};

/** The barcode of one pass; none where the template has none, or there is nothing to encode. */
export function barcode(
  { format, message, alt_text }: TemplateBarcode,
  values: ReadonlyMap<string, string>,
): Barcode | undefined {
  const value = renderTokens(message, values);
  if (value === "") return undefined;
  return { type: barcodeTypes[format], value, alternateText: renderTokens(alt_text ?? "", values) || null };
}
