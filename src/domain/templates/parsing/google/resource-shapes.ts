import {
  type Member,
  type MemberTable,
  type ObjectShape,
  object,
  type Shape,
  text,
  truth,
} from "../shapes.ts";
import { enumerations, schemas } from "./api-description.ts";
import { enumeration, everywhere, listOf, schemaRules } from "./member-rules.ts";
import type { PassKind } from "./pass-kind.ts";

export type GooglePart = "class" | "object";

/** `whole`: as Google wants it in the end. `part`: as a template may write it, for the service to complete. */
type Completeness = "whole" | "part";

const built = new Map<string, ObjectShape>();

/** The class or object of a kind, by Google's description of its API. */
export function resourceShape(
  kind: PassKind,
  part: GooglePart,
  completeness: Completeness = "whole",
): ObjectShape {
  const schema = `${capitalised(kind)}${capitalised(part)}`;
  return schemaShape(schema, completeness);
}

function schemaShape(schema: string, completeness: Completeness): ObjectShape {
  const key = `${schema} ${completeness}`;
  const shape = built.get(key) ?? buildShape(schema, completeness);
  built.set(key, shape);
  return shape;
}

function buildShape(schema: string, completeness: Completeness): ObjectShape {
  const rules = schemaRules[schema] ?? {};
  const isOpen = completeness === "part" && rules.merged === true;
  const required = isOpen ? [] : (rules.required ?? []);
  const members: MemberTable = Object.fromEntries(
    (schemas[schema] ?? "").split(" ").map((word): [string, Member] => {
      const [name = "", type = "string"] = word.split(":");
      const shape = rules.members?.[name] ?? everywhere[name] ?? typed(type, name, completeness);
      return [name, { shape, ...(required.includes(name) && { required: true }) }];
    }),
  );
  return { ...object(members, isOpen ? undefined : rules.oneOf), merged: true, closed: true };
}

function typed(type: string, name: string, completeness: Completeness): Shape {
  // Lists are replaced whole, so what is in them has to be whole.
  if (type.endsWith("[]")) return listOf(typed(type.slice(0, -2), name, "whole"), name);
  if (type.startsWith("enum.")) return enumeration(enumerations[type.slice(5)] ?? "");
  switch (type) {
    case "string":
      return text;
    case "boolean":
      return truth;
    case "double":
      return { is: "number" };
    case "int32":
      return { is: "number", whole: true, min: -(2 ** 31), max: 2 ** 31 - 1 };
    case "int64":
      return { is: "int64" };
    default:
      return schemaShape(type, completeness);
  }
}

const capitalised = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
