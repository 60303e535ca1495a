/** What a whole pass.json needs beside what its author wrote: both forms of a member that Apple has renamed, and formats that fit. */
import { isLatin1 } from "../../domain/templates/parsing/apple/check-barcodes.ts";
import { isPlainNumber } from "../../domain/templates/parsing/apple/check-fields.ts";
import { styleNames } from "../../domain/templates/parsing/apple/styles.ts";
import { isPassDate } from "../../domain/templates/parsing/text-formats.ts";
import { isObject, type JsonObject } from "./apple-members.ts";

/** `authored` is what of `members` the template has written itself: what it says, or takes away, stays so. */
export function completeMembers(members: JsonObject, authored: JsonObject): JsonObject {
  completeBarcodes(members, authored);
  completeRelevance(members, authored);
  for (const style of styleNames) {
    const fields = members[style];
    if (isObject(fields)) members[style] = fitFormats(fields);
  }
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
function fitFormats(style: JsonObject): JsonObject {
  const fitted = Object.entries(style).map(([group, fields]) => [
    group,
    Array.isArray(fields) ? fields.map(fitFormat) : fields,
  ]);
  return Object.fromEntries(fitted);
}

function fitFormat(field: unknown): unknown {
  return isObject(field) ? fitDate(fitNumber(field)) : field;
}

function fitNumber(field: JsonObject): JsonObject {
  const { value } = field;
  const isStyled = numberMembers.some((member) => field[member] !== undefined);
  if (!isStyled || typeof value !== "string") return field;
  return isPlainNumber(value) ? { ...field, value: Number(value) } : without(field, numberMembers);
}

function fitDate(field: JsonObject): JsonObject {
  const { value } = field;
  const isStyled = dateMembers.some((member) => field[member] !== undefined);
  const isDate = typeof value === "string" && isPassDate(value);
  return isStyled && !isDate ? without(field, dateMembers) : field;
}

function without(field: JsonObject, members: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(field).filter(([member]) => !members.includes(member)));
}
