import { once } from "node:events";
import { connect } from "node:net";
import { PasswrightError } from "../../src/domain/errors.ts";
import { BodyTooLarge, createHttpServer } from "../../src/http/exchange.ts";

// Requests as bytes, valid, odd and hostile, with what must come of each. `direct` is without a proxy, `proxied`
// behind nginx. Statuses are those of all replies on the connection, in order; [] is closed without a reply.
// Whatever is hidden in a body asks for /SMUGGLED, which no handler may ever see.

export type RawRequest = {
  readonly name: string;
  /** Latin-1. Several pieces are sent one by one, so that the server reads them one by one. */
  readonly bytes: string | readonly string[];
  readonly direct: readonly number[];
  readonly proxied: readonly number[];
};

const smuggled = "GET /SMUGGLED HTTP/1.1\r\nHost: a\r\n\r\n";

/** A request with one Host and the given further header lines and body. */
function request(line: string, headers: readonly string[], body = ""): string {
  return `${[`${line} HTTP/1.1`, "Host: a", ...headers].join("\r\n")}\r\n\r\n${body}`;
}

const post = (headers: readonly string[], body = "") => request("POST /asked", headers, body);
const chunked = (body: string) => post(["Transfer-Encoding: chunked"], body);
const get = (headers: readonly string[] = []) => request("GET /asked", headers);
const path = (rawPath: string) => request(`GET ${rawPath}`, []);

type Row = readonly [string, string | readonly string[], readonly number[], readonly number[]];

const rows: readonly Row[] = [
  // What must work.
  ["a plain GET", get(), [200], [200]],
  ["a POST with a length", post(["Content-Length: 5"], "abcde"), [200], [200]],
  ["a POST of nothing", post(["Content-Length: 0"]), [200], [200]],
  ["a POST without a length", post([]), [200], [200]],
  ["a chunked POST", chunked("5\r\nabcde\r\n0\r\n\r\n"), [200], [200]],
  ["a chunk size in capitals, with zeros before it", chunked("00A\r\nabcdefghij\r\n0\r\n\r\n"), [200], [200]],
  ["a chunk extension", chunked("5;a=b\r\nabcde\r\n0\r\n\r\n"), [], [200]],
  ["a chunked POST in three pieces", [chunked("5\r\nab"), "cde\r\n0", "\r\n\r\n"], [200], [200]],
  ["a body in two pieces", [post(["Content-Length: 5"], "ab"), "cde"], [200], [200]],
  ["headers in two pieces", ["GET /asked HTTP/1.1\r\nHo", "st: a\r\n\r\n"], [200], [200]],
  ["a GET with a body", request("GET /asked", ["Content-Length: 5"], "abcde"), [200], [200]],
  ["a HEAD", request("HEAD /asked", []), [200], [200]],
  ["a second request once the first is answered", [get(), "(answered)", get()], [200, 200], [200, 200]],
  ["a DELETE", request("DELETE /asked", []), [200], [200]],

  // The end of the body: Content-Length.
  ["two lengths", post(["Content-Length: 5", "Content-Length: 45"], `abcde${smuggled}`), [], [400]],
  [
    "two lengths, the longer first",
    post(["Content-Length: 45", "Content-Length: 5"], `abcde${smuggled}`),
    [400],
    [400],
  ],
  ["two equal lengths", post(["Content-Length: 5", "Content-Length: 5"], "abcde"), [400], [400]],
  ["a list of lengths", post(["Content-Length: 5, 5"], "abcde"), [400], [400]],
  ["a length with a plus", post(["Content-Length: +5"], "abcde"), [400], [400]],
  ["a negative length", post(["Content-Length: -5"], "abcde"), [400], [400]],
  ["a length in hex", post(["Content-Length: 0x5"], "abcde"), [400], [400]],
  ["a length with an exponent", post(["Content-Length: 1e1"], "abcdefghij"), [400], [400]],
  ["a length with a fraction", post(["Content-Length: 5.0"], "abcde"), [400], [400]],
  ["a length with a space in it", post(["Content-Length: 5 0"], "abcde"), [400], [400]],
  ["an empty length", post(["Content-Length:"], smuggled), [], [400]],
  ["a length beyond 64 bits", post(["Content-Length: 18446744073709551621"], "abcde"), [400], [400]],
  ["a length of ten digits", post(["Content-Length: 9999999999"], "abcde"), [400], [413]],
  ["a length in fullwidth digits", post(["Content-Length: \xef\xbc\x95"], "abcde"), [400], [400]],
  ["a space before the length's colon", post(["Content-Length : 5"], "abcde"), [], [400]],
  ["an underscore in Content_Length", post([`Content_Length: ${smuggled.length}`], smuggled), [], [200, 200]],
  ["a length that is too short", post(["Content-Length: 5"], `abcde${smuggled}`), [], [200, 200]],
  ["a length that is too long", post(["Content-Length: 50"], "abcde"), [], []],
  ["a body larger than the limit", post(["Content-Length: 5000"], "a".repeat(5000)), [413], [413]],
  ["a body larger than the limit that never comes", post(["Content-Length: 999999999"]), [413], [413]],
  ["chunks larger than the limit", chunked(`1388\r\n${"a".repeat(5000)}\r\n0\r\n\r\n`), [413], [413]],
  [
    "a HEAD with a body",
    request("HEAD /asked", [`Content-Length: ${smuggled.length}`], smuggled),
    [400],
    [400],
  ],

  [
    "a HEAD with two lengths",
    [request("HEAD /asked", ["Content-Length: 0", "Content-Length: 45"]), "(answered)", smuggled],
    [400],
    [400],
  ],

  // The end of the body: Transfer-Encoding.
  [
    "a length and chunks",
    post(["Content-Length: 5", "Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`),
    [400],
    [400],
  ],
  [
    "chunks and a length",
    post(["Transfer-Encoding: chunked", "Content-Length: 5"], `0\r\n\r\n${smuggled}`),
    [400],
    [400],
  ],
  [
    "chunks twice",
    post(["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], "0\r\n\r\n"),
    [400],
    [400],
  ],
  [
    "chunks, then identity",
    post(["Transfer-Encoding: chunked, identity"], `0\r\n\r\n${smuggled}`),
    [],
    [501],
  ],
  [
    "identity, then chunks",
    post(["Transfer-Encoding: identity, chunked"], `0\r\n\r\n${smuggled}`),
    [],
    [501],
  ],
  ["gzip, then chunks", post(["Transfer-Encoding: gzip, chunked"], `0\r\n\r\n${smuggled}`), [], [501]],
  ["identity", post(["Transfer-Encoding: identity"], "abcde"), [400], [501]],
  ["xchunked", post(["Transfer-Encoding: xchunked"], `0\r\n\r\n${smuggled}`), [], [501]],
  [
    "xchunked and a length",
    post(["Transfer-Encoding: xchunked", "Content-Length: 5"], `abcde${smuggled}`),
    [400],
    [501],
  ],
  ["CHUNKED in capitals", post(["Transfer-Encoding: CHUNKED"], "0\r\n\r\n"), [400], [200]],
  ["chunked in quotes", post(['Transfer-Encoding: "chunked"'], `0\r\n\r\n${smuggled}`), [], [501]],
  ["chunked with a parameter", post(["Transfer-Encoding: chunked;q=1"], `0\r\n\r\n${smuggled}`), [], [501]],
  ["an empty Transfer-Encoding", post(["Transfer-Encoding:"], smuggled), [], [501]],
  [
    "an empty Transfer-Encoding and a length",
    post(["Transfer-Encoding:", "Content-Length: 5"], `abcde${smuggled}`),
    [],
    [501],
  ],
  ["a tab before chunked", post(["Transfer-Encoding:\tchunked"], "0\r\n\r\n"), [200], [501]],
  [
    "a vertical tab before chunked",
    post(["Transfer-Encoding: \x0bchunked"], `0\r\n\r\n${smuggled}`),
    [],
    [501],
  ],
  [
    "a space before the colon of Transfer-Encoding",
    post(["Transfer-Encoding : chunked"], `0\r\n\r\n${smuggled}`),
    [],
    [400],
  ],
  [
    "an underscore in Transfer_Encoding",
    post(["Transfer_Encoding: chunked"], `0\r\n\r\n${smuggled}`),
    [200],
    [200, 400],
  ],
  ["a folded Transfer-Encoding", post(["Transfer-Encoding:", " chunked"], `0\r\n\r\n${smuggled}`), [], [400]],
  [
    "Transfer-Encoding as a folded continuation",
    post(["X: y", " Transfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`),
    [],
    [400],
  ],
  [
    "Transfer-Encoding behind a bare CR",
    post(["X: y\rTransfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`),
    [],
    [400],
  ],
  [
    "Transfer-Encoding behind a bare LF",
    post(["X: y\nTransfer-Encoding: chunked"], `0\r\n\r\n${smuggled}`),
    [],
    [200, 200],
  ],

  // Chunks.
  ["a chunk longer than its size", chunked(`5\r\nabcdefgh\r\n0\r\n\r\n${smuggled}`), [400], [400]],
  ["a chunk without its line end", chunked(`5\r\nabcde0\r\n\r\n${smuggled}`), [], [400]],
  ["a chunk size that is no digit (g)", chunked(`g\r\n${"a".repeat(16)}\r\n0\r\n\r\n${smuggled}`), [], [400]],
  ["a chunk size that is no digit (:)", chunked(`:\r\n${"a".repeat(10)}\r\n0\r\n\r\n${smuggled}`), [], [400]],
  ["an empty chunk size", chunked(`\r\nabcde\r\n0\r\n\r\n${smuggled}`), [200], [400]],
  ["a negative chunk size", chunked(`-5\r\nabcde\r\n0\r\n\r\n${smuggled}`), [400], [400]],
  ["a chunk size with 0x", chunked(`0x5\r\nabcde\r\n0\r\n\r\n${smuggled}`), [400], [400]],
  [
    "a chunk size with an underscore",
    chunked(`1_0\r\n${"a".repeat(16)}\r\n0\r\n\r\n${smuggled}`),
    [400],
    [400],
  ],
  [
    "a chunk size beyond 64 bits",
    chunked(`10000000000000005\r\nabcde\r\n0\r\n\r\n${smuggled}`),
    [400],
    [400],
  ],
  ["a space after the chunk size", chunked(`5 \r\nabcde\r\n0\r\n\r\n${smuggled}`), [], [200, 200]],
  ["a space before the chunk size", chunked(` 5\r\nabcde\r\n0\r\n\r\n${smuggled}`), [200], [400]],
  ["bare LF after the chunk size", chunked(`5\nabcde\r\n0\r\n\r\n${smuggled}`), [], [200, 200]],
  ["bare LF after the chunk", chunked(`5\r\nabcde\n0\r\n\r\n${smuggled}`), [], [200, 200]],
  ["bare LF at the end", chunked(`5\r\nabcde\r\n0\n\n${smuggled}`), [], [200, 200]],
  ["bare CR after the chunk size", chunked(`5\rabcde\r\n0\r\n\r\n${smuggled}`), [400], [400]],
  ["a bare LF in a chunk extension", chunked(`5;a\nabcde\r\n0\r\n\r\n${smuggled}`), [], [200, 200]],
  [
    "a control character in a chunk extension",
    chunked(`5;\x00\r\nabcde\r\n0\r\n\r\n${smuggled}`),
    [],
    [200, 200],
  ],
  ["junk after the last chunk", chunked(`5\r\nabcde\r\n0\r\nabc\r\n${smuggled}`), [200], [200]],
  ["a trailer field", chunked("5\r\nabcde\r\n0\r\nX: y\r\n\r\n"), [505], [200]],
  [
    "a trailer that is a length",
    chunked(`5\r\nabcde\r\n0\r\nContent-Length: 45\r\n\r\n${smuggled}`),
    [505],
    [200, 200],
  ],
  ["chunks without an end", chunked("5\r\nabcde\r\n"), [], []],
  ["something after the last chunk", chunked(`5\r\nabcde\r\n0\r\n\r\n${smuggled}`), [], [200, 200]],
  [
    "a second request after chunks were answered",
    [chunked("5\r\nabcde\r\n0\r\n\r\n"), "(answered)", smuggled],
    [200],
    [200, 200],
  ],

  // Host.
  ["no Host", "GET /asked HTTP/1.1\r\nA: b\r\n\r\n", [400], [400]],
  ["no header at all", "GET /asked HTTP/1.1\r\n\r\n", [], [400]],
  ["two Hosts", get(["Host: b"]), [400], [400]],
  ["two equal Hosts", get(["Host: a"]), [400], [400]],
  ["an empty Host", "GET /asked HTTP/1.1\r\nHost:\r\n\r\n", [400], [400]],
  ["a Host of two words", "GET /asked HTTP/1.1\r\nHost: a b\r\n\r\n", [400], [400]],
  ["a list of Hosts", "GET /asked HTTP/1.1\r\nHost: a, b\r\n\r\n", [400], [400]],
  ["a Host with a path", "GET /asked HTTP/1.1\r\nHost: a/b\r\n\r\n", [400], [400]],
  ["a Host with a user", "GET /asked HTTP/1.1\r\nHost: a@b\r\n\r\n", [400], [400]],
  ["a space before the colon of Host", "GET /asked HTTP/1.1\r\nHost : a\r\n\r\n", [], [400]],
  ["a folded Host", "GET /asked HTTP/1.1\r\nHost:\r\n a\r\n\r\n", [], [400]],
  ["a space before the first header", "GET /asked HTTP/1.1\r\n Host: a\r\n\r\n", [], [400]],

  // Header fields.
  [
    "an empty header name before the length",
    post([": x", `Content-Length: ${smuggled.length}`], smuggled),
    [],
    [400],
  ],
  ["a header without a colon", get(["Nothing"]), [], [200]],
  ["a space in a header name", get(["A b: c"]), [], [400]],
  ["a NUL in a header name", get(["A\x00b: c"]), [], [400]],
  ["a NUL in a header value", get(["A: b\x00c"]), [], [400]],
  ["a bell in a header value", get(["A: b\x07c"]), [], [503]],
  ["a bare CR in a header value", get(["A: b\rc: d"]), [], [400]],
  ["bytes beyond ASCII in a header value", get(["A: \xe9\xff"]), [200], [200]],
  ["headers of 5,000 bytes", get([`A: ${"a".repeat(5000)}`]), [431], [431]],
  ["headers of 20,000 bytes", get([`A: ${"a".repeat(20_000)}`]), [431], [400]],
  ["150 headers", get(Array.from({ length: 150 }, (_, index) => `A${index}: b`)), [431], [431]],
  [
    "an Upgrade to WebSocket",
    get([
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
    ]),
    [200],
    [200],
  ],
  [
    "an Upgrade to h2c",
    get(["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"]),
    [200],
    [200],
  ],
  [
    "Expect: 100-continue with the body at once",
    post(["Expect: 100-continue", "Content-Length: 5"], "abcde"),
    [100, 200],
    [100, 200],
  ],

  // The request line.
  ["HTTP/1.0", "GET /asked HTTP/1.0\r\nHost: a\r\n\r\n", [505], [200]],
  ["HTTP/0.9", "GET /asked\r\n", [], []],
  ["HTTP/2.0", "GET /asked HTTP/2.0\r\nHost: a\r\n\r\n", [505], [505]],
  ["HTTP/1.2", "GET /asked HTTP/1.2\r\nHost: a\r\n\r\n", [505], [200]],
  ["HTTP/1.10", "GET /asked HTTP/1.10\r\nHost: a\r\n\r\n", [505], [200]],
  ["http/1.1", "GET /asked http/1.1\r\nHost: a\r\n\r\n", [505], [400]],
  ["no version, but headers", "GET /asked\r\nHost: a\r\n\r\n", [], []],
  ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505], [400]],
  ["the absolute form", request("GET http://a/asked", []), [505], [200]],
  ["the absolute form of another host", request("GET http://b/asked", []), [505], [200]],
  ["CONNECT", request("CONNECT a:443", []), [505], [400]],
  ["OPTIONS *", request("OPTIONS *", []), [505], [400]],
  ["TRACE", request("TRACE /asked", []), [200], [405]],
  ["a method in small letters", request("get /asked", []), [200], [400]],
  ["a method of its own", request("BREW /asked", []), [200], [200]],
  ["no method", " /asked HTTP/1.1\r\nHost: a\r\n\r\n", [400], [400]],
  ["two spaces after the method", "GET  /asked HTTP/1.1\r\nHost: a\r\n\r\n", [505], [200]],
  ["two spaces after the path", "GET /asked  HTTP/1.1\r\nHost: a\r\n\r\n", [505], [200]],
  ["a tab after the method", "GET\t/asked HTTP/1.1\r\nHost: a\r\n\r\n", [505], [400]],
  ["bare LFs for line ends", "GET /asked HTTP/1.1\nHost: a\n\n", [505], [200]],
  ["a bare CR for a line end", "GET /asked HTTP/1.1\rHost: a\r\n\r\n", [505], [400]],
  ["an empty line first", `\r\n${get()}`, [], [200]],
  ["a request line cut within its version", ["GET /asked HTTP/1", ".1\r\nHost: a\r\n\r\n"], [505], [200]],
  ["byte by byte", get().split(""), [505], [200]],

  // Paths.
  ["dot segments", path("/a/../b"), [404], [404]],
  ["escaped dot segments", path("/a/%2e%2e/b"), [404], [404]],
  ["dot segments with one escape", path("/a/.%2E/b"), [404], [404]],
  ["a dot segment at the end", path("/a/."), [404], [404]],
  ["an escaped slash", path("/a%2fb"), [200], [200]],
  ["an escaped NUL", path("/a%00b"), [404], [400]],
  ["an escaped line end", path("/a%0d%0ab"), [404], [404]],
  ["an escape cut short", path("/a%2"), [404], [400]],
  ["an escape that is no hex", path("/a%zz"), [404], [400]],
  ["an overlong escape of a dot", path("/%c0%ae%c0%ae/b"), [404], [404]],
  ["an escape decoded once only", path("/a%252e%252e/b"), [200], [200]],
  ["a NUL in the path", path("/a\x00b"), [505], [400]],
  ["bytes beyond ASCII in the path", path("/\xc3\xa9"), [404], [404]],
  ["a fragment in the path", path("/a#b"), [200], [200]],
  ["a path of 3,000 bytes", path(`/${"a".repeat(3000)}`), [200], [200]],
  ["a path of 50,000 bytes", path(`/${"a".repeat(50_000)}`), [431], [414]],

  // More than one request at once.
  ["two requests at once", get() + get(), [], [200, 200]],
  ["ten requests at once", get().repeat(10), [], [200, 200, 200, 200, 200, 200, 200, 200, 200, 200]],
  ["a POST and a GET at once", post(["Content-Length: 5"], "abcde") + get(), [], [200, 200]],
  ["a request and half of the next", `${get()}GET /as`, [200], [200]],
  [
    "a second request while the first is answered",
    ["GET /slow HTTP/1.1\r\nHost: a\r\n\r\n", smuggled],
    [],
    [503, 200],
  ],

  // No request at all.
  ["nothing", "", [], []],
  ["an empty line", "\r\n", [], []],
  ["half a header", "GET /asked HTTP/1.1\r\nHos", [], []],
  ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", [505], [400]],
  ["the PROXY protocol", `PROXY TCP4 1.2.3.4 5.6.7.8 9 10\r\n${get()}`, [505], [400]],
  ["zeros", "\x00".repeat(1000), [505], [400]],
  ["a Redis command", "*1\r\n$4\r\nPING\r\n", [], [400]],
];

export const rawRequests: readonly RawRequest[] = rows.map(([name, bytes, direct, proxied]) => ({
  name,
  bytes,
  direct,
  proxied,
}));

/** What a recording server saw of one request, and what it thinks came through the proxy. */
export type Seen = { method: string; rawPath: string; bodyBytes: number; forwardedFor: string | undefined };

/**
 * A server on a loopback port that notes every request its handler gets, takes bodies of up to 4,096 bytes, answers
 * after a turn of the event loop (200, or 404 for a path that no route may match), and /slow never.
 */
export async function startRecordingServer(port = 0) {
  const seen: Seen[] = [];
  const failures: unknown[] = [];
  const server = createHttpServer({
    async handler(request) {
      const { method, rawPath, segments } = request;
      const entry: Seen = { method, rawPath, bodyBytes: 0, forwardedFor: request.header("x-forwarded-for") };
      seen.push(entry);
      if (request.path === "/slow") await new Promise<never>(() => {});
      entry.bodyBytes = request.body().length;
      await turn();
      return { status: segments.length === 0 ? 404 : 200, headers: {}, body: "answered\n" };
    },
    maxBodyBytes: () => 4096,
    deadlineMs: 2000,
    onFailure: (error) => ({ status: statusOf(error), headers: {}, body: "refused\n" }),
    log: { error: (facts) => failures.push(facts) },
  });
  const { port: listening } = await server.listen("127.0.0.1", port);
  return { port: listening, seen, failures, close: () => server.drain(5000) };
}

function statusOf(error: unknown): number {
  if (error instanceof BodyTooLarge) return 413;
  if (!(error instanceof PasswrightError)) return 500;
  return error.kind === "invalid" ? 400 : 503;
}

/** Long enough for a piece to be read before the next is written, since server and client share one event loop. */
async function turn(): Promise<void> {
  for (let count = 0; count < 3; count += 1) await new Promise((resolve) => setImmediate(resolve));
}

/**
 * Sends the pieces one by one ("(answered)" waits for the first reply instead) and reads until the other side
 * closes, which every server must do in the end. Resolves to all that came back, as Latin-1.
 */
export async function exchangeRaw(port: number, bytes: RawRequest["bytes"]): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {}); // a reset is a way to close
  const closed = once(socket, "close");
  await once(socket, "connect");
  for (const piece of typeof bytes === "string" ? [bytes] : bytes) {
    if (piece === "(answered)") while (received === "" && !socket.destroyed) await turn();
    else if (!socket.destroyed) socket.write(piece, "latin1");
    await turn();
  }
  await closed;
  return received;
}

/** The statuses of all replies in what came back, in order. */
export function statusesOf(received: string): number[] {
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d{3}) /g), ([, status]) => Number(status));
}
