// What a request must look like before anyone acts on it. The parser of uWebSockets.js takes several
// Content-Length and Host fields and any Transfer-Encoding at its word; two parties that read the same bytes
// differently are how requests are smuggled (RFC 9112 section 11.2). What is ambiguous is refused here.

import { PasswrightError } from "../domain/errors.ts";

/** Header fields in the order in which they came: [name, value, name, value, …], names in lower case. */
export type FlatHeaders = readonly string[];

/** How the body's end is found. `length` is what Content-Length says, 0 without one; unknown when chunked. */
export type Framing = { chunked: true } | { chunked: false; length: number };

/** RFC 9110 section 9.1: a token. The parser takes an empty one. */
const methodToken = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const digits = /^\d{1,9}$/;
/** RFC 9110 section 7.2: a host and an optional port; no user, no path, no second word. */
const hostWithPort = /^[^\s/\\?#@,]+$/;

/**
 * Reads the framing of a request off its headers, or says in a sentence what is wrong with them, in which case
 * nothing that follows on the connection may be believed.
 */
export function readFraming(method: string, headers: FlatHeaders): Framing | string {
  if (!methodToken.test(method)) return "the method must be a token";
  let host: string | undefined;
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] ?? "";
    switch (headers[index]) {
      case "host":
        if (host !== undefined) return "there must be one Host header only";
        host = value;
        break;
      case "content-length":
        if (contentLength !== undefined) return "there must be one Content-Length header only";
        contentLength = value;
        break;
      case "transfer-encoding":
        if (transferEncoding !== undefined) return "there must be one Transfer-Encoding header only";
        transferEncoding = value;
        break;
    }
  }
  if (host === undefined || !hostWithPort.test(host)) return "the Host header must name a host";
  if (transferEncoding !== undefined) {
    if (transferEncoding !== "chunked") return 'Transfer-Encoding must be exactly "chunked"';
    if (contentLength !== undefined) return "Content-Length and Transfer-Encoding exclude each other";
    if (method === "HEAD") return "a HEAD request must not have a body";
    return { chunked: true };
  }
  if (contentLength === undefined) return { chunked: false, length: 0 };
  if (!digits.test(contentLength)) return "Content-Length must be 1 to 9 digits";
  const length = Number(contentLength);
  if (length > 0 && method === "HEAD") return "a HEAD request must not have a body";
  return { chunked: false, length };
}

/** A body beyond what its route takes: 413. The rest of it is never read; the connection closes after the answer. */
export class BodyTooLarge extends PasswrightError {
  constructor(limitBytes: number) {
    super("invalid_request", `the body must not be larger than ${limitBytes} bytes`);
  }
}

/** Collects chunks, which are dead after their call, into one buffer that grows by doubling up to a ceiling. */
export class BodyBuffer {
  readonly #ceiling: number;
  #buffer = Buffer.alloc(0);
  #size = 0;

  constructor(ceiling: number) {
    this.#ceiling = ceiling;
  }

  /** False, with nothing kept, when the chunk would go beyond the ceiling. */
  append(chunk: ArrayBuffer): boolean {
    const size = this.#size + chunk.byteLength;
    if (size > this.#ceiling) {
      this.#buffer = Buffer.alloc(0);
      return false;
    }
    if (size > this.#buffer.length) {
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#ceiling, Math.max(size, 2 * this.#buffer.length)));
      this.#buffer.copy(grown, 0, 0, this.#size);
      this.#buffer = grown;
    }
    this.#buffer.set(new Uint8Array(chunk), this.#size);
    this.#size = size;
    return true;
  }

  bytes(): Buffer {
    return this.#buffer.subarray(0, this.#size);
  }
}

const visibleAscii = /^\/[\x21-\x7e]*$/;
const control = /[\x00-\x1f\x7f]/;

/**
 * The segments of a raw path, split at its slashes and only then percent-decoded, once (RFC 3986 section 2.4), so
 * that `%2F` stays inside its segment: `/a/b%2Fc` is `["a", "b/c"]`, `/` is `[""]`. Empty, which no route can
 * match, where decoding would hide something: dot segments in any spelling, control characters, malformed
 * escapes, bytes that are not UTF-8.
 */
export function splitPath(rawPath: string): readonly string[] {
  if (!visibleAscii.test(rawPath)) return [];
  const segments = rawPath.slice(1).split("/");
  for (let index = 0; index < segments.length; index += 1) {
    let segment = segments[index] ?? "";
    if (segment.includes("%")) {
      try {
        segment = decodeURIComponent(segment);
      } catch {
        return [];
      }
      if (control.test(segment)) return [];
      segments[index] = segment;
    }
    if (segment === "." || segment === "..") return [];
  }
  return segments;
}
