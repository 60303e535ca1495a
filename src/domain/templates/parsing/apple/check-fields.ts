import { literalPieces } from "../../../passes/field-values.ts";
import type { BarcodeFormat } from "../../template.ts";
import { isMembers, type MemberReader, type Members } from "../members.ts";
import { isPassDate } from "../text-formats.ts";
import { fieldGroups } from "./field-members.ts";
import { type PlacedField, placeFields, type TemplateParts } from "./placed-fields.ts";

/** How many fields Wallet shows in a group: https://developer.apple.com/library/archive/documentation/UserExperience/Conceptual/PassKit_PG/Creating.html */
export const mostShown: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  boardingPass: { headerFields: 3, primaryFields: 2, secondaryFields: 4, auxiliaryFields: 5 },
  coupon: { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4 },
  eventTicket: { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4 },
  generic: { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4 },
  storeCard: { headerFields: 3, primaryFields: 1, secondaryFields: 4, auxiliaryFields: 4 },
  posterGeneric: { headerFields: 3, footerFields: 1 },
};

/** Beside a square barcode these have room for one row of both groups. */
const sharedRow = {
  styles: ["coupon", "generic", "storeCard"],
  groups: ["secondaryFields", "auxiliaryFields"],
  most: 4,
};
const squareBarcodes: readonly BarcodeFormat[] = ["qr", "aztec"];

/** Checks the fields of a style against each other and against the template's own. */
export function checkFields(
  reader: MemberReader,
  context: { style: string; apple: Members; parts: TemplateParts },
): void {
  const { style, apple, parts } = context;
  const fields = placeFields(reader, context);
  for (const field of fields) checkField(reader, field);
  warnOfCrowds(reader, { style, fields, parts });
  const authored = isMembers(apple[style]) ? apple[style] : {};
  if (style !== "boardingPass" && Object.hasOwn(authored, "transitType")) {
    reader.fault(`/apple/${style}/transitType`, "belongs to the style boardingPass only: remove it");
  }
  for (const [group, { styles }] of Object.entries(fieldGroups)) {
    if (!Object.hasOwn(authored, group) || styles === undefined || styles.includes(style)) continue;
    reader.warn(
      `/apple/${style}/${group}`,
      `is not shown on the style ${style}, only on ${styles.join(" and ")}: move its fields`,
    );
  }
}

/** What is only told of a field: a member that has no effect where it stands, or that another one contradicts. */
function checkField(reader: MemberReader, field: PlacedField): void {
  const { members, pointer, group } = field;
  const has = (name: string): boolean => (members[name] ?? null) !== null;
  const warn = (name: string, isSo: boolean, message: string): void => {
    if (has(name) && isSo) reader.warn(`${pointer}/${name}`, message);
  };
  const isDated = has("dateStyle") || has("timeStyle");
  const isNumber = has("numberStyle") || has("currencyCode");
  warn(
    "changeMessage",
    !String(members.changeMessage).includes("%@") && !hasTokens(members.changeMessage),
    "has no %@, so an iPhone tells of the change in general words: put %@ where the new value belongs",
  );
  warn(
    "textAlignment",
    ["primaryFields", "backFields"].includes(group),
    `has no effect in ${group}: remove it`,
  );
  warn("dataDetectorTypes", group !== "backFields", "has no effect outside of backFields: remove it");
  warn(
    "row",
    group !== "auxiliaryFields" || field.style !== "eventTicket",
    "has no effect outside of eventTicket's auxiliaryFields: remove it",
  );
  for (const name of ["isRelative", "ignoresTimeZone"]) {
    warn(name, !isDated, "has no effect without dateStyle or timeStyle: add one, or remove it");
  }
  warn("currencyCode", has("numberStyle"), "contradicts numberStyle: remove one of them");
  for (const name of ["dateStyle", "timeStyle"]) {
    warn(name, isNumber, "contradicts numberStyle and currencyCode: a value is a date or a number");
  }
  warn(
    "attributedValue",
    /<(?!\/?a[\s>])/i.test(String(members.attributedValue)),
    "has a tag other than <a href>, the only one that Wallet reads: remove it",
  );
  if (isDated)
    checkLiteral(reader, field, { isRight: isPassDate, wanted: "a complete date with a time zone" });
  else if (isNumber) checkLiteral(reader, field, { isRight: isPlainNumber, wanted: "a plain number" });
}

/** At most 15 significant digits, so that a double holds the number as it was written. */
export function isPlainNumber(text: string): boolean {
  return /^-?(?=[\d.]{1,16}$)\d{1,15}(\.\d+)?$/.test(text);
}

function hasTokens(value: unknown): boolean {
  return typeof value === "string" && literalPieces(value).length > 1;
}

/** A value that its style cannot format is shown as the text that it is. */
function checkLiteral(
  reader: MemberReader,
  { members, pointer, origin }: PlacedField,
  { isRight, wanted }: { isRight: (text: string) => boolean; wanted: string },
): void {
  const own = members.value ?? null;
  const value = own === null ? origin?.default : own;
  if (value === undefined || value === "" || hasTokens(value)) return;
  const isNumber = typeof value === "number" && isRight === isPlainNumber;
  if (isNumber || (typeof value === "string" && isRight(value))) return;
  const [at, which] =
    own === null
      ? [pointer, `formats the field's default, ${JSON.stringify(value)}`]
      : [`${pointer}/value`, `is ${JSON.stringify(value)}`];
  reader.warn(at, `${which}, which is not ${wanted}, and shown as it is: change it, or remove the style`);
}

function warnOfCrowds(
  reader: MemberReader,
  { style, fields, parts }: { style: string; fields: PlacedField[]; parts: TemplateParts },
): void {
  const inGroups = (groups: readonly string[], row?: number): PlacedField[] =>
    fields.filter(
      ({ group, members }) => groups.includes(group) && (row === undefined || (members.row ?? 0) === row),
    );
  const warnOf = (crowd: PlacedField[], most: number, place: string): void => {
    const first = crowd[most];
    if (first === undefined) return;
    reader.warn(
      first.pointer,
      `is one of ${crowd.length} fields in ${place}, of which Wallet shows ${most} on ${style}: move some to the back`,
    );
  };
  for (const [group, most] of Object.entries(mostShown[style] ?? {})) {
    const rows = style === "eventTicket" && group === "auxiliaryFields" ? [0, 1] : [undefined];
    for (const row of rows) warnOf(inGroups([group], row), most, row === 1 ? `${group}, row 1` : group);
  }
  const isSquare = parts.barcode !== null && squareBarcodes.includes(parts.barcode.format);
  const { styles, groups, most } = sharedRow;
  const isCrowded = groups.some((group) => inGroups([group]).length > most);
  if (isSquare && !isCrowded && styles.includes(style)) {
    warnOf(inGroups(groups), most, `${groups.join(" and ")} beside a square barcode`);
  }
}
