import { createHmac } from "node:crypto";

export type SignedDelivery = {
  deliveryId: string;
  eventType: string;
  /** The exact bytes that are sent. */
  body: string;
  secret: string;
  nowMs: number;
};

/**
 * The headers that let a receiver check where a delivery comes from: ours (X-Service-*), and those of Standard Webhooks
 * 1.0.0, whose timestamp is the attempt's. Each is an HMAC-SHA256 with the webhook's secret.
 */
export function signatureHeaders(delivery: SignedDelivery): Record<string, string> {
  const { deliveryId, body, secret } = delivery;
  const timestamp = Math.floor(delivery.nowMs / 1000);
  const signed = `${deliveryId}.${timestamp}.${body}`;
  return {
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "X-Service-Event": delivery.eventType,
    "X-Service-Delivery": deliveryId,
    "webhook-id": deliveryId,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${createHmac("sha256", standardKey(secret)).update(signed).digest("base64")}`,
  };
}

/** Standard Webhooks writes keys as `whsec_` and base64; any other secret is its own bytes. An empty key would sign nothing. */
function standardKey(secret: string): Buffer {
  const key = Buffer.from(secret.startsWith("whsec_") ? secret.slice(6) : "", "base64");
  return key.length > 0 ? key : Buffer.from(secret, "utf8");
}
