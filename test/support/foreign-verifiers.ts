import { execFileSync } from "node:child_process";
import { createPublicKey, randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";

/** What a verifier goes by: a key set as it was served once, what it expects, and its time (ms). */
export type Expectations = { keySet: JSONWebKeySet; issuer: string; audience: string; nowMs: number };

/** Verifies a token as its users do; rejects when it is not content. Answers the claims. */
export type ForeignVerifier = (
  token: string,
  expected: Expectations,
) => Promise<Record<string, unknown>> | Record<string, unknown>;

const require = createRequire(import.meta.url);

// Both come as CommonJS; the first without types.
type Decode = (token: string, key: string, options: object) => Record<string, unknown>;
const jsonwebtoken: { verify: Decode } = require("jsonwebtoken");
const { JwksClient }: typeof import("jwks-rsa") = require("jwks-rsa");

export const byJose: ForeignVerifier = async (token, { keySet, issuer, audience, nowMs }) => {
  const currentDate = new Date(nowMs);
  const options = { issuer, audience, typ: "at+jwt", algorithms: ["RS256"], currentDate };
  return (await jwtVerify(token, createLocalJWKSet(keySet), options)).payload;
};

/** jwks-rsa finds the key, jsonwebtoken verifies: the pair that most Express services use. */
export const byJsonwebtoken: ForeignVerifier = async (token, { keySet, issuer, audience, nowMs }) => {
  const client = new JwksClient({
    jwksUri: "https://passes.example.com/.well-known/jwks.json",
    cacheMaxAge: 24 * 60 * 60 * 1000,
    fetcher: async () => keySet as never,
  });
  const key = await client.getSigningKey(kidOf(token));
  const clockTimestamp = Math.floor(nowMs / 1000);
  return jsonwebtoken.verify(token, key.getPublicKey(), {
    algorithms: ["RS256"],
    issuer,
    audience,
    clockTimestamp,
  });
};

/** OpenSSL's own word on the signature; times and names are left to others. */
export const byOpenssl: ForeignVerifier = (token, { keySet }) => {
  const kid = kidOf(token);
  const jwk = keySet.keys.find((candidate) => candidate.kid === kid);
  if (jwk === undefined) throw new Error(`no key ${kid} in the set`);
  const folder = mkdtempSync(join(tmpdir(), "passwright-openssl-"));
  try {
    const [header, claims = "", signature = ""] = token.split(".");
    const file = (name: string, content: string | Uint8Array): string => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const pem = createPublicKey({ key: { ...jwk }, format: "jwk" }).export({ type: "spki", format: "pem" });
    const args = [
      ...["dgst", "-sha256", "-verify", file("key", String(pem))],
      ...["-signature", file("signature", Buffer.from(signature, "base64url"))],
      file("signed", `${header}.${claims}`),
    ];
    execFileSync("openssl", args, { stdio: "pipe" });
    return JSON.parse(Buffer.from(claims, "base64url").toString("utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Debian's Python: another one may come first in the path, without its packages. */
const python = "/usr/bin/python3";

// PyJWT knows no other clock than the machine's, so times are compared here.
const pyjwtScript = `
import json, sys, jwt
asked = json.load(sys.stdin)
kid = jwt.get_unverified_header(asked["token"])["kid"]
keys = {key.key_id: key for key in jwt.PyJWKSet.from_dict(asked["keySet"]).keys}
claims = jwt.decode(asked["token"], keys[kid].key, algorithms=["RS256"], issuer=asked["issuer"],
    audience=asked["audience"], options={"require": ["exp", "iat", "sub"], "verify_exp": False, "verify_iat": False})
assert claims["iat"] <= asked["nowMs"] / 1000 < claims["exp"], "expired"
print(json.dumps(claims))
`;

export const byPyjwt: ForeignVerifier = (token, expected) => {
  const input = JSON.stringify({ ...expected, token });
  return JSON.parse(execFileSync(python, ["-c", pyjwtScript], { input, encoding: "utf8", stdio: "pipe" }));
};

/** Why PyJWT cannot be asked here, or false when it can. */
export function pyjwtIsMissing(): false | string {
  try {
    execFileSync(python, ["-c", "import jwt, cryptography"], { stdio: "pipe" });
    return false;
  } catch {
    return "python3-jwt is not installed";
  }
}

function kidOf(token: string): string {
  const [header = ""] = token.split(".");
  return JSON.parse(Buffer.from(header, "base64url").toString("utf8")).kid ?? randomUUID();
}
