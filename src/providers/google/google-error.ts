import { PasswrightError } from "../../domain/errors.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import type { HttpAnswer } from "./http-client.ts";

/** What Google says of a failure. `reason` is the word for machines, «» where there is none. */
export type GoogleReason = { message: string; reason: string };

/** Google answers 403 for quotas, too, as its older APIs always have. */
const quotaReasons = /rate.?limit|quota|resource_exhausted|daily.?limit/i;

/** The API is not switched on in the project that the account belongs to. */
const disabledReasons = /^(accessNotConfigured|SERVICE_DISABLED)$/;

const consoleUrl = "https://pay.google.com/business/console";

/**
 * Reads `{ error: { message, status, errors: [{ reason }], details: [{ reason }] } }` of the Wallet API and
 * `{ error, error_description }` of the token endpoint (RFC 6749 section 5.2).
 */
export function googleReason(answer: HttpAnswer): GoogleReason {
  const body = record(answer.body);
  const error = record(body.error);
  const first = record(Array.isArray(error.errors) ? error.errors[0] : undefined);
  return {
    message: text(error.message) || text(body.error_description) || `HTTP ${answer.status}`,
    reason: text(errorInfo(answer).reason) || text(first.reason) || text(error.status) || text(body.error),
  };
}

/** https://cloud.google.com/apis/design/errors: what is said of the failure for machines, where something is. */
function errorInfo(answer: HttpAnswer): Record<string, unknown> {
  const { details } = record(record(answer.body).error);
  const all = Array.isArray(details) ? details.map(record) : [];
  return all.find((one) => /ErrorInfo$/.test(text(one["@type"]))) ?? {};
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
    const remedy =
      "Try again in a while. If it lasts, lower PASSWRIGHT_GOOGLE_RATE_LIMIT, or have the quota of the account's project raised.";
    return new PasswrightError("provider_rate_limited", detail, { retryAfterSeconds: retry ?? 1, remedy });
  }
  if (status >= 500 || status === 408) {
    const detail = `Google failed on ${subject}: ${spoken(said)}`;
    const remedy = "Try again in a while.";
    const options = retry === undefined ? { remedy } : { retryAfterSeconds: retry, remedy };
    return new PasswrightError("provider_unavailable", detail, options);
  }
  if (status === 401) {
    const detail = `Google does not accept the access tokens of ${account}: ${spoken(said)}`;
    const remedy = `See in the account's Google Cloud project whether ${account} is still enabled there.`;
    return new PasswrightError("provider_credentials_invalid", detail, { remedy });
  }
  if (status === 403) return denied(answer, said, credentials);
  return new PasswrightError("provider_rejected", `Google refused ${subject}: ${spoken(said)}`);
}

/** Whatever the account may do in it: nothing is asked of an API that is switched off. */
export function isApiDisabled(answer: HttpAnswer): boolean {
  return answer.status === 403 && disabledReasons.test(googleReason(answer).reason);
}

function denied(answer: HttpAnswer, said: GoogleReason, credentials: GoogleCredentials): PasswrightError {
  const { clientEmail: account, issuerId } = credentials;
  if (isApiDisabled(answer)) {
    const { project, url } = activation(answer, said);
    const detail = `The Google Wallet API is not enabled in the project${project} of ${account}: ${spoken(said)}`;
    const remedy = `Enable it at ${url}, and wait some minutes.`;
    return new PasswrightError("provider_credentials_invalid", detail, { remedy });
  }
  return new PasswrightError(
    "provider_credentials_invalid",
    `Google denies ${account} the issuer ${issuerId}: ${spoken(said)}`,
    {
      remedy: `Add ${account} to the users of the issuer, as a developer, at ${consoleUrl} (Google Wallet API, Users); or see whether ${issuerId} is the right issuer.`,
    },
  );
}

/** Google names the project, and the page where the API is enabled, in the one form or in the other. */
function activation(answer: HttpAnswer, { message }: GoogleReason): { project: string; url: string } {
  const metadata = record(errorInfo(answer).metadata);
  const [, named] = /\bproject[s=\s/]+([a-z0-9-]{4,40})/i.exec(text(metadata.consumer) || message) ?? [];
  const [given] =
    /https:\/\/console\.[a-z]+\.google\.com\/[^\s"<>]+|https:\/\/console\.developers\.google\.com\/[^\s"<>]+/.exec(
      `${text(metadata.activationUrl)} ${message}`,
    ) ?? [];
  const url =
    given?.replace(/[.,]$/, "") ??
    "https://console.cloud.google.com/apis/library/walletobjects.googleapis.com";
  return { project: named === undefined ? "" : ` ${named}`, url };
}

/** An issuer that Google does not know, or `issuers` that the account may act for, where that is known. */
export function unknownIssuer(
  said: GoogleReason,
  credentials: GoogleCredentials,
  issuers: readonly string[] | null,
): PasswrightError {
  const { clientEmail: account, issuerId } = credentials;
  const add = `add ${account} to the users of the issuer, as a developer, at ${consoleUrl} (Google Wallet API, Users)`;
  if (issuers === null) {
    const detail = `Google knows no issuer ${issuerId}: ${spoken(said)}`;
    const remedy = `The issuer's number stands at ${consoleUrl}, under Google Wallet API.`;
    return new PasswrightError("provider_credentials_invalid", detail, { remedy });
  }
  const others =
    issuers.length === 0
      ? `${account} is a user of no issuer`
      : `${account} is a user of ${issuers.slice(0, 5).join(", ")}, not of ${issuerId}`;
  return new PasswrightError(
    "provider_credentials_invalid",
    `Google denies ${account} the issuer ${issuerId}: ${spoken(said)}. ${others}.`,
    { remedy: issuers.length === 0 ? `A${add.slice(1)}.` : `Give another issuer id; or ${add}.` },
  );
}

/** What the token endpoint refuses: the account, its key, or the time that this machine goes by. */
export function tokenRefusal(
  answer: HttpAnswer,
  credentials: GoogleCredentials,
  nowMs: number,
): PasswrightError {
  const translated = googleError(answer, "the access token", credentials);
  if (translated.kind === "unavailable" || translated.kind === "rate_limited") return translated;
  const said = googleReason(answer);
  const account = credentials.clientEmail;
  const cause = spoken(said);
  if (/short-lived|timeframe|iat and exp|\bexpired\b/i.test(said.message)) {
    const ours = new Date(nowMs).toISOString();
    const theirs =
      answer.dateMs === undefined ? "" : `, and Google's ${new Date(answer.dateMs).toISOString()}`;
    return new PasswrightError(
      // Not the tenant's fault: as soon as the clock is right, all of it works.
      "provider_unavailable",
      `Google finds the time of this machine wrong: ${cause}. Its clock says ${ours}${theirs}.`,
      { remedy: "Set the clock of this machine right, and let it be kept so (NTP)." },
    );
  }
  const refused = (detail: string, remedy: string) =>
    new PasswrightError("provider_credentials_invalid", detail, { remedy });
  const newKey = `Make a new key of the account in its Google Cloud project (IAM, Service accounts, Keys), and give it with \`passwright providers set google\`.`;
  if (/signature|public key/i.test(said.message)) {
    return refused(
      `Google refuses the key of the service account ${account}: ${cause}. It was revoked, or is another account's.`,
      newKey,
    );
  }
  if (/account (was )?(not found|deleted|disabled)|not a valid email|invalid_client/i.test(cause)) {
    return refused(
      `Google knows no service account ${account}: ${cause}. It was deleted or disabled.`,
      "Restore or enable it in its Google Cloud project, or give another account's key with `passwright providers set google`.",
    );
  }
  return refused(`Google refuses the service account ${account}: ${cause}`, newKey);
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
