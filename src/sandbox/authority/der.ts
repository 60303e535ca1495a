/** The little of DER (ITU-T X.690) that a certificate needs. Every function returns a complete element. */

export function element(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthOctets(body.length), body]);
}

function lengthOctets(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const digits = Buffer.from(length.toString(16).padStart(length > 0xff ? 4 : 2, "0"), "hex");
  return Buffer.concat([Buffer.from([0x80 | digits.length]), digits]);
}

export const sequence = (...items: Uint8Array[]): Buffer => element(0x30, ...items);
export const set = (...items: Uint8Array[]): Buffer => element(0x31, ...items);
export const octets = (content: Uint8Array): Buffer => element(0x04, content);
export const bits = (content: Uint8Array, unused = 0): Buffer =>
  element(0x03, Buffer.from([unused]), content);
export const utf8 = (text: string): Buffer => element(0x0c, Buffer.from(text, "utf8"));
export const printable = (text: string): Buffer => element(0x13, Buffer.from(text, "ascii"));
export const yes = (): Buffer => element(0x01, Buffer.from([0xff]));
export const nothing = (): Buffer => element(0x05);

/** A context-specific element: constructed when it wraps whole elements, primitive when it replaces a tag. */
export const context = (tag: number, content: Uint8Array, form: "constructed" | "primitive"): Buffer =>
  element((form === "constructed" ? 0xa0 : 0x80) | tag, content);

/** A non-negative INTEGER from its big-endian magnitude. */
export function integer(magnitude: Uint8Array): Buffer {
  let start = 0;
  while (start < magnitude.length - 1 && magnitude[start] === 0) start++;
  const digits = magnitude.subarray(start);
  const signed = (digits[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), digits]) : digits;
  return element(0x02, signed);
}

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  return element(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(arc: number): number[] {
  const digits = [arc % 128];
  for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) {
    digits.unshift((left % 128) | 0x80);
  }
  return digits;
}

/** UTCTime until 2049, GeneralizedTime from 2050 on, as RFC 5280 section 4.1.2.5 asks; whole seconds. */
export function time(ms: number): Buffer {
  const digits = `${new Date(ms).toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z`;
  const early = Number(digits.slice(0, 4)) < 2050;
  return element(early ? 0x17 : 0x18, Buffer.from(early ? digits.slice(2) : digits, "ascii"));
}
