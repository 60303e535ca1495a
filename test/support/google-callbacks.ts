import { createSign, generateKeyPairSync, type KeyObject, randomUUID } from "node:crypto";

/*
 * Google's side of call-backs, built as the protocol is written down and as the tests of Tink's paymentmethodtoken lay it
 * out: a root key signs an intermediate one, and that the message. Shares nothing with what verifies.
 */

export type SigningKey = { privateKey: KeyObject; keyValue: string };

/** Two root keys would sign alike; of other curves only tests of refusals make any. */
export function newKey(namedCurve = "P-256"): SigningKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve });
  return { privateKey, keyValue: publicKey.export({ format: "der", type: "spki" }).toString("base64") };
}

export type Wish = {
  /** In the place of what Google signs with. */
  sender?: string;
  recipient?: string;
  /** What is signed, and what is said. */
  signedProtocol?: string;
  protocolVersion?: unknown;
  keyExpiration?: unknown;
  keyValue?: unknown;
  intermediate?: SigningKey;
  /** Members of the message; undefined leaves one out. */
  message?: Record<string, unknown>;
  /** The text in the place of the message, or of the signed key. */
  signedMessage?: string;
  signedKey?: string;
  /** How long a part is said to be. */
  lengthOf?: (part: string) => number;
};

export type Envelope = {
  protocolVersion: unknown;
  intermediateSigningKey: { signedKey: string; signatures: string[] };
  signature: string;
  signedMessage: string;
};

export type GoogleSigner = ReturnType<typeof googleSigner>;

/** Whoever holds a root key and signs for an issuer; what it signs ends an hour after `nowMs`. */
export function googleSigner(given: { issuerId: string; nowMs(): number; root?: SigningKey }) {
  const root = given.root ?? newKey();
  const ownIntermediate = newKey();
  const hence = (ms: number): number => given.nowMs() + ms;

  function envelope(wish: Wish = {}): Envelope {
    const { lengthOf = Buffer.byteLength, signedProtocol = "ECv2SigningOnly" } = wish;
    const { sender = "GooglePayPasses", recipient = given.issuerId } = wish;
    const intermediate = wish.intermediate ?? ownIntermediate;
    const bytesOf = (...parts: string[]): Buffer =>
      Buffer.concat(
        parts.map((part) => {
          const length = new DataView(new ArrayBuffer(4));
          length.setUint32(0, lengthOf(part), true);
          return Buffer.concat([new Uint8Array(length.buffer), Buffer.from(part)]);
        }),
      );
    const signed = (key: KeyObject, ...parts: string[]): string =>
      createSign("sha256")
        .update(bytesOf(...parts))
        .sign(key, "base64");

    const keyValue = "keyValue" in wish ? wish.keyValue : intermediate.keyValue;
    const keyExpiration = "keyExpiration" in wish ? wish.keyExpiration : String(hence(3_600_000));
    const signedKey = wish.signedKey ?? JSON.stringify({ keyValue, keyExpiration });
    const message = {
      classId: `${given.issuerId}.card`,
      objectId: `${given.issuerId}.pass`,
      eventType: "save",
      expTimeMillis: hence(3_600_000),
      count: 1,
      nonce: randomUUID(),
      ...wish.message,
    };
    const signedMessage = wish.signedMessage ?? JSON.stringify(message);
    return {
      protocolVersion: "protocolVersion" in wish ? wish.protocolVersion : "ECv2SigningOnly",
      intermediateSigningKey: {
        signedKey,
        signatures: [signed(root.privateKey, sender, signedProtocol, signedKey)],
      },
      signature: signed(intermediate.privateKey, sender, recipient, signedProtocol, signedMessage),
      signedMessage,
    };
  }

  return {
    root,
    envelope,
    body: (wish: Wish = {}): Buffer => Buffer.from(JSON.stringify(envelope(wish))),
    /** As Google publishes it. */
    keysDocument: (change: Record<string, unknown> = {}) => ({
      keys: [
        {
          keyValue: root.keyValue,
          protocolVersion: "ECv2SigningOnly",
          keyExpiration: String(hence(86_400_000)),
          ...change,
        },
      ],
    }),
  };
}
