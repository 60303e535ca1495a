import { PasswrightError } from "../../domain/errors.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import type { HttpAnswer } from "./http-client.ts";

/** What Google says of a failure. `reason` is the word for machines, «» where there is none. */
export type GoogleReason = { message: string; reason: string };

/** Google answers 403 for quotas, too, as its older APIs always have. */
const quotaReasons = /rate.?limit|quota|resource_exhausted/i;

/**
 * Reads `{ error: { message, status, errors: [{ reason }] } }` of the Wallet API and
 * `{ error, error_description }` of the token endpoint (RFC 6749 section 5.2).
 */
export function googleReason(answer: HttpAnswer): GoogleReason {
  const body = record(answer.body);
  const error = record(body.error);
  const first = record(Array.isArray(error.errors) ? error.errors[0] : undefined);
  return {
    message: text(error.message) || text(body.error_description) || `HTTP ${answer.status}`,
    reason: text(first.reason) || text(error.status) || text(body.error),
  };
}

/** The message with its word, as in «Permission denied. (permissionDenied)». */
export function spoken({ message, reason }: GoogleReason): string {
  return reason === "" ? message : `${message} (${reason})`;
}

/** Translates an answer that is no success. `subject` names what was asked for: a resource or the token. */
export function googleError(
  answer: HttpAnswer,
  subject: string,
  credentials: GoogleCredentials,
): PasswrightError {
  const said = googleReason(answer);
  const { status } = answer;
  const retry = answer.retryAfterSeconds;
  const account = credentials.clientEmail;
  if (status === 429 || (status === 403 && quotaReasons.test(said.reason))) {
    const detail = `Google limits the rate of ${account}: ${spoken(said)}`;
    return new PasswrightError("provider_rate_limited", detail, { retryAfterSeconds: retry ?? 1 });
  }
  if (status >= 500 || status === 408) {
    const detail = `Google failed on ${subject}: ${spoken(said)}`;
    const options = retry === undefined ? {} : { retryAfterSeconds: retry };
    return new PasswrightError("provider_unavailable", detail, options);
  }
  if (status === 401) {
    const detail = `Google does not accept the access tokens of ${account}: ${spoken(said)}`;
    return new PasswrightError("provider_credentials_invalid", detail);
  }
  if (status === 403) {
    const detail =
      `Google denies ${account} the issuer ${credentials.issuerId}: ${spoken(said)}. ` +
      "Is the service account a user of this issuer, and the Google Wallet API enabled in its project?";
    return new PasswrightError("provider_credentials_invalid", detail);
  }
  return new PasswrightError("provider_rejected", `Google refused ${subject}: ${spoken(said)}`);
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

/** Someone else's words go into logs and answers: one line, of a bounded length. */
function text(value: unknown): string {
  return typeof value === "string"
    ? value
        .replace(/[\s\p{Cc}]+/gu, " ")
        .trim()
        .slice(0, 400)
    : "";
}
