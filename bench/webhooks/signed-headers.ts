import { createHmac } from "node:crypto";

/** The headers of a delivery, made as anybody would who follows the documentation: both signatures. */
export function signedHeaders(delivery: { id: string; type: string; body: string; secret: string }) {
  const { id, type, body, secret } = delivery;
  const timestamp = Math.floor(Date.now() / 1000);
  const standard = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "Content-Type": "application/json",
    "User-Agent": "Bench/1.0",
    "X-Service-Signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
    "X-Service-Event": type,
    "X-Service-Delivery": id,
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${standard}`,
  };
}
