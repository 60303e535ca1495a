/** What Google's save links begin with; a JWT follows. */
const jwtLink = "https://pay.google.com/gp/v/save/";

/** The header of most of them. */
const usualHeader = Buffer.from('{"alg":"RS256","typ":"JWT"}');

/** No link as it is begins with it. */
const packed = 1;

/**
 * A save link as it is stored. A Google link is a JWT, base64url of what is a quarter shorter, and the longest thing that a
 * pass holds. Any other link stays as it is.
 */
export function packLink(link: string): Buffer {
  const plain = Buffer.from(link);
  if (!link.startsWith(jwtLink)) return plain;
  const [header, claims, signature, ...more] = link
    .slice(jwtLink.length)
    .split(".")
    .map((part) => Buffer.from(part, "base64url"));
  if (header === undefined || claims === undefined || signature === undefined || more.length > 0)
    return plain;
  const kept = header.equals(usualHeader) ? Buffer.alloc(0) : header;
  const head = Buffer.from([packed, 0, 0, 0, 0]);
  head.writeUInt16BE(kept.length, 1);
  head.writeUInt16BE(claims.length, 3);
  const bytes = Buffer.concat([head, kept, claims, signature]);
  return unpackLink(bytes) === link ? bytes : plain;
}

export function unpackLink(bytes: Buffer): string {
  if (bytes[0] !== packed) return bytes.toString();
  const claimsAt = 5 + bytes.readUInt16BE(1);
  const signatureAt = claimsAt + bytes.readUInt16BE(3);
  const header = claimsAt === 5 ? usualHeader : bytes.subarray(5, claimsAt);
  const parts = [header, bytes.subarray(claimsAt, signatureAt), bytes.subarray(signatureAt)];
  return jwtLink + parts.map((part) => part.toString("base64url")).join(".");
}
