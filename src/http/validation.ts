import { Ajv, type ErrorObject, type FuncKeywordDefinition, type ValidateFunction } from "ajv";
import { parseDateTime } from "../domain/date-time.ts";
import { invalidRequest, type Violation } from "../domain/errors.ts";
import { pointerPart } from "./json-body.ts";
import type { JsonSchema } from "./route.ts";

export type Validator = (value: unknown) => void;

/** Compiles the schemas of the route table. A validator throws invalid_request that names every violation. */
export function createValidators() {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, discriminator: true });
  ajv.addFormat("uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  ajv.addFormat("date-time", (text) => parseDateTime(text) !== null);
  ajv.addKeyword("example");
  ajv.addKeyword(exactlyOneOf);
  const validator = (schema: JsonSchema, pathOf: (error: ErrorObject) => string): Validator => {
    const validate: ValidateFunction = ajv.compile(schema);
    return (value) => {
      if (validate(value)) return;
      throw invalidRequest(violations(validate.errors ?? [], pathOf));
    };
  };
  return {
    forBody: (schema: JsonSchema) => validator(schema, (error) => error.instancePath),
    /** Query parameters are named as they are written: no pointer. */
    forQuery: (schema: JsonSchema) => validator(schema, (error) => error.instancePath.slice(1)),
  };
}

/** Of these members exactly one must be there: what a schema could say only in a way that explains nothing. */
const exactlyOneOf: FuncKeywordDefinition = {
  keyword: "x-exactly-one-of",
  type: "object",
  schemaType: "array",
  validate: (names: readonly string[], value: Record<string, unknown>) =>
    names.filter((name) => Object.hasOwn(value, name)).length === 1,
  error: { message: ({ schema }) => `must have exactly one of ${(schema as string[]).join(" and ")}` },
};

function violations(errors: readonly ErrorObject[], pathOf: (error: ErrorObject) => string): Violation[] {
  const found: Violation[] = [];
  for (const error of errors) {
    // These say once more what the errors of the name, or of the tag, have said.
    if (error.keyword === "propertyNames" || error.keyword === "discriminator") continue;
    const path = pathOf(error);
    const { params } = error;
    if (error.propertyName !== undefined) {
      found.push({
        path: `${path}/${pointerPart(error.propertyName)}`,
        message: `has a name that ${error.message}`,
      });
    } else if (error.keyword === "required") {
      found.push({ path: `${path}/${pointerPart(String(params.missingProperty))}`, message: "is required" });
    } else if (error.keyword === "additionalProperties") {
      const name = pointerPart(String(params.additionalProperty));
      found.push({ path: `${path}/${name}`, message: "is not a known member" });
    } else if (error.keyword === "enum") {
      const allowed = (params.allowedValues as unknown[]).join(", ");
      found.push({ path, message: `must be one of ${allowed}` });
    } else if (error.keyword === "format" && params.format === "uuid") {
      found.push({ path, message: "must be a UUID" });
    } else if (error.keyword === "format" && params.format === "date-time") {
      found.push({ path, message: "must be an RFC 3339 date-time, such as 2026-11-21T06:43:46Z" });
    } else {
      found.push({ path, message: error.message ?? "is not valid" });
    }
  }
  return found;
}
