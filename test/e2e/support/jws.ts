import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

export type Part = Record<string, unknown> | string;

/** base64url of a part; a string goes as it is, to make what JSON.stringify would not. */
export function encoded(part: Part): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}

export function unsigned(header: Part, claims: Part): string {
  return `${encoded(header)}.${encoded(claims)}`;
}

/** A JWS made with node:crypto alone, by a key of anybody's. */
export function signedBy(key: KeyObject, header: Part, claims: Part): string {
  const content = unsigned(header, claims);
  return `${content}.${sign("sha256", Buffer.from(content), key).toString("base64url")}`;
}

/** A JWS with a symmetric signature, whose key may be a public one taken for a secret. */
export function macBy(secret: string | Buffer, hash: string, header: Part, claims: Part): string {
  const content = unsigned(header, claims);
  return `${content}.${createHmac(hash, secret).update(content).digest("base64url")}`;
}

export function rsaKeyPair() {
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}
