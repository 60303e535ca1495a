import { canBecome, literalPieces } from "../../passes/field-values.ts";
import type { TemplateType } from "../template.ts";
import type { FeatureName } from "./apple/features.ts";
import { suggestion } from "./closest-word.ts";
import { pointerTo } from "./findings.ts";
import { inWords, isMembers, type MemberReader, type Members, withArticle } from "./members.ts";
import { byteLength, fits, isChoice, type Member, type ObjectShape, type Shape, wanted } from "./shapes.ts";

export type ShapeCheck = {
  reader: MemberReader;
  type: TemplateType;
  /** Where each feature is used for the first time, as a JSON pointer. */
  uses: Map<FeatureName, string>;
  /** What becomes of a member or a value that is not known, behind «is». */
  unknown: string;
};

/** Checks a value by its shape, and all that is in it. A text with tokens is checked for what it can become. */
export function checkValue(check: ShapeCheck, value: unknown, shape: Shape, pointer: string): void {
  const { reader } = check;
  const pieces = typeof value === "string" ? literalPieces(value) : [];
  if (pieces.length > 1) {
    if (!canFit(pieces, shape)) {
      reader.fault(
        pointer,
        `must be ${wanted(shape)}, which ${JSON.stringify(value)} cannot become, whatever its tokens stand for`,
      );
    }
    return;
  }
  if (!fits(value, shape)) {
    reader.fault(pointer, `must be ${wanted(shape)}, not ${inWords(value)}${remedy(value, shape)}`);
    return;
  }
  if (shape.is === "choice") warnOfNewChoice(check, value, { shape, pointer });
  if (shape.is === "list" && Array.isArray(value)) checkList(check, value, { shape, pointer });
  if (shape.is === "object" && isMembers(value)) checkMembers(check, value, { shape, pointer });
}

function remedy(value: unknown, shape: Shape): string {
  if (typeof value !== "string") return "";
  if (shape.is === "choice") return choiceMeant(value, shape.values);
  if (shape.is === "text" && shape.maxBytes !== undefined && byteLength(value) > shape.maxBytes) {
    return `: it has ${byteLength(value)} bytes`;
  }
  const isQuoted = (shape.is === "number" && fits(Number(value), shape)) || /^(true|false)$/.test(value);
  return isQuoted && (shape.is === "number" || shape.is === "truth") ? ": remove the quotes" : "";
}

/** Apple's values begin with the name of their kind, which is what people leave out. */
function choiceMeant(value: string, values: readonly string[]): string {
  const short = value.toLowerCase();
  const meant = short === "" ? undefined : values.find((known) => known.toLowerCase().endsWith(short));
  return meant === undefined ? suggestion(value, values) : `: did you mean ${meant}?`;
}

function warnOfNewChoice(
  { reader, unknown }: ShapeCheck,
  value: unknown,
  { shape, pointer }: { shape: Shape & { is: "choice" }; pointer: string },
): void {
  if (typeof value !== "string" || isChoice(value, shape)) return;
  reader.warn(pointer, `is ${JSON.stringify(value)}, ${unknown}${suggestion(value, shape.values)}`);
}

function checkList(
  check: ShapeCheck,
  value: unknown[],
  { shape, pointer }: { shape: Shape & { is: "list" }; pointer: string },
): void {
  if (shape.most !== undefined && value.length > shape.most) {
    check.reader.fault(pointer, `has ${value.length} entries, and ${shape.most} are the most: remove some`);
  }
  value.forEach((item, i) => {
    checkValue(check, item, shape.of, pointerTo(pointer, i));
  });
}

/** Checks the members of an object; what is not known is warned of. */
export function checkMembers(
  check: ShapeCheck,
  value: Members,
  { shape, pointer }: { shape: ObjectShape; pointer: string },
): void {
  const { reader, unknown } = check;
  const known = shape.members;
  for (const [name, item] of Object.entries(value)) {
    const at = pointerTo(pointer, name);
    const member = Object.hasOwn(known, name) ? known[name] : undefined;
    if (member === undefined) {
      if (name !== "__proto__") reader.warn(at, `is ${unknown}${suggestion(name, Object.keys(known))}`);
    } else if (item !== null || !shape.merged || member.required) {
      checkMember(check, item, { name, member, beside: value, at });
    }
  }
  for (const [name, member] of Object.entries(known)) {
    if (member.required && !Object.hasOwn(value, name)) {
      reader.missing(pointerTo(pointer, name), wanted(member.shape));
    }
  }
  const isLacking = shape.oneOf?.every((name) => !Object.hasOwn(value, name)) ?? false;
  if (isLacking) reader.fault(pointer, `needs one of ${shape.oneOf?.join(", ")}`);
}

function checkMember(
  check: ShapeCheck,
  value: unknown,
  { name, member, beside, at }: { name: string; member: Member; beside: Members; at: string },
): void {
  const { reader, type, uses } = check;
  checkValue(check, value, member.shape, at);
  const { types, needs, feature } = member;
  if (needs !== undefined && !Object.hasOwn(beside, needs)) {
    reader.fault(
      at,
      `needs ${needs} beside it, without which Wallet refuses the pass: add it, or remove ${name}`,
    );
  }
  if (types !== undefined && !types.includes(type)) {
    const where = `is not for ${withArticle(type)}, only for ${types.join(" and ")}`;
    if (member.refusedElsewhere) reader.fault(at, `${where}: remove it`);
    else reader.warn(at, `${where}, and has no effect: remove it`);
  } else if (feature !== undefined && !uses.has(feature)) uses.set(feature, at);
}

/** Whether a text of these pieces can be of that shape when tokens between them have got their values. */
function canFit(pieces: readonly string[], shape: Shape): boolean {
  switch (shape.is) {
    case "text":
      return canFitText(pieces, shape);
    case "choice":
      return shape.open === true || shape.values.some((value) => canBecome(pieces, value));
    case "int64":
      return pieces.every((piece) => /^[\d-]*$/.test(piece));
    case "number":
      return pieces.every((piece) => /^[\d.-]*$/.test(piece));
    case "truth":
      return ["true", "false"].some((value) => canBecome(pieces, value));
    default:
      return shape.is === "text or number" || shape.is === "anything";
  }
}

function canFitText(pieces: readonly string[], { format, maxBytes }: Shape & { is: "text" }): boolean {
  if (maxBytes !== undefined && byteLength(pieces.join("")) > maxBytes) return false;
  if (format === undefined) return true;
  const [start = ""] = pieces;
  const { opening = "" } = format;
  const shared = Math.min(start.length, opening.length);
  const opens = start.slice(0, shared).toLowerCase() === opening.slice(0, shared);
  return opens && pieces.every((piece) => format.piece.test(piece));
}
