/** What a whole pass.json needs beside what its author wrote: both forms of a member that Apple has renamed, and formats that fit. */
import { isLatin1 } from "../../domain/templates/parsing/apple/check-barcodes.ts";
import { isPlainNumber } from "../../domain/templates/parsing/apple/check-fields.ts";
import { styleNames } from "../../domain/templates/parsing/apple/styles.ts";
import { isPassDate } from "../../domain/templates/parsing/apple/text-formats.ts";
import { isObject, type JsonObject } from "./apple-members.ts";

/** `authored` is what of `members` the template has written itself: what it says, or takes away, stays so. */
export function completeMembers(members: JsonObject, authored: JsonObject): JsonObject {
  completeBarcodes(members, authored);
  completeRelevance(members, authored);
  for (const style of styleNames) fitFormats(members[style]);
  return members;
}

/** The formats that the deprecated `barcode` knows, for iOS 8 and older. */
const oldest = ["PKBarcodeFormatQR", "PKBarcodeFormatPDF417", "PKBarcodeFormatAztec"];

function completeBarcodes(members: JsonObject, authored: JsonObject): void {
  const own = Array.isArray(authored.barcodes) ? authored.barcodes : null;
  if (own !== null) members.barcodes = own.map(encoded);
  if (isObject(authored.barcode)) members.barcode = encoded(authored.barcode);
  if (own === null || Object.hasOwn(authored, "barcode")) return;
  const old = (members.barcodes as unknown[]).find(
    (barcode) => isObject(barcode) && oldest.includes(String(barcode.format)),
  );
  if (old === undefined) delete members.barcode;
  else members.barcode = old;
}

/** Wallet refuses a barcode whose message its encoding has no characters for. */
function encoded(barcode: unknown): unknown {
  if (!isObject(barcode) || typeof barcode.message !== "string") return barcode;
  const given = typeof barcode.messageEncoding === "string" ? barcode.messageEncoding : "iso-8859-1";
  const fits = given.toLowerCase() !== "iso-8859-1" || isLatin1(barcode.message);
  return { ...barcode, messageEncoding: fits ? given : "utf-8" };
}

/** `relevantDates` is for iOS 18 and newer, `relevantDate` for older ones. */
function completeRelevance(members: JsonObject, authored: JsonObject): void {
  const { relevantDate } = members;
  if (typeof relevantDate === "string" && !Object.hasOwn(authored, "relevantDates")) {
    members.relevantDates = [{ date: relevantDate }];
  }
  if (!Array.isArray(members.relevantDates)) return;
  const instants: JsonObject[] = members.relevantDates.filter(isObject).map(underBothNames);
  members.relevantDates = instants;
  const [first] = instants;
  const instant = first?.startDate ?? first?.date;
  if (instant !== undefined && !Object.hasOwn(authored, "relevantDate")) members.relevantDate = instant;
}

/** What iOS 26 reads as `date` of an entry, iOS 18 calls `relevantDate`. */
function underBothNames(entry: JsonObject): JsonObject {
  const instant = entry.date ?? entry.relevantDate;
  return instant === undefined ? entry : { date: instant, relevantDate: instant, ...entry };
}

const dateMembers = ["dateStyle", "timeStyle", "isRelative", "ignoresTimeZone"];
const numberMembers = ["numberStyle", "currencyCode"];

/**
 * Wallet formats only numbers as numbers and only complete dates as dates, and refuses a pass that has it do otherwise.
 * A value that reads as a number becomes one; what cannot be formatted is shown as the text that it is.
 */
function fitFormats(style: unknown): void {
  const lists = isObject(style) ? Object.values(style) : [];
  for (const field of lists.filter(Array.isArray).flat()) {
    if (!isObject(field)) continue;
    const has = (member: string): boolean => field[member] !== undefined;
    if (numberMembers.some(has) && typeof field.value === "string") {
      if (isPlainNumber(field.value)) field.value = Number(field.value);
      else for (const member of numberMembers) delete field[member];
    }
    if (dateMembers.some(has) && !(typeof field.value === "string" && isPassDate(field.value))) {
      for (const member of dateMembers) delete field[member];
    }
  }
}
