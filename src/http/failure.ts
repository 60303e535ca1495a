import { type ErrorKind, PasswrightError, type Shortage, type Violation } from "../domain/errors.ts";
import { BodyTooLarge } from "./exchange.ts";
import type { Reply } from "./route.ts";

/** The border out to HTTP: one status for each kind of failure. */
export const statusOf = {
  invalid: 400,
  unauthorized: 401,
  payment: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  rate_limited: 429,
  unavailable: 503,
  bug: 500,
} as const satisfies Record<ErrorKind, number>;

/** An answer to a bad request stays small, however much was wrong with it. */
const mostViolations = 100;
const longestPath = 256;
const longestSentence = 1000;

const internalSentence = "Something went wrong on our side. Report it with the trace_id.";

/** A request to a guarded path without any credentials: nothing is wrong with them, they are only not there. */
export class NoCredentials extends PasswrightError {
  constructor() {
    super(
      "invalid_token",
      "This path needs an access token: Authorization: Bearer TOKEN. Get one at POST /api/v1/auth/token.",
    );
  }
}

/** The reply to a failure, with the error object as its body. What is not meant to be shown is not in it. */
export function failureReply(error: unknown, traceId: string): Reply {
  if (error instanceof BodyTooLarge) {
    return reply(413, "invalid_request", "The body is larger than this endpoint takes.", traceId);
  }
  if (!(error instanceof PasswrightError) || error.kind === "bug") {
    return reply(500, "internal_error", internalSentence, traceId);
  }
  return reply(statusOf[error.kind], error.code, error.detail, traceId, error);
}

function reply(
  status: number,
  code: string,
  detail: string,
  traceId: string,
  error?: PasswrightError,
): Reply {
  const headers: Record<string, string> = {};
  const retryAfter = error?.retryAfterSeconds ?? (status === 503 ? 1 : undefined);
  if (retryAfter !== undefined) headers["Retry-After"] = String(Math.max(1, retryAfter));
  if (error?.limit !== undefined) {
    headers["RateLimit-Limit"] = String(error.limit);
    headers["RateLimit-Remaining"] = "0";
    headers["RateLimit-Reset"] = headers["Retry-After"] ?? "1";
  }
  const challenge = error?.challenge ?? bearerChallenge(status, code, error);
  if (challenge !== null) headers["WWW-Authenticate"] = challenge;
  return {
    status,
    headers,
    body: {
      error: code,
      error_description: shortened(detail, longestSentence) + unlisted(error?.details),
      trace_id: traceId,
      ...(error?.details !== undefined && { details: listed(error.details).map(shown) }),
      ...(error?.shortage !== undefined && shortageMembers(error.shortage)),
    },
  };
}

function shortageMembers({ required, balance, purchaseUrl, resetsAtMs }: Shortage): Record<string, unknown> {
  return {
    required,
    balance,
    ...(purchaseUrl !== undefined && { purchase_url: purchaseUrl }),
    ...(resetsAtMs !== undefined && { resets_at: new Date(resetsAtMs).toISOString() }),
  };
}

/** The first of them; and of the rest one for each operation of a batch, since each that is refused is to be named. */
function listed(details: readonly Violation[]): Violation[] {
  const first = details.slice(0, mostViolations);
  const operation = ({ path }: Violation): string | undefined => /^\/operations\/\d+/.exec(path)?.[0];
  const named = new Set(first.map(operation));
  const others = details.slice(mostViolations).filter((violation) => {
    const name = operation(violation);
    if (name === undefined || named.has(name)) return false;
    return named.add(name);
  });
  return [...first, ...others];
}

function shown({ path, message }: Violation): Violation {
  return { path: shortened(path, longestPath), message: shortened(message, longestSentence) };
}

function unlisted(details: readonly Violation[] = []): string {
  const { length } = listed(details);
  const more = details.length - length;
  return more > 0 ? ` The first ${length} violations are listed; there are ${more} more.` : "";
}

/** Cut where it is too long; half a surrogate pair at the cut is replaced. */
function shortened(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}

/** RFC 6750 section 3.1: a request without credentials is told how to authenticate, and nothing more. */
function bearerChallenge(status: number, code: string, error: PasswrightError | undefined): string | null {
  if (code === "insufficient_scope") {
    return `Bearer realm="passwright", error="insufficient_scope", scope="${error?.scope ?? ""}"`;
  }
  if (status !== 401) return null;
  return code === "invalid_token" && !(error instanceof NoCredentials)
    ? `Bearer realm="passwright", error="invalid_token"`
    : `Bearer realm="passwright"`;
}
