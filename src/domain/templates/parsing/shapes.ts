import type { TemplateType } from "../template.ts";
import type { FeatureName } from "./apple/features.ts";
import type { TextFormat } from "./text-formats.ts";

/** What a value that goes to a wallet may be. The rules are data: the import, the rendering and the documents go by them. */
export type Shape =
  | { is: "text"; format?: TextFormat; filled?: boolean; maxBytes?: number }
  | { is: "choice"; values: readonly string[]; also?: readonly string[]; open?: boolean }
  | { is: "number"; min?: number; max?: number; whole?: boolean }
  | { is: "int64" }
  | { is: "truth" }
  | { is: "text or number" }
  | { is: "list"; of: Shape; most?: number }
  | ObjectShape
  | { is: "anything" };

export type ObjectShape = {
  is: "object";
  members: MemberTable;
  /** The names of the members that must be there. */
  required: readonly string[];
  /** One of these members at least must be there. */
  oneOf?: readonly string[];
  /** It is laid over what the service generates, so that null takes a member away. */
  merged?: boolean;
  /** What is not among the members may not go out. */
  closed?: boolean;
};

export type Member = {
  shape: Shape;
  required?: boolean;
  /** What it belongs to, and with that the iOS that it needs. */
  feature?: FeatureName;
  /** The only types of template whose passes may have it. */
  types?: readonly TemplateType[];
  /** Whether Wallet refuses it on the other types; otherwise it has no effect there. */
  refusedElsewhere?: boolean;
  /** Another member of the same object without which Wallet refuses this one. */
  needs?: string;
};

export type MemberTable = Readonly<Record<string, Member>>;

export const text: Shape = { is: "text" };
export const filledText: Shape = { is: "text", filled: true };
export const truth: Shape = { is: "truth" };
export const anything: Shape = { is: "anything" };

export const formatted = (format: TextFormat): Shape => ({ is: "text", format });
/**
 * One of these values, or `also` one of those, which are not spoken of. With `open`, what is not among them may be newer
 * than we are: it is kept.
 */
export const choice = (
  values: readonly string[],
  { open = false, also = [] }: { open?: boolean; also?: readonly string[] } = {},
): Shape => ({ is: "choice", values, also, open });
export const number = (bounds: { min?: number; max?: number; whole?: boolean } = {}): Shape => ({
  is: "number",
  ...bounds,
});
export const list = (of: Shape, bounds: { most?: number } = {}): Shape => ({ is: "list", of, ...bounds });
export function object(members: MemberTable, oneOf?: readonly string[]): ObjectShape {
  const required = Object.keys(members).filter((name) => members[name]?.required);
  return { is: "object", members, required, ...(oneOf !== undefined && { oneOf }) };
}

export const merged = (members: MemberTable): ObjectShape => ({ ...object(members), merged: true });

/** Members of the same shape, all optional. */
export function membersOf(
  shape: Shape,
  names: readonly string[],
  rules: Omit<Member, "shape"> = {},
): Record<string, Member> {
  return Object.fromEntries(names.map((name) => [name, { shape, ...rules }]));
}

/** What a value must be, in words behind «must be». */
export function wanted(shape: Shape): string {
  switch (shape.is) {
    case "text":
      return wantedText(shape);
    case "choice":
      return shape.open ? "text" : `one of ${shape.values.join(", ")}`;
    case "number":
      return wantedNumber(shape);
    case "int64":
      return "a whole number";
    case "truth":
      return "true or false";
    case "text or number":
      return "text or a number";
    case "list":
      return "an array";
    case "object":
      return "an object";
    case "anything":
      return "anything";
  }
}

function wantedText({ format, filled, maxBytes }: Shape & { is: "text" }): string {
  if (maxBytes !== undefined) return `text of ${filled ? 1 : 0} to ${maxBytes} bytes`;
  return format?.wanted ?? (filled ? "text that is not empty" : "text");
}

function wantedNumber({ min, max, whole }: { min?: number; max?: number; whole?: boolean }): string {
  const name = whole ? "a whole number" : "a number";
  if (min !== undefined && max !== undefined) return `${name} from ${min} to ${max}`;
  return min === undefined ? name : `${name} not below ${min}`;
}

/** Whether a value without parts is what its shape asks for; of lists and objects, whether it is one. */
export function fits(value: unknown, shape: Shape): boolean {
  switch (shape.is) {
    case "text":
      return typeof value === "string" && fitsText(value, shape);
    case "choice":
      return typeof value === "string" && (shape.open === true || isChoice(value, shape));
    case "number":
      return typeof value === "number" && fitsNumber(value, shape);
    case "int64":
      return typeof value === "string" ? /^-?\d{1,18}$/.test(value) : Number.isSafeInteger(value);
    case "truth":
      return typeof value === "boolean";
    case "text or number":
      return typeof value === "string" || typeof value === "number";
    case "list":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "anything":
      return true;
  }
}

export function isChoice(value: string, { values, also = [] }: Shape & { is: "choice" }): boolean {
  return values.includes(value) || also.includes(value);
}

function fitsText(value: string, { format, filled, maxBytes }: Shape & { is: "text" }): boolean {
  if (filled && value === "") return false;
  if (maxBytes !== undefined && byteLength(value) > maxBytes) return false;
  return format?.fits(value) ?? true;
}

function fitsNumber(value: number, { min, max, whole }: Shape & { is: "number" }): boolean {
  if (whole && !Number.isInteger(value)) return false;
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

export function byteLength(value: string): number {
  return new TextEncoder().encode(value).length;
}
