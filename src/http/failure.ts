import { type ErrorKind, PasswrightError } from "../domain/errors.ts";
import { BodyTooLarge } from "./exchange.ts";
import type { Reply } from "./route.ts";

/** The border out to HTTP: one status for each kind of failure. */
const statusOf = {
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

const internalSentence = "Something went wrong on our side. Report it with the trace_id.";

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
  const challenge = bearerChallenge(status, code, error?.scope);
  if (challenge !== null) headers["WWW-Authenticate"] = challenge;
  return {
    status,
    headers,
    body: {
      error: code,
      error_description: detail,
      trace_id: traceId,
      ...(error?.details !== undefined && { details: error.details }),
    },
  };
}

/** RFC 6750 section 3: a request without credentials is told how to authenticate, and nothing more. */
function bearerChallenge(status: number, code: string, scope: string | undefined): string | null {
  if (code === "insufficient_scope") {
    return `Bearer realm="passwright", error="insufficient_scope", scope="${scope ?? ""}"`;
  }
  if (status !== 401) return null;
  return code === "invalid_token"
    ? `Bearer realm="passwright", error="invalid_token"`
    : `Bearer realm="passwright"`;
}
