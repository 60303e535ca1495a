import { createPublicKey, verify } from "node:crypto";
import { isObject } from "./proto-json.ts";
import { type ServiceAccount, standingOf } from "./service-accounts.ts";

export type Jwt = {
  header: Record<string, unknown>;
  claims: Record<string, unknown>;
  signed: string;
  signature: Buffer;
};

/** A JWS in compact form (RFC 7515), strictly base64url, or undefined. */
export function decodeJwt(text: string): Jwt | undefined {
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(text);
  if (parts === null) return undefined;
  const [, head = "", body = "", signature = ""] = parts;
  const header = parseObject(head);
  const claims = parseObject(body);
  if (header === undefined || claims === undefined) return undefined;
  return { header, claims, signed: `${head}.${body}`, signature: Buffer.from(signature, "base64url") };
}

function parseObject(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for RS256 by the account's key, unless that was deleted. */
export function isSignedBy(account: ServiceAccount, { header, signed, signature }: Jwt): boolean {
  if (standingOf(account).key === "deleted") return false;
  if (header.alg !== "RS256") return false;
  if (header.kid !== undefined && header.kid !== account.privateKeyId) return false;
  return verify("sha256", Buffer.from(signed), createPublicKey(account.publicKeyPem), signature);
}
