import { type ErrorCode, errorKinds } from "../../domain/errors.ts";
import { statusOf } from "../failure.ts";
import type { Example, Route } from "../route.ts";
import { isGuarded } from "../steps.ts";
import type { Components } from "./components.ts";
import { errorExample, problemExample, violationExample } from "./examples/errors.ts";
import { headerRefs, rateLimits } from "./headers.ts";
import { errorSchema, problemSchema } from "./schemas/error.ts";

const meanings: Readonly<Record<number, string>> = {
  400: "Something about the request is not valid; `details` names every violation of the input.",
  401: "The credentials are missing, or not valid (any more).",
  402: "The tenant has nothing left to pay with.",
  403: "The caller is known, and may not do this.",
  404: "There is no such resource, or it is another tenant's.",
  409: "The state of things, or an earlier request, is in the way.",
  410: "It is gone for good.",
  413: "The body is too large. It is not read on: the connection is closed.",
  429: "There are too many at the moment; `Retry-After` says when to come again.",
  500: "A fault of the service. Report it with the trace id.",
  503: "Something that the service needs is out of reach. Nothing was done: come again.",
};

type Failing = { code: ErrorCode; status: number; name: string; example: Example };

/** The error responses of a row, by status, with an example for each code: those that its policy implies, and its own. */
export function errorResponses(row: Route, components: Components): Record<string, unknown> {
  const byStatus = Map.groupBy(failuresOf(row), ({ status }) => status);
  const statuses = [...byStatus].sort(([a], [b]) => a - b);
  return Object.fromEntries(
    statuses.map(([status, failures]) => [String(status), errorResponse(row, status, failures, components)]),
  );
}

function errorResponse(row: Route, status: number, failures: Failing[], components: Components) {
  const isProblem = row.problems === true && status === 400;
  const content = {
    schema: components.take(isProblem ? problemSchema : errorSchema),
    examples: Object.fromEntries(failures.map(({ name, example }) => [name, example])),
  };
  const challenge = status === 401 || (status === 403 && needsScope(row.access));
  const later = status === 429 || status === 503;
  return {
    description: meanings[status],
    headers: headerRefs(row, [
      ...(challenge ? (["WWW-Authenticate"] as const) : []),
      ...(later ? (["Retry-After"] as const) : []),
      ...(status === 429 ? rateLimits : []),
    ]),
    content: { [isProblem ? "application/problem+json" : "application/json"]: content },
  };
}

function failuresOf(row: Route): Failing[] {
  const implied: (ErrorCode | { code: ErrorCode; says: string })[] = [
    ...(isGuarded(row.access) ? (["invalid_token", "invalid_client", "unauthorized_client"] as const) : []),
    ...(row.access === "device" ? (["invalid_token"] as const) : []),
    ...(needsScope(row.access)
      ? [{ code: "insufficient_scope", says: `This path needs the scope ${row.access}.` } as const]
      : []),
    ...(row.path.includes("{id}") ? (["not_found"] as const) : []),
    ...(row.idempotent ? (["idempotency_key_reused"] as const) : []),
    ...(row.rateLimited ? (["too_many_requests"] as const) : []),
    "unavailable",
    "internal_error",
  ];
  // The row's own sentence counts where both have one.
  const wanted = new Map<ErrorCode, string | undefined>();
  for (const entry of [...implied, ...(row.errors ?? [])]) {
    if (typeof entry === "string") wanted.set(entry, wanted.get(entry));
    else wanted.set(entry.code, entry.says);
  }
  return [
    invalidInput(row),
    ...(hasBody(row) ? [tooLarge()] : []),
    ...[...wanted].map(([code, says]) => failing(row, code, says)),
  ];
}

function needsScope(access: Route["access"]): boolean {
  return isGuarded(access) && access !== "token";
}

function failing(row: Route, code: ErrorCode, says: string | undefined): Failing {
  const status = statusOf[errorKinds[code]];
  const error = errorExample(code, says);
  const value = row.problems && status === 400 ? problemExample(error, row.path) : error;
  return { code, status, name: code, example: { summary: wordsOf(code), value } };
}

/** Every request can be malformed; one with a body or parameters can break their rules as well. */
function invalidInput(row: Route): Failing {
  const error = hasBody(row)
    ? violationExample(...faultOfBody(row))
    : row.query === null
      ? errorExample("invalid_request")
      : violationExample(...faultOfQuery(row));
  const value = row.problems ? problemExample(error, row.path) : error;
  return {
    code: "invalid_request",
    status: 400,
    name: "invalid_request",
    example: { summary: wordsOf("invalid_request"), value },
  };
}

function tooLarge(): Failing {
  const value = errorExample("invalid_request", "The body is larger than this endpoint takes.");
  return {
    code: "invalid_request",
    status: 413,
    name: "invalid_request",
    example: { summary: "Body too large", value },
  };
}

function faultOfBody({ body }: Route): [path: string, message: string] {
  const [member] = (body?.required ?? []) as string[];
  return member === undefined ? ["", "must be a JSON object"] : [`/${member}`, "is required"];
}

function faultOfQuery({ query }: Route): [path: string, message: string] {
  const [needed] = (query?.required ?? []) as string[];
  if (needed !== undefined) return [needed, "is required"];
  const parameters = (query?.properties ?? {}) as Record<string, { maximum?: number; format?: string }>;
  const [name = "page", schema] = Object.entries(parameters).at(-1) ?? [];
  if (schema?.maximum !== undefined) return [name, `must be <= ${schema.maximum}`];
  if (schema?.format === "date-time") {
    return [name, "must be an RFC 3339 date-time, such as 2026-11-21T06:43:46Z"];
  }
  return ["page", "must be >= 1"];
}

export function hasBody(row: Route): boolean {
  return row.body !== null || row.bodies !== undefined;
}

function wordsOf(code: string): string {
  const words = code.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
