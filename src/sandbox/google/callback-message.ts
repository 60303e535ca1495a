import { randomUUID } from "node:crypto";
import {
  type CallbackKeys,
  googleJson,
  type Intermediate,
  protocolVersion,
  senderId,
  signParts,
} from "./callback-keys.ts";

/** What happened to a pass, as Google's call-backs say it. */
export type CallbackEvent = {
  classId: string;
  objectId: string;
  eventType: "save" | "del";
  expTimeMillis: number;
  count: number;
  nonce: string;
};

/** What may be wrong with a call-back, for who tests that it is refused. */
export const flaws = [
  "signature",
  "message",
  "expired",
  "recipient",
  "sender",
  "protocol",
  "intermediate-signature",
  "intermediate-expired",
] as const;
export type Flaw = (typeof flaws)[number];

/** How long a receiver may take a call-back for news. */
const validForMs = 3_600_000;
const hourMs = 3_600_000;

export function newEvent(
  about: Pick<CallbackEvent, "classId" | "objectId" | "eventType">,
  nowMs: number,
  flaw?: Flaw,
): CallbackEvent {
  const expTimeMillis = flaw === "expired" ? nowMs - hourMs : nowMs + validForMs;
  return { ...about, expTimeMillis, count: 1, nonce: randomUUID() };
}

/** The body of a call-back: signed for the issuer of the class, or wrong in the way that is asked for. */
export function signedBody(keys: CallbackKeys, event: CallbackEvent, nowMs: number, flaw?: Flaw): string {
  const issuerId = event.classId.slice(0, event.classId.indexOf("."));
  const recipient = flaw === "recipient" ? `${issuerId}0` : issuerId;
  const sender = flaw === "sender" ? "GooglePayPayments" : senderId;
  const intermediate = flaw === "intermediate-expired" ? keys.endedAt(nowMs - hourMs) : keys.intermediate();
  const signedMessage = googleJson(event);
  const signature = signParts(intermediate.privateKey, [sender, recipient, protocolVersion, signedMessage]);
  return googleJson({
    signature: flaw === "signature" ? spoiled(signature) : signature,
    intermediateSigningKey: {
      signedKey: intermediate.signedKey,
      signatures: signaturesOf(intermediate, flaw),
    },
    protocolVersion: flaw === "protocol" ? "ECv1" : protocolVersion,
    // Another event under the signature of this one.
    signedMessage: flaw === "message" ? googleJson({ ...event, nonce: randomUUID() }) : signedMessage,
  });
}

function signaturesOf({ signatures }: Intermediate, flaw: Flaw | undefined): string[] {
  return flaw === "intermediate-signature" ? signatures.map(spoiled) : signatures;
}

/** Of the right form, and wrong: one bit of the last byte is another. */
function spoiled(signature: string): string {
  const bytes = Buffer.from(signature, "base64");
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return bytes.toString("base64");
}
