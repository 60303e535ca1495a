import { sign } from "node:crypto";

/** A key that Google knows by its id (`private_key_id` of the service-account file). */
export type JwtKey = { privateKey: string; privateKeyId?: string };

/**
 * A compact JWS of the claims, RS256 (RFC 7518 section 3.3). The same claims and key always give the same text:
 * RSASSA-PKCS1-v1_5 has no random part. `privateKey` is PEM.
 */
export function signJwt(claims: Record<string, unknown>, key: JwtKey): string {
  const header = { alg: "RS256", typ: "JWT", ...(key.privateKeyId && { kid: key.privateKeyId }) };
  const content = `${encode(header)}.${encode(claims)}`;
  return `${content}.${sign("sha256", Buffer.from(content), key.privateKey).toString("base64url")}`;
}

function encode(part: Record<string, unknown>): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
