import { externalRefSchema } from "../pass-schemas.ts";
import type { JsonSchema, Route } from "../route.ts";
import { described, uuid } from "./schemas/scalars.ts";

type Parameter = {
  name: string;
  in: "path" | "query" | "header";
  description: string;
  required: boolean;
  schema: JsonSchema;
  example?: unknown;
};

/** Parts of paths that mean the same in every row. */
const pathParts: Readonly<Record<string, JsonSchema>> = {
  id: described("The resource's id.", uuid),
  externalRef: described(
    "The caller's own reference, percent-encoded. One with a slash does not fit into a path: use the pass's id.",
    { ...externalRefSchema, example: "customer-4711" },
  ),
};

export const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Makes the request safe to send again: within 24 hours the same key and body get the first answer, and nothing is done twice. 1 to 255 visible ASCII characters, bare or quoted.",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 257, pattern: "^[!-~]+$" },
  example: "order-4711",
};

export const ifNoneMatch: Parameter = {
  name: "If-None-Match",
  in: "header",
  description: "The ETag of what the caller has: 304 when it is still the same.",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 1000, pattern: "^[ -~]+$" },
  example: '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
};

export const ifModifiedSince: Parameter = {
  name: "If-Modified-Since",
  in: "header",
  description:
    "The Last-Modified of what the caller has: 304 when it is still the same. Counts without If-None-Match.",
  required: false,
  schema: { type: "string", minLength: 1, maxLength: 100, pattern: "^[ -~]+$" },
  example: "Sat, 21 Nov 2026 06:43:47 GMT",
};

/** The parameters of a row: the parts of its path, its query, and the headers that its policy gives a meaning. */
export function parametersOf(row: Route): (Parameter | { $ref: string })[] {
  const query = (row.query?.properties ?? {}) as Record<string, JsonSchema>;
  const needed = (row.query?.required ?? []) as string[];
  return [
    ...namedParts(row.path).map((name) => pathParameter(row, name)),
    ...Object.entries(query).map(([name, schema]) => ({
      ...parameter(name, "query", schema),
      required: needed.includes(name),
    })),
    ...Object.entries(row.headerParameters ?? {}).map(([name, schema]) => ({
      ...parameter(name, "header", schema),
      required: true,
    })),
    ...(row.idempotent ? [{ $ref: "#/components/parameters/Idempotency-Key" }] : []),
    ...validatorsOf(row).map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
}

/** The headers that make a request conditional, where the row's 304 bears what they are compared with. */
function validatorsOf({ answers }: Route): string[] {
  const unchanged = answers.find(({ status }) => status === 304);
  if (unchanged === undefined) return [];
  return unchanged.headers?.includes("Last-Modified")
    ? ["If-None-Match", "If-Modified-Since"]
    : ["If-None-Match"];
}

function namedParts(path: string): string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = ""]) => name);
}

function pathParameter(row: Route, name: string): Parameter {
  const schema = row.pathParameters?.[name] ?? pathParts[name];
  if (schema === undefined)
    throw new Error(`${row.method} ${row.path}: pathParameters says nothing of ${name}`);
  return { ...parameter(name, "path", schema), required: true };
}

function parameter(name: string, place: Parameter["in"], schema: JsonSchema): Parameter {
  const { description, example, ...rest } = schema;
  if (typeof description !== "string") throw new Error(`the ${place} parameter ${name} has no description`);
  return {
    name,
    in: place,
    description,
    required: false,
    schema: rest,
    ...(example !== undefined && { example }),
  };
}
