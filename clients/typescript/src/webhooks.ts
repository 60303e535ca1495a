import type { WebhookEvent } from "./generated/schemas.ts";

/** Why a delivery was not accepted. Answer it with 400, and do nothing else about it. */
export class WebhookVerificationError extends Error {
  override readonly name = "WebhookVerificationError";
}

export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** The body exactly as it came, before anything parsed it. */
  body: string | Uint8Array;
  /** The request's headers, as fetch or Node has them. */
  headers: WebhookHeaders;
  /** The webhook's secret; several while one is being replaced by another. */
  secret: string | readonly string[];
  /** How far the delivery's time may be from ours, in seconds: 300 by default. */
  toleranceSeconds?: number | undefined;
  /** The time in Unix seconds, in place of the machine's. */
  now?: number | undefined;
};

/**
 * Checks that a delivery comes from who knows the secret, that nothing of it was changed, and that it is not an old one
 * sent again; resolves with its event. Rejects with a WebhookVerificationError otherwise.
 *
 * Both signatures are checked in constant time: that of Standard Webhooks, which covers the time, must be there, and
 * X-Service-Signature must be right where it is there. The same delivery can come more than once: skip an `event.id` that
 * you have had.
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const { headers, toleranceSeconds = 300, now = Date.now() / 1000 } = options;
  const body = bytesOf(options.body);
  const keys = keysOf(options.secret);
  const id = required(headers, "webhook-id");
  const timestamp = required(headers, "webhook-timestamp");
  if (!/^\d{1,12}$/.test(timestamp)) throw refused("webhook-timestamp is no time");
  const ageSeconds = now - Number(timestamp);
  if (ageSeconds > toleranceSeconds) throw refused("webhook-timestamp is too old");
  if (ageSeconds < -toleranceSeconds) throw refused("webhook-timestamp is in the future");

  const signed = joined(bytesOf(`${id}.${timestamp}.`), body);
  const standard = required(headers, "webhook-signature").split(" ").flatMap(standardSignature);
  const service = headerOf(headers, "x-service-signature");
  for (const key of keys) {
    const isStandard = await matches(key.standard, standard, signed);
    const isService = service === undefined || (await matches(key.service, serviceSignature(service), body));
    if (isStandard && isService) return eventOf(body);
  }
  throw refused("the signature does not match");
}

/** The keys of the two signatures, by secret. */
function keysOf(secret: VerifyOptions["secret"]): { standard: Bytes; service: Bytes }[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret];
  if (secrets.length === 0) throw new TypeError("secret must name at least one secret");
  return secrets.map((one) => {
    if (typeof one === "string" && one !== "") return { standard: standardKey(one), service: bytesOf(one) };
    throw new TypeError("secret must be the webhook's secret, a string that is not empty");
  });
}

/** Standard Webhooks writes keys as `whsec_` and base64; any other secret is its own bytes. */
function standardKey(secret: string): Bytes {
  if (!secret.startsWith("whsec_")) return bytesOf(secret);
  const key = fromBase64(secret.slice("whsec_".length));
  if (key === undefined || key.length === 0) throw new TypeError("secret has no base64 behind whsec_");
  return key;
}

function standardSignature(text: string): Bytes[] {
  const signature = text.startsWith("v1,") ? fromBase64(text.slice("v1,".length)) : undefined;
  return signature === undefined ? [] : [signature];
}

function serviceSignature(text: string): Bytes[] {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(text) ?? [];
  if (hex === undefined) return [];
  return [Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))];
}

async function matches(key: Bytes, signatures: readonly Bytes[], content: Bytes): Promise<boolean> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["verify"]);
  const found = await Promise.all(
    signatures.map((signature) => crypto.subtle.verify("HMAC", imported, signature, content)),
  );
  return found.includes(true);
}

function eventOf(body: Bytes): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw refused("the body is no JSON");
  }
}

function required(headers: WebhookHeaders, name: string): string {
  const value = headerOf(headers, name);
  if (value === undefined || value === "") throw refused(`${name} is missing`);
  return value;
}

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === "string" ? value : value?.join(", ");
}

function refused(reason: string): WebhookVerificationError {
  return new WebhookVerificationError(reason);
}

type Bytes = Uint8Array<ArrayBuffer>;

function bytesOf(content: string | Uint8Array): Bytes {
  if (typeof content === "string") return new TextEncoder().encode(content);
  if (content instanceof Uint8Array) return Uint8Array.from(content);
  throw new TypeError("body must be the raw body, as text or bytes, not what a parser made of it");
}

function joined(first: Bytes, second: Bytes): Bytes {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

/** undefined for what is no padded base64 (RFC 4648 section 4). */
function fromBase64(text: string): Bytes | undefined {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text)) return undefined;
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
