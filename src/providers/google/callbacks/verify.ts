import type { KeyObject } from "node:crypto";
import type {
  Callback,
  Refusal,
  RefusalReason,
  Verdict,
  WalletChange,
} from "../../../domain/callbacks/callback.ts";
import { asObject, instantOf, type Members, readObject, textOf } from "./json-members.ts";
import { isBase64, readPublicKey } from "./public-key.ts";
import { protocolVersion, type RootKey } from "./root-keys.ts";
import { isSignedBy, signedBytes } from "./signed-bytes.ts";

/*
 * A call-back of Google Wallet, verified whole (ECv2SigningOnly): a root key has signed an intermediate one, and that the
 * message. https://developers.google.com/wallet/generic/use-cases/use-callbacks-for-saves-and-deletions
 */

const sender = "GooglePayPasses";

/** What comes is about 1 kB. Each part has a bound, so that nobody has us work for long. */
const most = { body: 16_384, signature: 160, signatures: 5, signedKey: 2048, message: 8192, id: 256 };

const utf8 = new TextDecoder("utf-8", { fatal: true });

const changes: Readonly<Record<string, WalletChange>> = { save: "saved", del: "removed" };

type Envelope = {
  signature: string;
  signedKey: string;
  keySignatures: readonly string[];
  signedMessage: string;
};

export type Judging = { rootKeys: readonly RootKey[]; issuerId: string; nowMs: number };

/** What a body is worth at an instant, by these root keys, to this issuer. Never throws, whatever it is given. */
export function verifyCallback(body: Uint8Array, { rootKeys, issuerId, nowMs }: Judging): Verdict {
  const envelope = readEnvelope(body);
  if (isRefusal(envelope)) return refused(envelope);
  const { signedKey, keySignatures, signature, signedMessage } = envelope;

  const ofKey = signedBytes(sender, protocolVersion, signedKey);
  const trusted = rootKeys.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  if (!trusted.some(({ key }) => keySignatures.some((text) => isSignedBy(key, ofKey, text)))) {
    return refused(no("untrusted_key", "no root key that is in force has signed the intermediate key"));
  }
  const intermediate = readSignedKey(signedKey, nowMs);
  if (isRefusal(intermediate)) return refused(intermediate);

  const isTo = (issuer: string): boolean =>
    isSignedBy(intermediate.key, signedBytes(sender, issuer, protocolVersion, signedMessage), signature);
  if (!isTo(issuerId)) {
    const other = issuerNamedIn(signedMessage, nowMs);
    return refused(
      other !== null && isTo(other)
        ? no("foreign_issuer", `it is to the issuer ${other}, and not to ${issuerId}`)
        : no("wrong_signature", `the signature is not of this message, for the issuer ${issuerId}`),
    );
  }
  const callback = readMessage(signedMessage, issuerId, nowMs);
  return isRefusal(callback) ? refused(callback) : { outcome: "genuine", callback };
}

function readEnvelope(body: Uint8Array): Envelope | Refusal {
  if (body.byteLength > most.body) return no("too_large", `the body has more than ${most.body} bytes`);
  const outer = objectIn(body);
  if (outer === null)
    return no("not_json", "the body is not a JSON object in UTF-8 that says everything once");
  const protocol = textOf(outer, "protocolVersion", 64);
  if (protocol !== protocolVersion) {
    return no("wrong_protocol", `protocolVersion is ${protocol ?? "missing or no text"}`);
  }
  const intermediate = asObject(outer.intermediateSigningKey);
  if (intermediate === null) return no("malformed", "intermediateSigningKey is missing or no object");
  const signedKey = textOf(intermediate, "signedKey", most.signedKey);
  if (signedKey === undefined) return malformed("intermediateSigningKey.signedKey", most.signedKey);
  const keySignatures = signaturesIn(intermediate);
  if (keySignatures === null) {
    return no(
      "malformed",
      `intermediateSigningKey.signatures is no list of 1 to ${most.signatures} texts in base64`,
    );
  }
  const signedMessage = textOf(outer, "signedMessage", most.message);
  if (signedMessage === undefined) return malformed("signedMessage", most.message);
  const signature = textOf(outer, "signature", most.signature);
  if (signature === undefined || !isBase64(signature)) return malformed("signature", most.signature);
  return { signature, signedKey, keySignatures, signedMessage };
}

function objectIn(body: Uint8Array): Members | null {
  try {
    return readObject(utf8.decode(body));
  } catch {
    return null;
  }
}

function signaturesIn({ signatures }: Members): readonly string[] | null {
  if (!Array.isArray(signatures) || signatures.length < 1 || signatures.length > most.signatures) return null;
  const isSignature = (value: unknown): value is string =>
    typeof value === "string" && value.length <= most.signature && isBase64(value);
  return signatures.every(isSignature) ? signatures : null;
}

function readSignedKey(text: string, nowMs: number): { key: KeyObject } | Refusal {
  const members = readObject(text);
  const key = readPublicKey((members && textOf(members, "keyValue", 200)) ?? "");
  const expiresAtMs = members === null ? undefined : instantOf(members, "keyExpiration");
  if (key === null) return no("malformed_key", "the intermediate key has no keyValue of P-256");
  if (expiresAtMs === undefined) return no("malformed_key", "the intermediate key has no keyExpiration");
  if (expiresAtMs <= nowMs)
    return no("expired_key", `the intermediate key ended at ${instantText(expiresAtMs)}`);
  return { key };
}

function readMessage(text: string, issuerId: string, nowMs: number): Callback | Refusal {
  const members = readObject(text);
  if (members === null)
    return no("malformed_message", "the message is no JSON object that says everything once");
  const [classId, objectId, eventType, nonce] = ["classId", "objectId", "eventType", "nonce"].map((name) =>
    textOf(members, name, most.id),
  );
  const expiresAtMs = instantOf(members, "expTimeMillis");
  const isWhole = classId !== undefined && objectId !== undefined && eventType !== undefined;
  if (!isWhole || nonce === undefined || expiresAtMs === undefined) {
    return no(
      "malformed_message",
      "classId, objectId, eventType, nonce or expTimeMillis is missing or unusable",
    );
  }
  if (expiresAtMs <= nowMs) return no("expired_message", `the message ended at ${instantText(expiresAtMs)}`);
  const own = `${issuerId}.`;
  if (!classId.startsWith(own) || !objectId.startsWith(own)) {
    return no("foreign_issuer", `the class or the object is not of the issuer ${issuerId}`);
  }
  const change = Object.hasOwn(changes, eventType) ? (changes[eventType] ?? null) : null;
  return { change, objectId, name: objectId.slice(own.length), nonce, expiresAtMs };
}

/** Whose class a message is about, unless it has ended. */
function issuerNamedIn(signedMessage: string, nowMs: number): string | null {
  const members = readObject(signedMessage);
  if (members === null || (instantOf(members, "expTimeMillis") ?? 0) <= nowMs) return null;
  return /^(\d+)\./.exec(textOf(members, "classId", most.id) ?? "")?.[1] ?? null;
}

function instantText(ms: number): string {
  return new Date(ms).toISOString();
}

function no(reason: RefusalReason, detail: string): Refusal {
  return { reason, detail };
}

function malformed(name: string, longest: number): Refusal {
  return no("malformed", `${name} is missing, or no text of 1 to ${longest} characters as it should be`);
}

function isRefusal(value: object): value is Refusal {
  return "reason" in value;
}

function refused(refusal: Refusal): Verdict {
  return { outcome: "refused", ...refusal };
}
