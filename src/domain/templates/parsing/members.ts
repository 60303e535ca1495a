import { suggestion } from "./closest-word.ts";
import { type Findings, memberPath, pointerTo } from "./findings.ts";

export type Members = Record<string, unknown>;

export type TextRules = { max: number; min?: number; singleLine?: boolean };

/**
 * Reads members of template.json by what they must be. Each answers with a value of the right type whatever it finds, so
 * that reading goes on and every mistake is told. Places are JSON pointers.
 */
export type MemberReader = ReturnType<typeof createMemberReader>;

const colour = /^#[0-9a-f]{6}$/i;
const shortColour = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i;

export function createMemberReader(findings: Findings) {
  const fault = (pointer: string, message: string): void => findings.fault(memberPath(pointer), message);
  const warn = (pointer: string, message: string): void => findings.warn(memberPath(pointer), message);
  const note = (pointer: string, message: string): void => findings.note(memberPath(pointer), message);
  /** Of what is no object at all it is not said that its members are missing. */
  const missing = (pointer: string, wanted: string): void => {
    const parent = pointer.slice(0, pointer.lastIndexOf("/"));
    if (!findings.isFaulty(memberPath(parent))) fault(pointer, `is required: ${wanted}`);
  };

  return {
    fault,
    warn,
    note,
    missing,

    /** An object with these members and no others. */
    object(value: unknown, pointer: string, known: readonly string[]): Members {
      if (!isMembers(value)) {
        if (value === undefined) missing(pointer, "an object");
        else fault(pointer, `must be an object, not ${inWords(value)}`);
        return {};
      }
      for (const name of Object.keys(value)) {
        if (known.includes(name)) continue;
        const meant = suggestion(name, known);
        const remedy = meant === "" ? `: remove it, or use one of ${known.join(", ")}` : meant;
        fault(pointerTo(pointer, name), `is not known here${remedy}`);
      }
      return value;
    },

    list(value: unknown, pointer: string): unknown[] {
      if (Array.isArray(value)) return value;
      if (value === undefined) missing(pointer, "an array");
      else fault(pointer, `must be an array, not ${inWords(value)}`);
      return [];
    },

    /** Lengths are counted in Unicode code points. */
    text(value: unknown, pointer: string, { max, min = 1, singleLine = false }: TextRules): string {
      if (typeof value !== "string") {
        const wanted = `text of ${min} to ${max} characters`;
        if (value === undefined) missing(pointer, wanted);
        else fault(pointer, `must be ${wanted}, not ${inWords(value)}`);
        return "";
      }
      const length = [...value].length;
      if (length < min || length > max) {
        fault(pointer, `must have ${min} to ${max} characters, and has ${length}`);
      }
      if (singleLine && /\p{Cc}/u.test(value)) {
        fault(pointer, "must be a single line without control characters");
      }
      return value;
    },

    /** One of the known values; the first of them where it is none. */
    oneOf<const Value extends string>(value: unknown, pointer: string, known: readonly Value[]): Value {
      const found = known.find((candidate) => candidate === value);
      if (found !== undefined) return found;
      const wanted = `one of ${known.join(", ")}`;
      if (value === undefined) missing(pointer, wanted);
      else if (typeof value !== "string") fault(pointer, `must be ${wanted}, not ${inWords(value)}`);
      else fault(pointer, `must be ${wanted}, not ${JSON.stringify(value)}${suggestion(value, known)}`);
      return known[0] as Value;
    },

    colour(value: unknown, pointer: string): string {
      if (typeof value === "string" && colour.test(value)) return value.toLowerCase();
      if (value === undefined) missing(pointer, "a colour as #rrggbb");
      else {
        const found = typeof value === "string" ? JSON.stringify(value) : inWords(value);
        fault(pointer, `must be a colour as #rrggbb, not ${found}${longColour(value)}`);
      }
      return "#000000";
    },
  };
}

function longColour(value: unknown): string {
  const [, ...digits] = (typeof value === "string" && shortColour.exec(value)) || [];
  return digits.length === 0 ? "" : `: did you mean #${digits.map((digit) => digit + digit).join("")}?`;
}

export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What a JSON value is, in words. */
export function inWords(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `the ${typeof value} ${JSON.stringify(value)}`;
}

/** The name with «a» or «an» before it. */
export function withArticle(name: string): string {
  return `${/^[aeiou]/i.test(name) ? "an" : "a"} ${name}`;
}
