import { readFileSync } from "node:fs";
import t from "tap";
import { readRootKeys } from "../../../../src/providers/google/callbacks/root-keys.ts";
import { googleSigner, newKey } from "../../../support/google-callbacks.ts";
import { atMs, bodyOf, changed, google, hourMs, issuerId, judged, refuses } from "./fixtures/judging.ts";

const passId = "0199c3b7-2e6f-7a85-9c12-6d4f8b0a1e52";

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
