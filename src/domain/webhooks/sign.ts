import { createHmac } from "node:crypto";
import type { Violation } from "../errors.ts";

/** Padded base64 (RFC 4648 section 4), not empty: anything else is decoded to different keys by different libraries. */
const writtenKey = /^whsec_((?=.)(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/;

export type SignedDelivery = {
  deliveryId: string;
  eventType: string;
  /** The exact bytes that are sent. */
  body: Uint8Array | string;
  secret: string;
  nowMs: number;
};

/**
 * The headers that let a receiver check where a delivery comes from: ours (X-Service-*), and those of Standard Webhooks
 * 1.0.0, whose timestamp is the attempt's. Each is an HMAC-SHA256 with the webhook's secret.
 */
export function signatureHeaders(delivery: SignedDelivery): Record<string, string> {
  const { deliveryId, body, secret } = delivery;
  const plain = plainHeaders(delivery);
  const signed = `${deliveryId}.${plain["webhook-timestamp"]}.`;
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    ...plain,
    "webhook-signature": `v1,${createHmac("sha256", standardKey(secret)).update(signed).update(body).digest("base64")}`,
  };
}

/** Those of them that anybody may see: they take no secret to make. */
export function plainHeaders(delivery: Pick<SignedDelivery, "deliveryId" | "eventType" | "nowMs">) {
  return {
    "X-Service-Event": delivery.eventType,
    "X-Service-Delivery": delivery.deliveryId,
    "webhook-id": delivery.deliveryId,
    "webhook-timestamp": String(Math.floor(delivery.nowMs / 1000)),
  };
}

/** What keeps receivers from reading the key out of a secret, or null: `whsec_` promises base64 of at least one byte. */
export function secretFault(secret: string): string | null {
  return !secret.startsWith("whsec_") || writtenKey.test(secret) ? null : "must have base64 behind whsec_";
}

export function secretViolations(secret: string): Violation[] {
  const fault = secretFault(secret);
  return fault === null ? [] : [{ path: "/secret", message: fault }];
}

/** Standard Webhooks writes keys as `whsec_` and base64; any other secret is its own bytes. */
function standardKey(secret: string): Buffer {
  const [, encoded] = writtenKey.exec(secret) ?? [];
  return encoded === undefined ? Buffer.from(secret, "utf8") : Buffer.from(encoded, "base64");
}
