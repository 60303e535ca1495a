import { PasswrightError, type Shortage } from "./errors.ts";
import type { ErrorObject, Problem } from "./generated/schemas.ts";

export type Received = { status: number; headers: Headers; text: string };

/** The JSON of an answer that grants what was asked. Throws a PasswrightError for every other answer. */
export function grantedBy(received: Received): unknown {
  const { status, headers, text } = received;
  if (status < 200 || status > 299) throw refusalOf(received);
  if (status === 204) return undefined;
  const value = parsed(text);
  if (value === undefined) throw unexpected(received, `holds no JSON: ${headers.get("content-type")}`);
  return value;
}

/** A whole number of seconds, or a date (RFC 9110 section 10.2.3). */
export function retryAfterOf(headers: Headers, nowMs = Date.now()): number | undefined {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const at = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - nowMs) / 1000));
}

function refusalOf(received: Received): PasswrightError {
  const { status, headers, text } = received;
  const body = parsed(text);
  if (!isErrorObject(body)) return unexpected(received, "is not one of Passwright's");
  return new PasswrightError({
    status,
    code: body.error,
    description: body.error_description,
    traceId: body.trace_id ?? headers.get("x-trace-id") ?? undefined,
    details: body.details,
    retryAfter: retryAfterOf(headers),
    shortage: shortageOf(body),
    problem: "type" in body && "title" in body ? (body as Problem) : undefined,
  });
}

function shortageOf({ required, balance, purchase_url, resets_at }: ErrorObject): Shortage | undefined {
  if (required === undefined || balance === undefined) return undefined;
  return { required, balance, purchaseUrl: purchase_url, resetsAt: resets_at };
}

function unexpected({ status, headers }: Received, what: string): PasswrightError {
  return new PasswrightError({
    status,
    code: "unexpected_response",
    description: `The answer ${what}. Look at the base URL, and at what stands between here and there.`,
    traceId: headers.get("x-trace-id") ?? undefined,
    retryAfter: retryAfterOf(headers),
  });
}

function isErrorObject(body: unknown): body is ErrorObject {
  const { error, error_description } = (body ?? {}) as Record<string, unknown>;
  return typeof error === "string" && typeof error_description === "string";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
