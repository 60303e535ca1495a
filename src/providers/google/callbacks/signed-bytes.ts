import { type KeyObject, verify } from "node:crypto";

/**
 * What is signed (ECv2SigningOnly: https://developers.google.com/pay/api/web/guides/resources/payment-data-cryptography):
 * each part in UTF-8 behind its length in bytes, four of them, the least first.
 */
export function signedBytes(...parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, "utf8");
      const length = Buffer.alloc(4);
      length.writeUInt32LE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** Whether a signature, DER in base64, is the key's: ECDSA over SHA-256. */
export function isSignedBy(key: KeyObject, bytes: Buffer, signature: string): boolean {
  try {
    return verify("sha256", bytes, { key, dsaEncoding: "der" }, Buffer.from(signature, "base64"));
  } catch {
    // OpenSSL throws for some of what is no signature at all.
    return false;
  }
}
