import type { Answer, JsonSchema } from "../route.ts";

// The answers of success, as rows declare them.

/** 200 with a body. */
export function ok(description: string, schema: JsonSchema, example: unknown): Answer {
  return { status: 200, description, schema, example };
}

/** 202: written down, and a job carries it out. */
export function accepted(description: string, schema: JsonSchema, example: unknown): Answer {
  return { status: 202, description, schema, example, headers: ["Location"] };
}

/** 304 to an If-None-Match that still holds. */
export const notModified: Answer = {
  status: 304,
  description: "The caller has it already.",
  schema: null,
  headers: ["Cache-Control", "ETag"],
};

/** A document for browsers, of any status. */
export function page(status: number, description: string): Answer {
  return { status, description, mediaTypes: ["text/html"], schema: null, headers: ["Cache-Control"] };
}
