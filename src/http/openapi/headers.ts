import { isCrossOrigin } from "../cors.ts";
import type { AnswerHeader, JsonSchema, Route } from "../route.ts";
import { boolean, integer, uri } from "./schemas/scalars.ts";

type Name =
  | AnswerHeader
  | "Access-Control-Allow-Origin"
  | "Idempotent-Replayed"
  | "RateLimit-Limit"
  | "RateLimit-Remaining"
  | "RateLimit-Reset"
  | "WWW-Authenticate"
  | "X-Trace-Id";

type Header = { description: string; required?: true; schema: JsonSchema; example: unknown };

/** Every header of an answer that says something of its own. */
export const headers: Readonly<Record<Name, Header>> = {
  "X-Trace-Id": {
    description: "Names this request in the logs; the trace-id of a valid `traceparent`, else a fresh one.",
    required: true,
    schema: { type: "string", pattern: "^[0-9a-f]{32}$", maxLength: 32 },
    example: "4bf92f3577b34da6a3ce929d0e0e4736",
  },
  "Access-Control-Allow-Origin": {
    description: "The caller's origin, where the operator allows its scripts to call the API.",
    schema: { type: "string", format: "uri", maxLength: 2048 },
    example: "https://shop.example.com",
  },
  "Cache-Control": {
    description: "How long the answer may be kept.",
    schema: { type: "string", pattern: "^[ -~]+$", maxLength: 100 },
    example: "no-store",
  },
  "Content-Disposition": {
    description: "The name to save the file under.",
    schema: { type: "string", pattern: "^[ -~]+$", maxLength: 100 },
    example: 'attachment; filename="pass.pkpass"',
  },
  ETag: {
    description: "Names this state of the body: send it back as If-None-Match.",
    schema: { type: "string", pattern: '^(W/)?"[!#-~]*"$', maxLength: 100 },
    example: '"n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg"',
  },
  "Idempotent-Replayed": {
    description: "Present when this answers a repeat: nothing was done again.",
    schema: boolean,
    example: true,
  },
  "Last-Modified": {
    description: "When the body last changed.",
    schema: {
      type: "string",
      pattern: "^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT$",
      maxLength: 29,
    },
    example: "Sat, 21 Nov 2026 06:43:47 GMT",
  },
  Location: {
    description: "The job that carries the request out, or the resource that was made.",
    schema: uri,
    example: "https://passes.example.com/api/v1/jobs/0199c3b7-2e70-7b16-8d23-7e50ac1b2f63",
  },
  "RateLimit-Limit": {
    description: "How many requests a window takes, or how many things there may be.",
    required: true,
    schema: integer(1, 2_147_483_647),
    example: 10,
  },
  "RateLimit-Remaining": {
    description: "How many are left now.",
    required: true,
    schema: integer(0, 2_147_483_647),
    example: 9,
  },
  "RateLimit-Reset": {
    description: "Seconds until more are.",
    required: true,
    schema: integer(0, 2_147_483_647),
    example: 60,
  },
  "Retry-After": {
    description: "Whole seconds to wait before asking again.",
    schema: integer(1, 86_400),
    example: 1,
  },
  "WWW-Authenticate": {
    description: "How to authenticate (RFC 6750, RFC 7617); names the scope that is missing.",
    schema: { type: "string", pattern: "^(Bearer|Basic) [ -~]*$", maxLength: 255 },
    example: 'Bearer realm="passwright", error="invalid_token"',
  },
};

export const rateLimits = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"] as const;

/** References to the headers of an answer: those of every answer, of the row, and the given ones. */
export function headerRefs(row: Route, more: readonly Name[] = []): Record<string, { $ref: string }> {
  const names: Name[] = [
    "X-Trace-Id",
    ...(isCrossOrigin(row.path) ? (["Access-Control-Allow-Origin"] as const) : []),
    ...(row.rateLimited === true ? ([...rateLimits, "Cache-Control"] as const) : []),
    ...more,
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
