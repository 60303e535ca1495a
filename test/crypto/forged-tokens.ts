import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSign,
  constants as crypto,
  sign,
} from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t from "tap";
import { createAccessTokens } from "../../src/crypto/access-tokens.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import type { SigningKey } from "../../src/domain/signing-keys/signing-key.ts";
import { applicationId, otherTenantId, tenantId } from "../domain/fixtures/examples.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";
import { settableClock } from "../support/clock.ts";
import { mintKeys } from "./fixtures/signing-keys.ts";

// What attackers and broken issuers send as tokens: each is invalid_token, and nothing else happens.

const [ours, strangers] = mintKeys("active", "active") as [SigningKey, SigningKey];
const baseUrl = "https://passes.example.com";
const now = 1_795_000_000;
const clock = settableClock(now * 1000);
const keyring = await createKeyring(async () => [ours], clock);
const tokens = createAccessTokens({ keyring, clock, baseUrl });

const header = { alg: "RS256", typ: "at+jwt", kid: ours.kid };
const payload = {
  iss: baseUrl,
  aud: baseUrl,
  sub: applicationId,
  client_id: applicationId,
  tenant_id: tenantId,
  scope: "passes:read",
  iat: now,
  exp: now + 3600,
  jti: "jti",
};
const encode = (part: unknown): string =>
  Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
const rs256 = (text: string, key = ours): string =>
  createSign("sha256").update(text).sign(createPrivateKey(key.privateKey), "base64url");

/** A token with a good signature of ours, whatever it says. */
function signed(head: unknown, body: unknown, key = ours): string {
  const text = `${encode(head)}.${encode(body)}`;
  return `${text}.${rs256(text, key)}`;
}
const withHeader = (other: object): string => signed({ ...header, ...other }, payload);
const withClaims = (other: object): string => signed(header, { ...payload, ...other });
const without = (name: string): string => signed(header, { ...payload, [name]: undefined });
const good = signed(header, payload);
const [goodHeader = "", goodPayload = "", goodSignature = ""] = good.split(".");

const publicKey = createPublicKey({ key: { ...ours.publicJwk }, format: "jwk" });
/** HS256 keyed with a form of our public key, which everybody has. */
function hs256(secret: string | Buffer): string {
  const text = `${encode({ ...header, alg: "HS256" })}.${goodPayload}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
function ps256(): string {
  const text = `${encode({ ...header, alg: "PS256" })}.${goodPayload}`;
  const key = { key: ours.privateKey, padding: crypto.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return `${text}.${sign("sha256", Buffer.from(text), key).toString("base64url")}`;
}

/** The character behind, which differs in the last bit: one of those that 256 bytes leave unused at their end. */
function nextInAlphabet(character: string): string {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return alphabet.charAt(alphabet.indexOf(character) + 1);
}

/** The address of a server that must never be asked for a key. */
const asked: string[] = [];
const trap = createServer((request, response) => {
  asked.push(request.url ?? "");
  response.end(JSON.stringify({ keys: [strangers.publicJwk] }));
});
await new Promise<void>((ready) => trap.listen(0, "127.0.0.1", ready));
t.teardown(() => trap.close());
const trapUrl = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/jwks`;

const corpora: Record<string, Record<string, string>> = {
  "another algorithm": {
    none: `${encode({ ...header, alg: "none" })}.${goodPayload}.`,
    None: `${encode({ ...header, alg: "None" })}.${goodPayload}.`,
    NONE: `${encode({ ...header, alg: "NONE" })}.${goodPayload}.`,
    "none with our signature": `${encode({ ...header, alg: "none" })}.${goodPayload}.${goodSignature}`,
    absent: withHeader({ alg: undefined }),
    "an array": withHeader({ alg: ["RS256"] }),
    "HS256 with the PEM": hs256(publicKey.export({ type: "spki", format: "pem" })),
    "HS256 with the PKCS #1 PEM": hs256(publicKey.export({ type: "pkcs1", format: "pem" })),
    "HS256 with the DER": hs256(publicKey.export({ type: "spki", format: "der" })),
    "HS256 with the JWK": hs256(JSON.stringify(ours.publicJwk)),
    "HS256 with the kid": hs256(ours.kid),
    "HS256 with nothing": hs256(""),
    "PS256 by our key": ps256(),
    "RS512 in name": withHeader({ alg: "RS512" }),
  },
  "a header that asks for trust": {
    "unknown crit": withHeader({ crit: ["exp-strictly"], "exp-strictly": true }),
    "empty crit": withHeader({ crit: [] }),
    "crit b64": withHeader({ crit: ["b64"], b64: false }),
    "an embedded jwk": signed({ ...header, jwk: strangers.publicJwk }, payload, strangers),
    "an embedded jwk under its own kid": signed(
      { ...header, kid: strangers.kid, jwk: strangers.publicJwk },
      payload,
      strangers,
    ),
    jku: signed({ ...header, kid: strangers.kid, jku: trapUrl }, payload, strangers),
    x5u: signed({ ...header, kid: strangers.kid, x5u: trapUrl }, payload, strangers),
    x5c: signed({ ...header, x5c: ["AAAA"] }, payload, strangers),
  },
  "a kid that names no key": {
    absent: withHeader({ kid: undefined }),
    empty: withHeader({ kid: "" }),
    "a path": withHeader({ kid: "../../../../dev/null" }),
    "a path with NUL": withHeader({ kid: `${ours.kid}\0` }),
    "10 kB": withHeader({ kid: "k".repeat(10_000) }),
    "an array": withHeader({ kid: [ours.kid] }),
    "an object": withHeader({ kid: { toString: ours.kid } }),
    "an inherited name": withHeader({ kid: "__proto__" }),
    "a removed key's": signed({ ...header, kid: strangers.kid }, payload, strangers),
  },
  "another type": {
    JWT: withHeader({ typ: "JWT" }),
    absent: withHeader({ typ: undefined }),
    "an ID token": withHeader({ typ: "id+jwt" }),
    "a number": withHeader({ typ: 1 }),
  },
  "another party": {
    "a foreign issuer": withClaims({ iss: "https://evil.example.com" }),
    "the issuer with a slash": withClaims({ iss: `${baseUrl}/` }),
    "no issuer": without("iss"),
    "another audience": withClaims({ aud: "https://staging.example.com" }),
    "an audience without ours": withClaims({ aud: ["https://a.example", "https://b.example"] }),
    "no audience": without("aud"),
    "a subject that is not the client": withClaims({ sub: otherTenantId }),
    "no subject": without("sub"),
    "no client": without("client_id"),
    "no tenant": without("tenant_id"),
    "a tenant that is a list": withClaims({ tenant_id: [tenantId] }),
    "no jti": without("jti"),
    "no scope": without("scope"),
    "scope as an array": withClaims({ scope: ["passes:read"] }),
  },
  "another time": {
    "expired an hour ago": withClaims({ exp: now - 3600, iat: now - 7200 }),
    "exp as text": withClaims({ exp: String(now + 3600) }),
    "exp with a fraction": withClaims({ exp: now + 3600.5 }),
    "exp beyond all time": withClaims({ exp: 1e30 }),
    "exp null": withClaims({ exp: null }),
    "no exp": without("exp"),
    "nbf in the future": withClaims({ nbf: now + 3600 }),
    "nbf as text": withClaims({ nbf: String(now) }),
    "iat in the future": withClaims({ iat: now + 3600, exp: now + 7200 }),
    "iat as text": withClaims({ iat: String(now) }),
    "no iat": without("iat"),
  },
  "another form": {
    nothing: "",
    "not a token": "hello",
    "two segments": `${goodHeader}.${goodPayload}`,
    "four segments": `${good}.${goodSignature}`,
    "a fourth, empty segment": `${good}.`,
    "a leading space": ` ${good}`,
    "a trailing space": `${good} `,
    "a trailing newline": `${good}\n`,
    "a space within": `${goodHeader}.${goodPayload}. ${goodSignature}`,
    "padding of the signature": `${good}=`,
    "more padding": `${good}====`,
    "padding of the payload": `${goodHeader}.${goodPayload}=.${goodSignature}`,
    "a signature one bit longer": `${good}A`,
    "no signature": `${goodHeader}.${goodPayload}.`,
    "a changed payload": `${goodHeader}.${encode({ ...payload, tenant_id: otherTenantId })}.${goodSignature}`,
    "signed by a stranger": signed(header, payload, strangers),
    "duplicate claims": signed(
      header,
      JSON.stringify(payload).replace("{", `{"tenant_id":"${otherTenantId}",`),
    ),
    "a payload that is no object": signed(header, "[]"),
    "a payload that is null": signed(header, "null"),
    "a payload that is no JSON": signed(header, "hello"),
    "a payload that is no UTF-8": `${goodHeader}.${Buffer.from([0xff, 0xfe]).toString("base64url")}.${goodSignature}`,
    "8 kB": withClaims({ padding: "x".repeat(8000) }),
    "an encrypted one, in form": `${encode({ alg: "RSA-OAEP", enc: "A256GCM" })}.AA.AA.AA.AA`,
  },
  "another spelling of the signature": {
    base64: `${goodHeader}.${goodPayload}.${goodSignature.replaceAll("-", "+").replaceAll("_", "/")}`,
    "other tail bits": `${good.slice(0, -1)}${nextInAlphabet(goodSignature.at(-1) ?? "")}`,
  },
};

t.test("the token that the forgeries were made of is good", async (t) => {
  t.match(await tokens.verify(good), { tenantId, applicationId, scopes: ["passes:read"] });
});

for (const [kind, corpus] of Object.entries(corpora)) {
  t.test(`a token with ${kind} is refused`, async (t) => {
    for (const [what, token] of Object.entries(corpus)) {
      const verdict = await tokens.verify(token).then(
        () => "accepted",
        () => refusalOf(() => tokens.verify(token)),
      );
      t.match(verdict, { code: "invalid_token", kind: "unauthorized" }, what);
      if (typeof verdict !== "string")
        t.notMatch(verdict.detail, / at |Error|node_modules/, "nothing of the inside");
    }
  });
}

t.test("no address that a token names was asked for anything", async (t) => {
  t.strictSame(asked, []);
});
