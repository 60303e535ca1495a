import { createPublicKey, type KeyObject } from "node:crypto";

/** A SubjectPublicKeyInfo of P-256 has 91 bytes; somebody else's may spell the curve out. */
const longestKey = 200;

/** A key of P-256, SubjectPublicKeyInfo in base64; null for anything else, a point beside the curve included. */
export function readPublicKey(text: string): KeyObject | null {
  if (text.length > longestKey || !isBase64(text)) return null;
  try {
    const key = createPublicKey({ key: Buffer.from(text, "base64"), format: "der", type: "spki" });
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" ? key : null;
  } catch {
    return null;
  }
}

/** With its padding: Node reads up to the first stranger, and is content with what it has. */
export function isBase64(text: string): boolean {
  return text.length > 0 && text.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(text);
}
