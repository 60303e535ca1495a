import { readFileSync } from "node:fs";
import t, { type Test } from "tap";
import type { RefusalReason } from "../../../../src/domain/callbacks/callback.ts";
import { readRootKeys } from "../../../../src/providers/google/callbacks/root-keys.ts";
import { verifyCallback } from "../../../../src/providers/google/callbacks/verify.ts";
import { type Envelope, googleSigner, newKey, type Wish } from "../../../support/google-callbacks.ts";

const issuerId = "3388000000012345678";
const passId = "0199c3b7-2e6f-7a85-9c12-6d4f8b0a1e52";
const atMs = Date.parse("2026-11-21T06:43:46.625Z");
const hourMs = 3_600_000;
const google = googleSigner({ issuerId, nowMs: () => atMs });
const rootKeys = readRootKeys(JSON.stringify(google.keysDocument()));

const judged = (body: Uint8Array, given: Partial<Parameters<typeof verifyCallback>[1]> = {}) =>
  verifyCallback(body, { rootKeys, issuerId, nowMs: atMs, ...given });
const bodyOf = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

/** What Google sent, changed by somebody on the way. */
function changed(change: (envelope: Envelope) => unknown): Buffer {
  const envelope = google.envelope();
  return bodyOf(change(envelope) ?? envelope);
}

function refuses(t: Test, cases: readonly [string, RefusalReason, Uint8Array][]): void {
  for (const [name, reason, body] of cases) t.match(judged(body), { outcome: "refused", reason }, name);
}

t.test("what OpenSSL has signed verifies, bytes beyond ASCII included", async (t) => {
  const file = new URL("fixtures/signed-by-openssl.json", import.meta.url);
  const { keys, callback } = JSON.parse(readFileSync(file, "utf8"));
  const roots = readRootKeys(JSON.stringify(keys));
  t.strictSame(judged(bodyOf(callback), { rootKeys: roots }), {
    outcome: "genuine",
    callback: {
      change: "saved",
      objectId: `${issuerId}.${passId}`,
      name: passId,
      nonce: "東京-🎟",
      expiresAtMs: 4_102_444_800_000,
    },
  });
  const body = bodyOf({ ...callback, signedMessage: callback.signedMessage.replace("Café", "Cafe") });
  t.match(judged(body, { rootKeys: roots }), { reason: "wrong_signature" });
});

t.test("a save and a removal are told apart, and another kind is nothing that we know", async (t) => {
  for (const [eventType, change] of [
    ["save", "saved"],
    ["del", "removed"],
    ["share", null],
    ["toString", null],
  ] as const) {
    const verdict = judged(google.body({ message: { eventType } }));
    t.match(verdict, { outcome: "genuine", callback: { change } }, eventType);
  }
});

t.test("instants are numbers or digits", async (t) => {
  for (const expTimeMillis of [atMs + 1, String(atMs + 1)]) {
    const verdict = judged(google.body({ message: { expTimeMillis }, keyExpiration: atMs + 1 }));
    t.match(verdict, { outcome: "genuine", callback: { expiresAtMs: atMs + 1 } });
  }
});

t.test("any signature by any root key that is in force vouches for the intermediate key", async (t) => {
  const other = googleSigner({ issuerId, nowMs: () => atMs });
  const both = [other, google].flatMap((signer) => signer.keysDocument().keys);
  const roots = readRootKeys(JSON.stringify({ keys: [...both, ...both] }));
  const envelope = google.envelope();
  const strange = other.envelope().intermediateSigningKey.signatures;
  const intermediateSigningKey = {
    ...envelope.intermediateSigningKey,
    signatures: [...strange, "AAAA", ...envelope.intermediateSigningKey.signatures],
  };
  const body = bodyOf({ ...envelope, intermediateSigningKey });
  t.match(judged(body), { outcome: "genuine" });
  t.match(judged(body, { rootKeys: roots }), { outcome: "genuine" });
});

t.test("nobody else's keys vouch for anything", async (t) => {
  const other = googleSigner({ issuerId, nowMs: () => atMs });
  refuses(t, [
    ["another root key", "untrusted_key", other.body()],
    [
      "an intermediate key of one's own",
      "wrong_signature",
      changed((envelope) => ({
        ...other.envelope(),
        intermediateSigningKey: envelope.intermediateSigningKey,
      })),
    ],
    [
      "a signature of another key",
      "untrusted_key",
      changed((envelope) => {
        envelope.intermediateSigningKey.signatures = other.envelope().intermediateSigningKey.signatures;
      }),
    ],
    [
      "the signatures swapped",
      "untrusted_key",
      changed((envelope) => {
        const { signature, intermediateSigningKey } = envelope;
        envelope.signature = intermediateSigningKey.signatures[0] ?? "";
        intermediateSigningKey.signatures = [signature];
      }),
    ],
    [
      "the message's signature by the root key",
      "wrong_signature",
      google.body({ intermediate: { ...google.root, keyValue: newKey().keyValue } }),
    ],
  ]);
  t.match(judged(google.body(), { rootKeys: [] }), { reason: "untrusted_key" });
});

t.test("sender, recipient and protocol are part of what is signed", async (t) => {
  refuses(t, [
    ["another sender", "untrusted_key", google.body({ sender: "Google" })],
    ["another recipient", "wrong_signature", google.body({ recipient: "3388000000099999999" })],
    ["no recipient", "wrong_signature", google.body({ recipient: "" })],
    ["another protocol signed", "untrusted_key", google.body({ signedProtocol: "ECv2" })],
    ["another protocol said", "wrong_protocol", google.body({ protocolVersion: "ECv2" })],
    ["none said", "wrong_protocol", google.body({ protocolVersion: undefined })],
    ["a list of protocols", "wrong_protocol", google.body({ protocolVersion: ["ECv2SigningOnly"] })],
  ]);
});

t.test("what Google says to another issuer is told from what it has not said", async (t) => {
  const other = "3388000000099999999";
  const message = { classId: `${other}.card`, objectId: `${other}.pass` };
  t.match(judged(google.body({ recipient: other, message })), {
    outcome: "refused",
    reason: "foreign_issuer",
    detail: `it is to the issuer ${other}, and not to ${issuerId}`,
  });
  refuses(t, [
    ["to a third", "wrong_signature", google.body({ recipient: "1", message })],
    [
      "to one that is no number",
      "wrong_signature",
      google.body({ recipient: "x", message: { classId: "x.card" } }),
    ],
    [
      "ended",
      "wrong_signature",
      google.body({ recipient: other, message: { ...message, expTimeMillis: atMs } }),
    ],
    ["no JSON", "wrong_signature", google.body({ recipient: other, signedMessage: "x" })],
  ]);
});

t.test("lengths are of bytes: the count of characters signs something else", async (t) => {
  const message = { nonce: "Zürich" };
  const lengthOf = (part: string): number => part.length;
  t.match(judged(google.body({ message })), { outcome: "genuine" });
  t.match(judged(google.body({ message, lengthOf })), { reason: "wrong_signature" });
});

t.test("what has ended counts for nothing, to the millisecond", async (t) => {
  const body = google.body({
    keyExpiration: String(atMs + hourMs),
    message: { expTimeMillis: atMs + 2 * hourMs },
  });
  t.match(judged(body, { nowMs: atMs + hourMs - 1 }), { outcome: "genuine" });
  t.match(judged(body, { nowMs: atMs + hourMs }), { reason: "expired_key" });
  const early = google.body({ message: { expTimeMillis: atMs } });
  t.match(judged(early), { reason: "expired_message" });
  t.match(judged(early, { nowMs: atMs - 1 }), { outcome: "genuine" });
  const ended = readRootKeys(JSON.stringify(google.keysDocument({ keyExpiration: String(atMs) })));
  t.match(judged(google.body(), { rootKeys: ended }), { reason: "untrusted_key" });
});

t.test("a byte more or less, and no signature fits", async (t) => {
  const flipped = (text: string): string => {
    const bytes = Buffer.from(text, "base64");
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    return bytes.toString("base64");
  };
  refuses(t, [
    [
      "the message",
      "wrong_signature",
      changed((envelope) => ({ ...envelope, signedMessage: `${envelope.signedMessage} ` })),
    ],
    [
      "the signature",
      "wrong_signature",
      changed((envelope) => ({ ...envelope, signature: flipped(envelope.signature) })),
    ],
    [
      "a signature that is no DER",
      "wrong_signature",
      changed((envelope) => ({ ...envelope, signature: "AAAA" })),
    ],
    [
      "the signed key",
      "untrusted_key",
      changed((envelope) => {
        envelope.intermediateSigningKey.signedKey += " ";
      }),
    ],
    [
      "its signature",
      "untrusted_key",
      changed(({ intermediateSigningKey }) => {
        intermediateSigningKey.signatures = intermediateSigningKey.signatures.map(flipped);
      }),
    ],
  ]);
});

t.test("what is missing, of another type or too large is refused before anything is verified", async (t) => {
  const members = ["intermediateSigningKey", "signature", "signedMessage"] as const;
  const bad = [undefined, null, 7, "", [], { a: 1 }, "\ud800", "x".repeat(9000)];
  for (const member of members) {
    for (const value of bad) {
      const body = changed((envelope) => ({ ...envelope, [member]: value }));
      t.match(judged(body), { outcome: "refused", reason: "malformed" }, `${member} ${typeof value}`);
    }
  }
  const ofKey = (change: object) =>
    changed((envelope) => ({
      ...envelope,
      intermediateSigningKey: { ...envelope.intermediateSigningKey, ...change },
    }));
  for (const signatures of [
    undefined,
    [],
    "MEUC",
    [7],
    [""],
    ["not base64"],
    ["A".repeat(164)],
    Array(6).fill("AAAA"),
  ]) {
    t.match(judged(ofKey({ signatures })), { reason: "malformed" });
  }
  for (const signedKey of bad) t.match(judged(ofKey({ signedKey })), { reason: "malformed" });
  const unpadded = changed((envelope) => ({ ...envelope, signature: envelope.signature.slice(0, -1) }));
  t.match(judged(unpadded), { reason: "malformed" });
});

t.test("what is no JSON object, or says something twice, is refused", async (t) => {
  const whole = google.body().toString();
  const cases = [
    "",
    "{",
    "[]",
    "null",
    "7",
    '"text"',
    `${whole}}`,
    whole.slice(1),
    whole.replace(/"/g, "'"),
    "[".repeat(5000),
  ];
  for (const text of cases) t.match(judged(Buffer.from(text)), { reason: "not_json" }, text.slice(0, 20));
  t.match(judged(Buffer.from([0x7b, 0xff, 0x7d])), { reason: "not_json" }, "not UTF-8");
  const twice = whole.replace("{", `{"protocolVersion":"ECv2SigningOnly",`);
  t.match(judged(Buffer.from(twice)), { reason: "not_json" }, "a member twice");
  const large = Buffer.concat([google.body(), Buffer.alloc(20_000, " ")]);
  t.match(judged(large), { reason: "too_large" });
  t.match(
    judged(bodyOf({ ...google.envelope(), more: { of: "tomorrow" } })),
    { outcome: "genuine" },
    "more members",
  );
});

t.test("an intermediate key must be one of P-256 that ends", async (t) => {
  const { keyValue } = newKey();
  const beside = Buffer.from(keyValue, "base64");
  beside[beside.length - 1] = (beside.at(-1) ?? 0) ^ 1;
  const wishes: [string, Wish][] = [
    ["of another curve", { keyValue: newKey("P-384").keyValue }],
    ["of a curve as long", { keyValue: newKey("secp256k1").keyValue }],
    ["a point beside the curve", { keyValue: beside.toString("base64") }],
    ["cut off", { keyValue: keyValue.slice(0, -4) }],
    ["no DER", { keyValue: "AAAA" }],
    ["no base64", { keyValue: "?".repeat(124) }],
    ["no text", { keyValue: 7 }],
    ["missing", { keyValue: undefined }],
    ["without end", { keyExpiration: undefined }],
    ["with an end that is none", { keyExpiration: "tomorrow" }],
    ["with a negative end", { keyExpiration: -1 }],
    ["with an end in fractions", { keyExpiration: atMs + 0.5 }],
    ["no JSON", { signedKey: "key" }],
    [
      "an end twice",
      { signedKey: `{"keyValue":"${keyValue}","keyExpiration":"1","keyExpiration":"${atMs + hourMs}"}` },
    ],
  ];
  for (const [name, wish] of wishes) t.match(judged(google.body(wish)), { reason: "malformed_key" }, name);
});

t.test("a message says what it is about, and to this issuer", async (t) => {
  for (const name of ["classId", "objectId", "eventType", "nonce", "expTimeMillis"]) {
    for (const value of [undefined, null, "", {}, true, "x".repeat(300)]) {
      const body = google.body({ message: { [name]: value } });
      t.match(judged(body), { reason: "malformed_message" }, `${name} ${typeof value}`);
    }
  }
  for (const signedMessage of ["x", "[]", "{}", "null"]) {
    t.match(judged(google.body({ signedMessage })), { reason: "malformed_message" }, signedMessage);
  }
  const twice = google.envelope().signedMessage.replace("{", '{"nonce":"n",');
  t.match(judged(google.body({ signedMessage: twice })), { reason: "malformed_message" });
  for (const name of ["classId", "objectId"]) {
    for (const id of [`3388000000099999999.pass`, `${issuerId}9.pass`, issuerId, `x${issuerId}.pass`]) {
      t.match(judged(google.body({ message: { [name]: id } })), { reason: "foreign_issuer" }, id);
    }
  }
});

t.test("a refusal says in words what is wrong", async (t) => {
  t.match(judged(google.body({ keyExpiration: "0" })), { detail: /ended at 1970-01-01T00:00:00\.000Z/ });
  t.match(judged(google.body({ protocolVersion: "ECv1" })), { detail: "protocolVersion is ECv1" });
});
