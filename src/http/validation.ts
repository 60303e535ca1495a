import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { parseDateTime } from "../domain/date-time.ts";
import { invalidRequest, type Violation } from "../domain/errors.ts";
import { pointerPart } from "./json-body.ts";
import type { JsonSchema } from "./route.ts";

/** A pattern whose violation is said in words. */
export const httpsOnly = "^[Hh][Tt][Tt][Pp][Ss]://";

export type Validator = (value: unknown) => void;

/** Compiles the schemas of the route table. A validator throws invalid_request that names every violation. */
export function createValidators() {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, discriminator: true });
  ajv.addFormat("uuid", /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i);
  ajv.addFormat("date-time", (text) => parseDateTime(text) !== null);
  // What these say is checked by the domain, which can tell more of what is wrong; the document names them.
  for (const format of ["uri", "uri-template", "password"]) ajv.addFormat(format, true);
  ajv.addKeyword("example");
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

function violations(errors: readonly ErrorObject[], pathOf: (error: ErrorObject) => string): Violation[] {
  const found: Violation[] = [];
  for (const error of errors) {
    // Says once more what the errors of the name itself have said.
    if (error.keyword === "propertyNames") continue;
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
    } else if (error.keyword === "pattern" && params.pattern === httpsOnly) {
      found.push({ path, message: "must begin with https://" });
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
