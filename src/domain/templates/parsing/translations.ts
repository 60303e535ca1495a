import { canBecome, literalPieces } from "../../passes/field-values.ts";
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
  const isUsed = (key: string): boolean =>
    texts.has(key) || patterns.some((pieces) => canBecome(pieces, key));
  for (const [path, bytes] of stringsFiles(files)) {
    const reading = readPassStrings(bytes);
    if (!("keys" in reading)) continue;
    const at = `${imageFolder}/${path}`;
    const seen = new Set<string>();
    const unused: { key: string; line: number }[] = [];
    for (const { key, line } of reading.keys) {
      if (seen.has(key)) findings.warn(at, `translates ${named({ key, line })} again: remove one of them`);
      else if (!isUsed(key)) unused.push({ key, line });
      seen.add(key);
    }
    warnOfUnused(unused, { at, texts }, findings);
  }
}

const named = ({ key, line }: { key: string; line: number }): string =>
  `${JSON.stringify(key)} in line ${line}`;

/** How many are named, lest the file of another template fills the screen. */
const mostNamed = 10;
/** Nobody misspells a whole paragraph, and comparing takes the product of both lengths. */
const longestMeant = 100;

function warnOfUnused(
  unused: { key: string; line: number }[],
  { at, texts }: { at: string; texts: ReadonlySet<string> },
  findings: Findings,
): void {
  const short = [...texts].filter(({ length }) => length <= longestMeant);
  for (const entry of unused.slice(0, mostNamed)) {
    const { key } = entry;
    const meant = key.length <= longestMeant ? suggestion(key, short) : "";
    const remedy = meant === "" ? ": remove it, unless passes bring it as a value" : meant;
    findings.warn(at, `translates ${named(entry)}, which no text of the template is${remedy}`);
  }
  const others = unused.length - mostNamed;
  if (others > 0) findings.warn(at, `translates ${others} more that no text of the template is`);
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
    header.page_text ?? "",
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
