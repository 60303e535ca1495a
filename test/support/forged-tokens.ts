import {
  createHmac,
  createPrivateKey,
  createPublicKey,
  constants as crypto,
  type KeyObject,
  sign,
} from "node:crypto";
import { encoded, type Part, rsaKeyPair, signedBy, unsigned } from "../e2e/support/jws.ts";

// What attackers and broken issuers send as access tokens: RFC 8725, RFC 9068, and what verifiers of other products
// have fallen for. Many bear a good signature of ours, so that nothing but the check in question can refuse them.

export type Forgery = { kind: string; what: string; token: string };

export type Materials = {
  /** A good token, */
  token: string;
  /** the key that signed it (PKCS #8, PEM), */
  privateKey: string;
  /** the key set as it is served, */
  keySet: string;
  /** and an address that nobody may go to see. */
  lure: string;
};

type Claims = Record<string, unknown> & {
  iat: number;
  exp: number;
  iss: string;
  aud: string;
  tenant_id: string;
};

export function forgedTokens({ token, privateKey, keySet, lure }: Materials): Forgery[] {
  const [head = "", body = "", signature = ""] = token.split(".");
  const header = decoded(head) as { kid: string };
  const claims = decoded(body) as Claims;
  const ours = createPrivateKey(privateKey);
  const stranger = rsaKeyPair();
  const strangersJwk = {
    ...stranger.publicKey.export({ format: "jwk" }),
    kid: header.kid,
    alg: "RS256",
    use: "sig",
  };
  const somebody = "0193a0b4-0000-7000-8000-0000000000ff";

  const withHeader = (more: object, key = ours): string => signedBy(key, { ...header, ...more }, claims);
  const withClaims = (more: object): string => signedBy(ours, header, { ...claims, ...more });
  const saying = (what: Part): string => signedBy(ours, header, what);
  const byStranger = (more: object, claim: object = {}): string =>
    signedBy(stranger.privateKey, { ...header, ...more }, { ...claims, ...claim });
  const unsignedAs = (alg: unknown): string => unsigned({ ...header, alg }, claims);

  const corpora: Record<string, Record<string, string>> = {
    "no signature": Object.fromEntries(
      ["none", "None", "NONE", "nOnE", ""].flatMap((alg) => [
        [`alg "${alg}", nothing behind the dot`, `${unsignedAs(alg)}.`],
        [`alg "${alg}", no second dot`, unsignedAs(alg)],
        [`alg "${alg}", with the signature of before`, `${unsignedAs(alg)}.${signature}`],
      ]),
    ),
    "our public key as the secret of an HMAC": Object.fromEntries(
      Object.entries(publicForms(ours, header.kid, keySet)).flatMap(([form, secret]) =>
        ["256", "384", "512"].map((bits) => {
          const content = unsigned({ ...header, alg: `HS${bits}` }, claims);
          const mac = createHmac(`sha${bits}`, secret).update(content).digest("base64url");
          return [`HS${bits} by ${form}`, `${content}.${mac}`];
        }),
      ),
    ),
    "another algorithm": {
      "no alg": withHeader({ alg: undefined }),
      "alg as a list": withHeader({ alg: ["RS256"] }),
      "RS512 in name": withHeader({ alg: "RS512" }),
      "ES256 in name": withHeader({ alg: "ES256" }),
      "RS256 in small letters": withHeader({ alg: "rs256" }),
      "PS256 by our key": pssBy(ours, { ...header, alg: "PS256" }, claims),
      "RS512 by our key": signedWith("sha512", ours, { ...header, alg: "RS512" }, claims),
    },
    "a key of one's own, brought along or pointed at": {
      "under our key's name": byStranger({}),
      "without a name": byStranger({ kid: undefined }),
      "embedded as jwk": byStranger({ jwk: strangersJwk }),
      "embedded as jwk, unnamed": byStranger({ kid: undefined, jwk: strangersJwk }),
      "embedded as jwk, under a name of its own": byStranger({
        kid: "mine",
        jwk: { ...strangersJwk, kid: "mine" },
      }),
      "at a jku": byStranger({ jku: `${lure}/jwks.json` }),
      "at a jku, under another name": byStranger({ jku: `${lure}/jwks.json`, kid: "mine" }),
      "at an x5u": byStranger({ x5u: `${lure}/chain.pem` }),
      "as x5c": byStranger({
        x5c: [stranger.publicKey.export({ type: "spki", format: "der" }).toString("base64")],
      }),
      "with kid and iss as addresses": byStranger({ kid: `${lure}/jwks.json` }, { iss: lure }),
    },
    "a kid that names no key": Object.fromEntries(
      [
        undefined,
        "",
        "../../../../dev/null",
        `${header.kid}\0`,
        `../${header.kid}`,
        "' OR 1=1 --",
        "__proto__",
        "constructor",
        "k".repeat(10_000),
        0,
        null,
        true,
        [header.kid],
        { kid: header.kid },
      ].map((kid) => [String(JSON.stringify(kid)).slice(0, 30), withHeader({ kid })]),
    ),
    "a crit or a type that we do not know": {
      "an unknown crit": withHeader({ crit: ["strictly"], strictly: true }),
      "a crit that names a claim": withHeader({ crit: ["exp"], exp: claims.exp }),
      "an empty crit": withHeader({ crit: [] }),
      "a crit that is text": withHeader({ crit: "exp" }),
      "crit b64": withHeader({ crit: ["b64"], b64: false }),
      "typ JWT": withHeader({ typ: "JWT" }),
      "no typ": withHeader({ typ: undefined }),
      "the type of an ID token": withHeader({ typ: "id+jwt" }),
      "the type of a logout token": withHeader({ typ: "logout+jwt" }),
      "a type that is a number": withHeader({ typ: 1 }),
      "our signature under typ JWT": `${encoded({ ...header, typ: "JWT" })}.${body}.${signature}`,
    },
    "another party": {
      "a foreign issuer": withClaims({ iss: "https://issuer.example" }),
      "our issuer with a slash": withClaims({ iss: `${claims.iss}/` }),
      "issuers in a list": withClaims({ iss: [claims.iss] }),
      "no issuer": withClaims({ iss: undefined }),
      "the audience of another environment": withClaims({ aud: "https://staging.example" }),
      "our audience with a slash": withClaims({ aud: `${claims.aud}/` }),
      "an audience without ours": withClaims({ aud: ["https://a.example", "https://b.example"] }),
      "no audience": withClaims({ aud: undefined }),
      "a subject that is not the client": withClaims({ sub: somebody }),
      "no subject": withClaims({ sub: undefined }),
      "no client": withClaims({ client_id: undefined }),
      "no tenant": withClaims({ tenant_id: undefined }),
      "a tenant in a list": withClaims({ tenant_id: [claims.tenant_id] }),
      "no jti": withClaims({ jti: undefined }),
      "no scope": withClaims({ scope: undefined }),
      "scopes in a list": withClaims({ scope: ["passes:read"] }),
    },
    "another time": {
      "expired an hour ago": withClaims({ exp: claims.iat - 3600, iat: claims.iat - 7200 }),
      "expired ten seconds ago": withClaims({ exp: claims.iat - 10, iat: claims.iat - 3610 }),
      "exp as text": withClaims({ exp: String(claims.exp) }),
      "exp with a fraction": withClaims({ exp: claims.exp - 0.5 }),
      "exp beyond all time": withClaims({ exp: 1e30 }),
      "exp null": withClaims({ exp: null }),
      "no exp": withClaims({ exp: undefined }),
      "a life longer than an hour": withClaims({ exp: claims.exp + 60 }),
      "nbf to come": withClaims({ nbf: claims.exp }),
      "nbf as text": withClaims({ nbf: String(claims.iat) }),
      "iat to come": withClaims({ iat: claims.exp, exp: claims.exp + 3600 }),
      "iat as text": withClaims({ iat: String(claims.iat) }),
      "no iat": withClaims({ iat: undefined }),
    },
    "claims that are not those that were signed": {
      "a later end": `${head}.${encoded({ ...claims, exp: claims.exp + 1 })}.${signature}`,
      "another tenant": `${head}.${encoded({ ...claims, tenant_id: somebody })}.${signature}`,
      "more scopes": `${head}.${encoded({ ...claims, scope: "passes:write" })}.${signature}`,
      "the same, written differently": `${head}.${encoded(JSON.stringify(claims, null, 1))}.${signature}`,
    },
    "claims that can be read in two ways, or in none": {
      "a tenant twice": saying(JSON.stringify(claims).replace("{", `{"tenant_id":"${somebody}",`)),
      "an end twice": saying(JSON.stringify(claims).replace(/}$/, `,"exp":${claims.exp}}`)),
      "a list": saying("[]"),
      null: saying("null"),
      "no JSON": saying("hello"),
      "half an object": saying("{"),
      "no UTF-8": notUtf8(ours, head),
      "a header that is no JSON": signedBy(ours, "{", claims),
      "a header that is null": signedBy(ours, "null", claims),
    },
    "another form": {
      nothing: "",
      "not a token": "hello",
      "one part": head,
      "two parts": `${head}.${body}`,
      "only dots": "..",
      "a thousand dots": ".".repeat(1000),
      "four parts": `${token}.${signature}`,
      "a fourth, empty part": `${token}.`,
      "five parts": `${token}.${body}.${signature}`,
      "no header": `.${body}.${signature}`,
      "no claims": `${head}..${signature}`,
      "no signature": `${head}.${body}.`,
      "half a signature": `${head}.${body}.${signature.slice(0, signature.length / 2)}`,
      "a signature of zeros": `${head}.${body}.${"A".repeat(signature.length)}`,
      "an encrypted one, in form": `${encoded({ alg: "RSA-OAEP", enc: "A256GCM" })}.AA.AA.AA.AA`,
      "8 kB": withClaims({ filler: "x".repeat(6000) }),
      "three thousand letters": "a".repeat(3000),
    },
    "another spelling": {
      "a leading space": ` ${token}`,
      "a trailing space": `${token} `,
      "a trailing line end": `${token}\n`,
      "a space within": `${head}.${body}. ${signature}`,
      "in quotes": `"${token}"`,
      "a stray character at the end": `${token}!`,
      "a stray character in the signature": `${head}.${body}.${signature.slice(0, 9)}$${signature.slice(9)}`,
      "padding of the signature": `${token}=`,
      "more padding": `${token}====`,
      "padding of the header": `${head}=.${body}.${signature}`,
      "padding of the claims": `${head}.${body}=.${signature}`,
      "one character more": `${token}A`,
      "four characters more": `${token}AAAA`,
      "base64 instead of base64url": `${head}.${body}.${Buffer.from(signature, "base64url").toString("base64")}`,
      "other tail bits in the signature": otherTailBits(token),
      "other tail bits in the claims": tailBitsInClaims(ours, header, claims),
    },
  };
  return Object.entries(corpora).flatMap(([kind, corpus]) =>
    Object.entries(corpus).map(([what, forged]) => ({ kind, what, token: forged })),
  );
}

function decoded(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
}

/** What everybody has of the key, in every form that a library may take for a secret. */
function publicForms(key: KeyObject, kid: string, keySet: string): Record<string, string | Buffer> {
  const publicKey = createPublicKey(key);
  const jwk: { n: string } = JSON.parse(keySet).keys.find(
    (candidate: { kid: string }) => candidate.kid === kid,
  );
  const pem = publicKey.export({ type: "spki", format: "pem" }).toString();
  return {
    "the PEM": pem,
    "the PEM without its last line end": pem.trimEnd(),
    "the PKCS #1 PEM": publicKey.export({ type: "pkcs1", format: "pem" }).toString(),
    "the DER": publicKey.export({ type: "spki", format: "der" }),
    "the PKCS #1 DER": publicKey.export({ type: "pkcs1", format: "der" }),
    "the JWK": JSON.stringify(jwk),
    "the modulus": Buffer.from(jwk.n, "base64url"),
    "the modulus as text": jwk.n,
    "the whole set": keySet,
    "the kid": kid,
    nothing: "",
  };
}

function signedWith(hash: string, key: KeyObject, header: Part, claims: Part): string {
  const content = unsigned(header, claims);
  return `${content}.${sign(hash, Buffer.from(content), key).toString("base64url")}`;
}

function pssBy(key: KeyObject, header: Part, claims: Part): string {
  const content = unsigned(header, claims);
  const how = { key, padding: crypto.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
  return `${content}.${sign("sha256", Buffer.from(content), how).toString("base64url")}`;
}

function notUtf8(key: KeyObject, head: string): string {
  const content = `${head}.${Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString("base64url")}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** The same bytes with one of the bits set that the last character leaves unused. */
function otherTailBits(text: string): string {
  return text.slice(0, -1) + alphabet.charAt(alphabet.indexOf(text.at(-1) ?? "") + 1);
}

/** Signed as it is spelt: only a strict decoder minds. The filler makes the claims end on unused bits. */
function tailBitsInClaims(key: KeyObject, header: Part, claims: Claims): string {
  const fillers = ["", "x", "xx"].map((filler) =>
    JSON.stringify({ ...claims, jti: `${claims.jti}${filler}` }),
  );
  const text = fillers.find((candidate) => Buffer.byteLength(candidate) % 3 !== 0) ?? "";
  const content = `${encoded(header)}.${otherTailBits(encoded(text))}`;
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}
