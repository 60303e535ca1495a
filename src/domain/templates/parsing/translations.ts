import { literalPieces } from "../../passes/field-values.ts";
import type { TemplateContent } from "../template.ts";
import { suggestion } from "./closest-word.ts";
import type { Findings } from "./findings.ts";
import { imageFolder, stringsFile } from "./image-slots.ts";
import type { TemplateFiles } from "./images.ts";
import { isMembers } from "./members.ts";
import { encodedPassStrings, readPassStrings } from "./pass-strings.ts";

/**
 * Wallet looks every text of a pass up in the pass.strings of its language. A key that no text of the template is cannot
 * be found, unless a pass brings it as a value.
 */
export function checkTranslations(content: TemplateContent, files: TemplateFiles, findings: Findings): void {
  const texts = new Set(textsOf(content).filter((text) => text !== ""));
  const patterns = [...texts]
    .map(literalPieces)
    .filter((pieces) => pieces.length > 1 && pieces.join("") !== "");
  for (const [path, bytes] of stringsFiles(files)) {
    const reading = readPassStrings(bytes);
    const seen = new Set<string>();
    for (const { key, line } of "keys" in reading ? reading.keys : []) {
      const at = `${imageFolder}/${path}`;
      const name = `${JSON.stringify(key)} in line ${line}`;
      if (seen.has(key)) findings.warn(at, `translates ${name} again: remove one of them`);
      else if (!texts.has(key) && !patterns.some((pieces) => isMadeOf(key, pieces))) {
        const meant = suggestion(key, texts) || ": remove it, unless passes bring it as a value";
        findings.warn(at, `translates ${name}, which no text of the template is${meant}`);
      }
      seen.add(key);
    }
  }
}

/** The files as they travel in a pass: every pass.strings in the encoding that Wallet's documentation asks for. */
export function filesForPasses(files: TemplateFiles): TemplateFiles {
  const encoded = new Map(files);
  for (const [path, bytes] of stringsFiles(files)) {
    const reading = readPassStrings(bytes);
    if ("text" in reading) encoded.set(path, encodedPassStrings(reading.text));
  }
  return encoded;
}

function stringsFiles(files: TemplateFiles): [path: string, bytes: Uint8Array][] {
  return [...files].filter(([path]) => path.endsWith(`.lproj/${stringsFile}`));
}

/** Labels, values, announcements, the header's texts, the barcode's, and whatever is a text in `apple`. */
function textsOf({ fields, header, barcode, apple }: TemplateContent): string[] {
  return [
    header.organization_name,
    header.description,
    header.logo_text ?? "",
    barcode?.alt_text ?? "",
    ...fields.flatMap(({ label, default: value = "", change_message: message = "" }) => [
      label,
      value,
      message,
    ]),
    ...textsWithin(apple),
  ];
}

function textsWithin(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsWithin);
  return isMembers(value) ? Object.values(value).flatMap(textsWithin) : [];
}

/** Whether a text with tokens can be the key when they have got their values. */
function isMadeOf(key: string, pieces: readonly string[]): boolean {
  const [first = "", last = ""] = [pieces[0], pieces.at(-1)];
  return key.length >= first.length + last.length && key.startsWith(first) && key.endsWith(last);
}
