import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { webUrlFault } from "../domain/billing/checkout.ts";
import { parseDateTime } from "../domain/date-time.ts";
import { invalidRequest, type Violation } from "../domain/errors.ts";
import { secretFault } from "../domain/webhooks/sign.ts";
import { urlFault } from "../domain/webhooks/target-url.ts";
import { pointerPart } from "./json-body.ts";
import { pageTokensFault } from "./page-tokens.ts";
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
  "page-tokens": pageTokensFault,
};

/**
 * Validators of the schemas of the route table; they throw invalid_request that names every violation. Each is compiled
 * when it is first used: all of them together would be a fifth of a process's start.
 */
export function createValidators() {
  const all = checksBy(createAjv({ allErrors: true }));
  const first = checksBy(createAjv({ allErrors: false }));
  return {
    forBody: (schema: JsonSchema) => refusing(() => bodyCheck(schema, { all, first })),
    /** Query parameters are named as they are written: no pointer. */
    forQuery: (schema: JsonSchema) => refusing(() => all(schema, (pointer) => pointer.slice(1))),
  };
}

function createAjv({ allErrors }: { allErrors: boolean }): Ajv {
  // Verbose: an error brings along the value that it is about and the schema that it comes from.
  const ajv = new Ajv({
    allErrors,
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
  return ajv;
}

type Check = (value: unknown) => Violation[];
type PathOf = (pointer: string) => string;
type Checks = (schema: JsonSchema, pathOf?: PathOf) => Check;

function checksBy(ajv: Ajv): Checks {
  return (schema, pathOf = (pointer) => pointer) => {
    const validate: ValidateFunction = ajv.compile(schema);
    return (value) => (validate(value) ? [] : violations(validate.errors ?? [], pathOf));
  };
}

function refusing(compile: () => Check): Validator {
  let check: Check | undefined;
  return (value) => {
    check ??= compile();
    const found = check(value);
    if (found.length > 0) throw invalidRequest(found);
  };
}

/** From this length on a list's entries are checked one by one. */
const longList = 1000;
/** After so many violations one of each further entry is enough. */
const enoughViolations = 100;

/**
 * The check of a body. To find all that is wrong with each of ten thousand entries of a list would keep everybody else waiting
 * for seconds, and nobody reads it: in the end only the first fault of an entry is looked for.
 */
function bodyCheck(schema: JsonSchema, { all, first }: { all: Checks; first: Checks }): Check {
  const properties = (schema.properties ?? {}) as Record<string, JsonSchema>;
  const long = Object.entries(properties).find(([, { maxItems }]) => Number(maxItems) >= longList);
  if (long === undefined) return all(schema);
  const [name, { items, ...list }] = long;
  const checkWhole = all({ ...schema, properties: { ...properties, [name]: { ...list, items: {} } } });
  const [checkAll, checkFirst] = [all(items as JsonSchema), first(items as JsonSchema)];
  return (value) => {
    const found = checkWhole(value);
    const entries = (value as Record<string, unknown>)[name];
    if (!Array.isArray(entries) || entries.length > Number(list.maxItems)) return found;
    for (const [index, entry] of entries.entries()) {
      const few = found.length < enoughViolations ? checkAll(entry) : checkFirst(entry).slice(0, 1);
      found.push(...few.map(({ path, message }) => ({ path: `/${name}/${index}${path}`, message })));
    }
    return found;
  };
}

function violations(errors: readonly ErrorObject[], pathOf: PathOf): Violation[] {
  const found: Violation[] = [];
  for (const error of errors) {
    // These say once more what the errors of the name, or of the tag, have said.
    if (error.keyword === "propertyNames" || error.keyword === "discriminator" || isAlternative(error))
      continue;
    const { params, instancePath } = error;
    const path = pathOf(instancePath);
    const pathOfMember = (name: unknown) => pathOf(`${instancePath}/${pointerPart(String(name))}`);
    if (error.propertyName !== undefined) {
      found.push({ path: pathOfMember(error.propertyName), message: `has a name that ${error.message}` });
    } else if (error.keyword === "required") {
      found.push({ path: pathOfMember(params.missingProperty), message: "is required" });
    } else if (error.keyword === "additionalProperties") {
      found.push({ path: pathOfMember(params.additionalProperty), message: "is not a known member" });
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
