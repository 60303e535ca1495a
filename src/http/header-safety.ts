// An import statement would load all that node:http has getters for, Node's own fetch included: 40 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule("node:http");

export type HeaderPairs = ReadonlyArray<readonly [string, string]>;

/** RFC 9110 section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** RFC 9110 section 5.5: no control character but the tab. uWebSockets.js writes CR and LF as they are. */
const unsafeInValue = /[\x00-\x08\x0a-\x1f\x7f]/;
/** Written by the exchange or by uWebSockets.js itself; a second one would contradict the first. */
const reserved = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"]);

const statusLines: ReadonlyMap<number, string> = new Map(
  Object.entries(STATUS_CODES).map(([status, reason]) => [Number(status), `${status} ${reason}`]),
);

/** The status line of a final status (200 to 599), "404 Not Found"; throws for any other number. */
export function statusLine(status: number): string {
  const line = statusLines.get(status);
  if (line === undefined || status < 200) throw new Error(`${status} is not a final HTTP status`);
  return line;
}

/**
 * Response headers as pairs, refused whole when one could end early and begin another (CR, LF, NUL and the other
 * control characters), has a name that is no token, or is one that only the exchange may write. Throws a plain
 * Error that names the header, never its value.
 */
export function safeHeaders(headers: HeaderPairs | Readonly<Record<string, string>>): HeaderPairs {
  const pairs = (Array.isArray(headers) ? headers : Object.entries(headers)) as HeaderPairs;
  for (const [name, value] of pairs) {
    if (!token.test(name)) throw new Error("a response header has a name that is not a token");
    if (reserved.has(name.toLowerCase()))
      throw new Error(`the response header ${name} is not a handler's to write`);
    if (typeof value !== "string" || unsafeInValue.test(value)) {
      throw new Error(`the response header ${name} holds a control character`);
    }
  }
  return pairs;
}
