/** The little of reading DER (ITU-T X.690) that a CMS signature and a certificate's subject need. */

export type DerValue = { tag: number; raw: Buffer; content: Buffer };

export const derTags = {
  integer: 0x02,
  octetString: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  /** `[n]`, constructed. */
  context: (n: number) => 0xa0 + n,
  /** `[n]`, primitive. */
  implicit: (n: number) => 0x80 + n,
} as const;

/** The values that stand one after the other. Throws a RangeError where the lengths do not add up. */
export function derValues(bytes: Buffer): DerValue[] {
  const values: DerValue[] = [];
  for (let start = 0; start < bytes.length; ) {
    const first = bytes.readUInt8(start + 1);
    const octets = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || octets > 4) throw new RangeError("a length that is not DER");
    const contentStart = start + 2 + octets;
    const end = contentStart + (octets === 0 ? first : bytes.readUIntBE(start + 2, octets));
    if (end > bytes.length) throw new RangeError("a value reaches beyond its container");
    values.push({
      tag: bytes.readUInt8(start),
      raw: bytes.subarray(start, end),
      content: bytes.subarray(contentStart, end),
    });
    start = end;
  }
  return values;
}

/** An object identifier in its dotted form. */
export function dotted(content: Buffer): string {
  const arcs: number[] = [];
  let arc = 0;
  for (const octet of content) {
    arc = arc * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      arcs.push(arc);
      arc = 0;
    }
  }
  const [joint = 0, ...rest] = arcs;
  const first = Math.min(2, Math.floor(joint / 40));
  return [first, joint - 40 * first, ...rest].join(".");
}
