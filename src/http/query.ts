import { invalidRequest } from "../domain/errors.ts";
import type { PageRequest } from "../domain/page.ts";
import type { JsonSchema } from "./route.ts";

/** The members that every list takes. */
export const pageParameters = {
  page: {
    type: "integer",
    minimum: 1,
    maximum: 1_000_000_000,
    default: 1,
    description: "Which page, counted from 1.",
  },
  page_size: {
    type: "integer",
    minimum: 1,
    maximum: 100,
    default: 20,
    description: "How many entries a page has at most.",
  },
} as const;

export type PageQuery = { page?: number; page_size?: number };

export function pageOf(query: PageQuery): PageRequest {
  return { page: query.page ?? 1, pageSize: query.page_size ?? 20 };
}

/** A list as every endpoint answers it. */
export function listReply(items: readonly unknown[], total: number, { page, pageSize }: PageRequest) {
  return { status: 200, body: { data: items, total, page, page_size: pageSize } };
}

/** A query schema out of parameters; further parameters are ignored. */
export function querySchema(parameters: Record<string, JsonSchema>): JsonSchema {
  return { type: "object", properties: parameters };
}

/**
 * The parameters of a query that a schema knows, whole numbers as numbers. What is not a whole number stays text, and
 * the schema says so. A known parameter that stands twice is refused: which one counts would be a guess.
 */
export function parseQuery(query: string, schema: JsonSchema): Record<string, unknown> {
  const known = schema.properties as Record<string, JsonSchema>;
  const values: Record<string, unknown> = {};
  for (const [name, text] of new URLSearchParams(query)) {
    const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
    if (parameter === undefined) continue;
    if (Object.hasOwn(values, name)) throw invalidRequest([{ path: name, message: "must stand only once" }]);
    values[name] = parameter.type === "integer" && /^-?\d{1,15}$/.test(text) ? Number(text) : text;
  }
  return values;
}
