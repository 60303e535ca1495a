/** What APNs answers to a push (https://developer.apple.com/documentation/usernotifications/handling-notification-responses-from-apns). */

import type { PushAnswer } from "../../../domain/devices/push.ts";
import { PasswrightError } from "../../../domain/errors.ts";
import { retryAfterSeconds } from "../../../domain/retry-after.ts";
import type { ApnsAnswer } from "./connection.ts";

/** The JWT was refused, and another may be accepted. */
export function isStaleToken({ status, body }: ApnsAnswer): boolean {
  return status === 403 && reasonIn(body).reason === "ExpiredProviderToken";
}

/** Throws provider_credentials_invalid where it is the credentials that are refused, whatever the device. */
export function pushAnswer(answer: ApnsAnswer, nowMs: number): PushAnswer {
  const { status } = answer;
  if (status === 200) return { outcome: "sent" };
  const { reason, timestampMs } = reasonIn(answer.body);
  if (status === 410) return { outcome: "gone", sinceMs: timestampMs ?? nowMs };
  if (status === 403) {
    throw new PasswrightError(
      "provider_credentials_invalid",
      `APNs refuses the credentials: ${explained(reason)}`,
    );
  }
  if (status === 429 || status >= 500) {
    return {
      outcome: "later",
      reason: said(status, reason),
      retryAfterSeconds: retryAfterSeconds(answer.retryAfter, nowMs),
    };
  }
  return { outcome: "refused", reason: said(status, reason) };
}

function reasonIn(body: string): { reason: string; timestampMs: number | null } {
  try {
    const { reason, timestamp } = JSON.parse(body) as Record<string, unknown>;
    return {
      reason: typeof reason === "string" ? reason.slice(0, 100) : "",
      timestampMs: typeof timestamp === "number" ? timestamp : null,
    };
  } catch {
    return { reason: "", timestampMs: null };
  }
}

function said(status: number, reason: string): string {
  return reason === "" ? `HTTP ${status}` : reason;
}

function explained(reason: string): string {
  switch (reason) {
    case "BadCertificate":
    case "BadCertificateEnvironment":
      return `${reason}. The Pass Type ID certificate is not one that APNs knows: was it revoked?`;
    case "InvalidProviderToken":
      return `${reason}. The push key, its key id or the team does not fit.`;
    default:
      return reason === "" ? "no reason was given." : `${reason}.`;
  }
}
