import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { webUrlFault } from "../domain/billing/checkout.ts";
import { parseDateTime } from "../domain/date-time.ts";
import { invalidRequest, type Violation } from "../domain/errors.ts";
import { secretFault } from "../domain/webhooks/sign.ts";
import { urlFault } from "../domain/webhooks/target-url.ts";
import { pointerPart } from "./json-body.ts";
import type { JsonSchema } from "./route.ts";

export type Validator = (value: unknown) => void;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** What is wrong with a text of each format that a schema may name, or null. */
const formatFaults: Readonly<Record<string, (text: string) => string | null>> = {
  uuid: (text) => (uuid.test(text) ? null : "must be a UUID"),
  "date-time": (text) =>
    parseDateTime(text) === null ? "must be an RFC 3339 date-time, such as 2026-11-21T06:43:46Z" : null,
  "uri-template": webUrlFault,
  "webhook-url": urlFault,
  "webhook-secret": secretFault,
};

/** Compiles the schemas of the route table. A validator throws invalid_request that names every violation. */
export function createValidators() {
  // Verbose: an error brings along the value that it is about and the schema that it comes from.
  const ajv = new Ajv({
    allErrors: true,
    strict: true,
    // The members that exactlyOneOf requires are described beside it.
    strictRequired: false,
    allowUnionTypes: true,
    discriminator: true,
    verbose: true,
  });
  for (const [name, faultOf] of Object.entries(formatFaults)) {
    ajv.addFormat(name, (text) => faultOf(text) === null);
  }
  // What these say is checked by the domain, which can tell more of what is wrong; the document names them.
  for (const format of ["uri", "password"]) ajv.addFormat(format, true);
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
    // These say once more what the errors of the name, or of the tag, have said.
    if (error.keyword === "propertyNames" || error.keyword === "discriminator" || isAlternative(error))
      continue;
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
    } else if (error.keyword === "oneOf") {
      const names = (error.schema as { required: string[] }[]).flatMap(({ required }) => required);
      found.push({ path, message: `must have exactly one of ${names.join(" and ")}` });
    } else if (error.keyword === "enum") {
      const allowed = (params.allowedValues as unknown[]).join(", ");
      found.push({ path, message: `must be one of ${allowed}` });
    } else {
      const fault = error.keyword === "format" && formatFaults[params.format]?.(String(error.data));
      found.push({ path, message: fault || error.message || "is not valid" });
    }
  }
  return found;
}

/** One of the members of exactlyOneOf is missing: what that means is said once, for all of them. */
function isAlternative({ keyword, parentSchema }: ErrorObject): boolean {
  return keyword === "required" && Object.keys(parentSchema ?? {}).length === 1;
}
