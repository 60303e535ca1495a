/** Reads JSON the way Google's servers map it onto protocol buffer messages: known members of the right type, or 400. */
import { enumerations } from "./enums.ts";
import { nestedShapes } from "./nested-shapes.ts";
import { resourceShapes } from "./resource-shapes.ts";

export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [member: string]: Json };

/** `field` is a path such as `textModulesData[2].body`; empty for the body itself. */
export type FieldViolation = { field: string; description: string };

type Member = { type: string; repeated: boolean };

export type Reader = {
  /**
   * `value` as a message of the named shape: enumerations in their stored spelling, 64-bit integers as strings,
   * members set to null left out unless `keepNulls` (a patch removes with them). Pushes every violation found.
   */
  read(
    shape: string,
    value: unknown,
    violations: FieldViolation[],
    options?: { keepNulls: boolean },
  ): JsonObject;
  /** Calls `visit` for every message inside `value`, itself included. */
  walk(
    shape: string,
    value: JsonObject,
    visit: (shape: string, message: JsonObject, path: string) => void,
  ): void;
  /** True where a message of this shape has such a member. */
  knows(shape: string, member: string): boolean;
};

export function createReader(): Reader {
  const enums = enumerations();
  const shapes = new Map(
    Object.entries({ ...nestedShapes, ...resourceShapes }).map(([name, text]) => [name, parseShape(text)]),
  );

  function message(
    shape: string,
    value: unknown,
    path: string,
    out: FieldViolation[],
    nulls: boolean,
  ): JsonObject {
    const members = shapes.get(shape) ?? new Map<string, Member>();
    const result: JsonObject = {};
    if (!isObject(value)) {
      out.push(wrongType(path, shape, value));
      return result;
    }
    for (const [name, given] of Object.entries(value)) {
      const member = members.get(name);
      if (member === undefined) {
        const where = path === "" ? "" : ` at '${path}'`;
        const description = `Invalid JSON payload received. Unknown name "${name}"${where}: Cannot find field.`;
        out.push({ field: path, description });
      } else if (given === null) {
        if (nulls) result[name] = null;
      } else {
        result[name] = field(member, given, path === "" ? name : `${path}.${name}`, out, nulls);
      }
    }
    return result;
  }

  function field(member: Member, given: unknown, path: string, out: FieldViolation[], nulls: boolean): Json {
    if (!member.repeated) return single(member.type, given, path, out, nulls);
    if (!Array.isArray(given)) {
      out.push(wrongType(path, "TYPE_REPEATED", given));
      return [];
    }
    return given.map((item, index) => single(member.type, item, `${path}[${index}]`, out, false));
  }

  function single(type: string, given: unknown, path: string, out: FieldViolation[], nulls: boolean): Json {
    if (type === "any") return null;
    if (shapes.has(type)) return message(type, given, path, out, nulls);
    const stored = type.startsWith("enum.")
      ? enums.get(type.slice(5))?.get(String(given))
      : scalar(type, given);
    if (stored !== undefined) return stored;
    out.push(wrongType(path, type, given));
    return null;
  }

  function walk(
    shape: string,
    value: JsonObject,
    visit: (shape: string, message: JsonObject, path: string) => void,
    path = "",
  ): void {
    visit(shape, value, path);
    for (const [name, given] of Object.entries(value)) {
      const type = shapes.get(shape)?.get(name)?.type ?? "";
      if (!shapes.has(type)) continue;
      const at = path === "" ? name : `${path}.${name}`;
      if (isObject(given)) walk(type, given as JsonObject, visit, at);
      else if (Array.isArray(given)) {
        given.forEach((item, index) => {
          if (isObject(item)) walk(type, item as JsonObject, visit, `${at}[${index}]`);
        });
      }
    }
  }

  return {
    read: (shape, value, violations, options) =>
      message(shape, value, "", violations, options?.keepNulls ?? false),
    walk,
    knows: (shape, member) => shapes.get(shape)?.has(member) ?? false,
  };
}

/** `name:type` words; a bare name is a string, `[]` means repeated. */
function parseShape(text: string): Map<string, Member> {
  const words = text.split(/\s+/).filter((word) => word !== "");
  return new Map(
    words.map((word) => {
      const [name = "", type = "string"] = word.split(":");
      return [name, { type: type.replace("[]", ""), repeated: type.endsWith("[]") }];
    }),
  );
}

/** The stored form of a scalar, or undefined when `given` is not one of that type (proto3 JSON mapping). */
function scalar(type: string, given: unknown): Json | undefined {
  switch (type) {
    case "string":
      return typeof given === "string" ? given : undefined;
    case "boolean":
      return typeof given === "boolean" ? given : undefined;
    case "double":
      return Number.isFinite(numeric(given)) ? numeric(given) : undefined;
    case "int32": {
      const number = numeric(given);
      return Number.isInteger(number) && Math.abs(number) < 2 ** 31 ? number : undefined;
    }
    case "int64": {
      const whole = typeof given === "number" ? Number.isSafeInteger(given) : isWholeText(given);
      return whole ? String(given) : undefined;
    }
    default:
      return undefined;
  }
}

function numeric(given: unknown): number {
  if (typeof given === "number") return given;
  return typeof given === "string" && given.trim() !== "" ? Number(given) : Number.NaN;
}

const isWholeText = (given: unknown): boolean => typeof given === "string" && /^-?\d{1,19}$/.test(given);

function wrongType(path: string, type: string, given: unknown): FieldViolation {
  const name = /^[a-z]/.test(type) && !type.startsWith("enum.") ? `TYPE_${type.toUpperCase()}` : type;
  return { field: path, description: `Invalid value at '${path}' (${name}), ${JSON.stringify(given)}` };
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
