import t from "tap";
import { newKey, type Wish } from "../../../support/google-callbacks.ts";
import { atMs, bodyOf, changed, google, hourMs, issuerId, judged } from "./fixtures/judging.ts";

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
