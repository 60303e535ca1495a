/**
 * The part of DER (X.690) that a CMS signature needs: a writer for the few types in it, and a reader
 * for cutting names and numbers out of a certificate byte for byte.
 */

export const tags = {
  integer: 0x02,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  /** `[n]`, constructed, context-specific. */
  context: (n: number) => 0xa0 + n,
} as const;

/** Identifier and length octets of a value of `length` octets (X.690 section 8.1). */
function derHead(tag: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tag, length]);
  if (length < 0x100) return Buffer.from([tag, 0x81, length]);
  if (length < 0x10000) return Buffer.from([tag, 0x82, length >> 8, length & 0xff]);
  return Buffer.from([tag, 0x83, length >> 16, (length >> 8) & 0xff, length & 0xff]);
}

/** One value: its head, then its contents one after the other. */
export function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const length = contents.reduce((sum, content) => sum + content.byteLength, 0);
  return Buffer.concat([derHead(tag, length), ...contents]);
}

/** SET OF, its members in ascending order of their encodings (X.690 section 11.6); `tag` for an implicit one. */
export function derSetOf(members: readonly Uint8Array[], tag: number = tags.set): Buffer {
  return der(tag, ...members.toSorted(Buffer.compare));
}

/** An object identifier from its dotted form (X.690 section 8.19). */
export function derOid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return der(tags.oid, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const octets = [arc & 0x7f];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
    octets.unshift((left & 0x7f) | 0x80);
  }
  return octets;
}

/** A time to the second: UTCTime up to 2049, GeneralizedTime after, as RFC 5652 section 11.3 demands. */
export function derTime(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, "");
  const inUtcTime = digits >= "19500101000000Z" && digits < "20500101000000Z";
  return inUtcTime
    ? der(tags.utcTime, Buffer.from(digits.slice(2), "latin1"))
    : der(tags.generalizedTime, Buffer.from(digits, "latin1"));
}

/** One value as read: `raw` with its head, `content` without, both views on the bytes given. */
export type DerValue = { tag: number; raw: Buffer; content: Buffer };

/** The values that stand one after the other in `bytes`. Throws a RangeError where the lengths do not add up. */
export function readDer(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let start = 0; start < bytes.length; ) {
    const tag = bytes.readUInt8(start);
    const shortLength = bytes.readUInt8(start + 1);
    const lengthOctets = shortLength < 0x80 ? 0 : shortLength & 0x7f;
    const contentStart = start + 2 + lengthOctets;
    const length = lengthOctets === 0 ? shortLength : bytes.readUIntBE(start + 2, lengthOctets);
    const end = contentStart + length;
    if (end > bytes.length) throw new RangeError("DER value reaches beyond its container");
    values.push({ tag, raw: bytes.subarray(start, end), content: bytes.subarray(contentStart, end) });
    start = end;
  }
  return values;
}
