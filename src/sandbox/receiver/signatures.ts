/** The two signatures of a delivery, checked the way a careful receiver does. */
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export type Verdict = { valid: boolean; reason: string | null };

const toleranceSeconds = 300;

/** `X-Service-Signature: sha256=<lower-case hex HMAC-SHA256 of the raw body, keyed with the secret as given>`. */
export function checkServiceSignature(secret: string, headers: IncomingHttpHeaders, body: Buffer): Verdict {
  const header = headers["x-service-signature"];
  if (typeof header !== "string") return wrong("x-service-signature is missing");
  const hex = /^sha256=([0-9a-f]{64})$/.exec(header)?.[1];
  if (hex === undefined) return wrong("x-service-signature is not sha256= and 64 lower-case hex digits");
  const right = createHmac("sha256", Buffer.from(secret, "utf8")).update(body).digest();
  return timingSafeEqual(Buffer.from(hex, "hex"), right)
    ? valid
    : wrong("x-service-signature does not match");
}

/**
 * Standard Webhooks: `webhook-signature` lists `v1,<base64 HMAC-SHA256 of id.timestamp.body>`, any of which may
 * match (https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md).
 */
export function checkStandardSignature(
  secret: string,
  headers: IncomingHttpHeaders,
  body: Buffer,
  nowMs: number,
): Verdict {
  const id = headers["webhook-id"];
  const timestamp = headers["webhook-timestamp"];
  const signatures = headers["webhook-signature"];
  if (typeof id !== "string" || id === "" || id.includes("."))
    return wrong("webhook-id is missing or malformed");
  if (typeof timestamp !== "string" || !/^\d{1,12}$/.test(timestamp)) {
    return wrong("webhook-timestamp is missing or malformed");
  }
  if (typeof signatures !== "string") return wrong("webhook-signature is missing");
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) {
    return wrong(`webhook-timestamp is more than ${toleranceSeconds} s away`);
  }
  const right = createHmac("sha256", standardKey(secret)).update(`${id}.${timestamp}.`).update(body).digest();
  const matches = signatures
    .split(" ")
    .filter((entry) => entry.startsWith("v1,"))
    .map((entry) => Buffer.from(entry.slice(3), "base64"))
    .some((given) => given.length === right.length && timingSafeEqual(given, right));
  return matches ? valid : wrong("webhook-signature does not match");
}

/** The secret's bytes or, where it begins with `whsec_`, the base64 behind it. */
function standardKey(secret: string): Buffer {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice(6), "base64") : Buffer.from(secret, "utf8");
}

const valid: Verdict = { valid: true, reason: null };
const wrong = (reason: string): Verdict => ({ valid: false, reason });
