// The only file that touches uWebSockets.js. It turns its requests and responses, which are valid for a moment and
// end the process when mishandled, into plain values.
//
// The parser reads on while a request is being handled. Every handler therefore starts one turn of the event loop
// after the last byte of its request: bytes that came in behind it make uWebSockets.js close the connection first
// (it never answers pipelined requests out of order), the handler does not run, and nothing hidden behind a body
// can become a request. Clients that pipeline see a closed connection and try again (RFC 9112 section 9.3.2).
//
// What cannot be seen from here: headers behind one with an empty name, which the parser drops, a length included.
// A body announced there and sent after the answer would be read as a request; nginx in front refuses it.
//
// Two limits are the parser's own: it closes connections that are idle, or send less than 16 kB/s of a body, after
// about 10 s; and it refuses headers of more than 4,096 bytes unless the environment of the process said otherwise
// at its start in UWS_HTTP_MAX_HEADERS_SIZE.

import * as uws from "uWebSockets.js";
import { PasswrightError } from "../domain/errors.ts";
import { BodyPieces } from "./body-pieces.ts";
import { BodyBuffer, BodyTooLarge, type FlatHeaders, readFraming, splitPath } from "./framing-guard.ts";
import { type HeaderPairs, safeHeaders, statusLine } from "./header-safety.ts";

export { BodyTooLarge };

export type HttpRequest = {
  /** As sent; methods are case-sensitive, so `get` is not `GET`. A HEAD is to be answered like a GET, with its body. */
  readonly method: string;
  /** As sent, still percent-encoded, without the query. */
  readonly rawPath: string;
  /** Decoded once after the split, so `%2F` stays within its segment; empty for a path that no route may match. */
  readonly segments: readonly string[];
  /** The segments as one decoded path; "" where there is none that means only one thing (no segments, or `%2F`). */
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  /** By its lower-case name; repeated headers are joined by ", ". */
  header(name: string): string | undefined;
  /** Each occurrence by itself, in order. */
  headerValues(name: string): readonly string[];
  /** The IP address of the socket's peer as text; an IPv4-mapped one as IPv4. */
  readonly remoteAddress: string;
  /** Aborts when the client goes away or the deadline passes. */
  readonly signal: AbortSignal;
  /** The whole body, empty without one. Throws BodyTooLarge; whoever acts must have read it first. */
  body(): Buffer;
};

export type HttpResponse = {
  /** 200 to 599. */
  status: number;
  headers: HeaderPairs | Readonly<Record<string, string>>;
  /** Sent whole with its Content-Length; measured but not sent for HEAD; not sent for 204 and 304. */
  body: string | Uint8Array | BodyPieces | null;
  /** Closes the connection once the response is out. */
  closeConnection?: boolean;
};

export type Handler = (request: HttpRequest) => Promise<HttpResponse> | HttpResponse;

export type HttpServerOptions = {
  /** Called once per request, after its last byte, or as soon as its body is known to be too large. */
  handler: Handler;
  /** How much body is collected for a request, in bytes, before its handler can say anything. */
  maxBodyBytes(method: string, path: string): number;
  /** How long a handler may take, 30,000 ms when absent. */
  deadlineMs?: number;
  /**
   * Makes the response to whatever the handler threw, and to a passed deadline (`unavailable`) and framing that
   * cannot be believed (`invalid_request`, before any handler).
   */
  onFailure(error: unknown, request: HttpRequest): HttpResponse;
  log: { error(facts: object, message: string): void };
};

export type HttpServer = {
  /**
   * Starts to accept on an address and port (0: any free one). With `shared`, other processes may listen on the
   * same port, unless it was 0, if they share it too; the kernel spreads the connections over them. Rejects with
   * `invalid_configuration` when it cannot.
   */
  listen(host: string, port: number, options?: { shared?: boolean }): Promise<{ port: number }>;
  /**
   * Stops accepting, lets what is in flight finish for up to timeoutMs, then closes every connection. Each answer of that
   * time says that its connection closes, and who is between two requests on an open one has a moment to hear it.
   */
  drain(timeoutMs: number): Promise<void>;
};

/** So long at least does a drain answer on open connections: a client that is busy asks again within it. */
const lingerMs = 250;

/** A turn of the event loop in which next to nobody can have connected, and how many are waited for one at most. */
const shortTurnMs = 0.3;
const mostTurns = 200;

async function shortTurn(): Promise<void> {
  for (let turns = 0; turns < mostTurns; turns += 1) {
    const beganMs = performance.now();
    await new Promise((later) => setImmediate(later));
    if (performance.now() - beganMs < shortTurnMs) return;
  }
}

/** Below this a response goes out in one write; above, as fast as the client takes it. */
const streamAboveBytes = 16 * 1024;

type ServerState = Required<HttpServerOptions> & { draining: boolean; inFlight: number; onIdle(): void };

/** Creates a server that does not listen yet. */
export function createHttpServer(options: HttpServerOptions): HttpServer {
  const runtime = uws as unknown as { _cfg(word: string): void; LIBUS_LISTEN_EXCLUSIVE_PORT: number };
  runtime._cfg("silent"); // no "uWebSockets: 20" header
  const state: ServerState = {
    deadlineMs: 30_000,
    ...options,
    draining: false,
    inFlight: 0,
    onIdle: () => {},
  };
  const listening: uws.us_listen_socket[] = [];
  const app = uws.App().any("/*", (res, req) => {
    const exchange = new Exchange(state, res);
    try {
      exchange.accept(req);
    } catch (error) {
      state.log.error({ err: error }, "a request could not be taken in");
      res.close();
    }
  });

  return {
    listen(host, port, { shared = false } = {}) {
      const { promise, resolve, reject } = Promise.withResolvers<{ port: number }>();
      const accepted = (socket: uws.us_listen_socket | false) => {
        if (socket === false) {
          const detail = `cannot listen on ${host} port ${port}: it is taken, or not an address of this machine`;
          return reject(new PasswrightError("invalid_configuration", detail));
        }
        listening.push(socket);
        resolve({ port: uws.us_socket_local_port(socket as unknown as uws.us_socket) });
      };
      const untyped = app as unknown as {
        listen(host: string, port: number, options: number, done: typeof accepted): void;
      };
      untyped.listen(host, port, shared ? 0 : runtime.LIBUS_LISTEN_EXCLUSIVE_PORT, accepted);
      return promise;
    },
    async drain(timeoutMs) {
      // Who has connected and is not accepted yet is reset when the socket closes. Behind a turn's events that is who came
      // in that turn, so a short one is waited for; and only then is anybody told to connect elsewhere.
      await shortTurn();
      for (const socket of listening.splice(0)) uws.us_listen_socket_close(socket);
      state.draining = true;
      const { promise, resolve } = Promise.withResolvers<void>();
      const patience = setTimeout(resolve, timeoutMs);
      await new Promise((later) => setTimeout(later, Math.min(lingerMs, timeoutMs)));
      state.onIdle = resolve;
      if (state.inFlight === 0) resolve();
      await promise;
      clearTimeout(patience);
      // Not from within a callback of the very socket that became idle.
      await new Promise((later) => setImmediate(later));
      app.close();
    },
  };
}

class Exchange {
  readonly #server: ServerState;
  readonly #res: uws.HttpResponse;
  #request: Incoming | undefined;
  #open = true;
  #over = false;
  #mustClose = false;
  #deadline: NodeJS.Timeout | undefined;

  constructor(server: ServerState, res: uws.HttpResponse) {
    // Before anything can throw: without it, uWebSockets.js ends the process.
    res.onAborted(() => this.#leave());
    this.#server = server;
    this.#res = res;
    server.inFlight += 1;
  }

  /** Copies the request, which is dead when this returns, and collects its body. */
  accept(req: uws.HttpRequest): void {
    const request = new Incoming(req, this.#res.getRemoteAddress());
    this.#request = request;
    const framing = readFraming(request.method, request.flatHeaders);
    if (typeof framing === "string") {
      this.#mustClose = true;
      setImmediate(() => this.#fail(request, new PasswrightError("invalid_request", framing)));
      return;
    }
    const start = () => this.#run(request);
    if (!framing.chunked && framing.length === 0) {
      setImmediate(start);
      return;
    }
    // The parser forgives so much in chunks that nothing after them is taken from the same connection.
    this.#mustClose = framing.chunked;
    const limit = this.#server.maxBodyBytes(request.method, request.path);
    const refuse = () => {
      this.#mustClose = true;
      request.content = new BodyTooLarge(limit);
      setImmediate(start);
    };
    if (!framing.chunked && framing.length > limit) {
      refuse();
      return;
    }
    const body = new BodyBuffer(framing.chunked ? limit : framing.length);
    let collecting = true;
    this.#res.onData((chunk, isLast) => {
      // Never answers or closes in here: for chunks the parser goes on calling, on a socket that would be gone.
      if (!collecting) return;
      const fits = body.append(chunk);
      collecting = fits && !isLast;
      if (!fits) return refuse();
      if (!isLast) return;
      request.content = body.bytes();
      setImmediate(start);
    });
  }

  #run(request: Incoming): void {
    if (!this.#open) return;
    try {
      const answer = this.#server.handler(request);
      if (answer instanceof Promise) {
        this.#deadline = setTimeout(() => this.#expire(request), this.#server.deadlineMs);
        answer.then(
          (response) => this.#answer(request, response),
          (error) => this.#fail(request, error),
        );
      } else {
        this.#answer(request, answer);
      }
    } catch (error) {
      this.#fail(request, error);
    }
  }

  #expire(request: Incoming): void {
    const detail = `there was no answer within ${this.#server.deadlineMs} ms`;
    const error = new PasswrightError("unavailable", detail, { retryAfterSeconds: 1 });
    this.#fail(request, error);
    request.abort(error);
  }

  #answer(request: Incoming, response: HttpResponse): void {
    if (!this.#open) return;
    let write: () => void;
    try {
      write = this.#prepare(request, response);
    } catch (error) {
      this.#fail(request, error);
      return;
    }
    this.#send(write);
  }

  #fail(request: Incoming, error: unknown): void {
    if (!this.#open) return;
    let write: () => void;
    try {
      write = this.#prepare(request, this.#server.onFailure(error, request));
    } catch (second) {
      this.#server.log.error({ err: second, cause: error }, "a failure could not be answered");
      write = this.#prepare(request, { status: 500, headers: {}, body: null, closeConnection: true });
    }
    this.#send(write);
  }

  #send(write: () => void): void {
    this.#open = false;
    clearTimeout(this.#deadline);
    try {
      this.#res.cork(write);
    } catch (error) {
      this.#server.log.error({ err: error }, "a response could not be written");
      if (!this.#over) this.#res.close();
    }
  }

  /** Checks all of a response before its first byte is written. Throws when there is something wrong with it. */
  #prepare(request: Incoming, response: HttpResponse): () => void {
    const res = this.#res;
    const { status } = response;
    const line = statusLine(status);
    const headers = safeHeaders(response.headers);
    const body = response.body === null ? null : piecesOf(response.body);
    const force = this.#mustClose || response.closeConnection === true;
    const connection = request.header("connection") ?? "";
    // After these five characters the parser closes by itself, and does not say so in the response.
    const silently = connection.length === 5;
    const close = force || silently || this.#server.draining || /\bclose\b/i.test(connection);
    return () => {
      res.writeStatus(line);
      for (const [name, value] of headers) res.writeHeader(name, value);
      if (silently) res.writeHeader("connection", "close");
      const head = request.method === "HEAD";
      if (status === 204 || status === 304 || (head && force)) {
        // Without a length, the closing variant would write a random one.
        if (close && !silently) res.endWithoutBody(0, true);
        else res.endWithoutBody();
        this.#finish();
        return;
      }
      if (head) {
        // A length handed to endWithoutBody would be waited for, and the connection hang; a header is only said.
        if (close && !silently) res.writeHeader("connection", "close");
        if (body !== null) res.writeHeader("content-length", String(body.byteLength));
        res.endWithoutBody();
        this.#finish();
        return;
      }
      // What is streamed cannot close its connection; the header asks the client to, and drain() closes the rest.
      if (body !== null && body.byteLength > streamAboveBytes && !force) {
        if (close && !silently) res.writeHeader("connection", "close");
        this.#stream(body);
        return;
      }
      res.end(body?.joined() ?? "", close);
      this.#finish();
    };
  }

  /** Hands over what the socket takes, and the rest whenever it takes more. A client that takes none is cut off. */
  #stream({ pieces, byteLength }: BodyPieces): void {
    const res = this.#res;
    const push = (offset: number): boolean => {
      let start = 0;
      for (const piece of pieces) {
        const end = start + piece.byteLength;
        if (end > offset) {
          const [ok, done] = res.tryEnd(offset > start ? piece.subarray(offset - start) : piece, byteLength);
          if (done) this.#finish();
          if (!ok || done) return ok;
        }
        start = end;
      }
      return true;
    };
    push(0);
    if (this.#over) return;
    res.onWritable((offset) => {
      let ok = false;
      res.cork(() => {
        ok = push(offset);
      });
      return ok;
    });
  }

  /** The connection is gone: closed by the client, by a time limit, or by the parser. */
  #leave(): void {
    this.#open = false;
    clearTimeout(this.#deadline);
    this.#request?.abort(new Error("the client is gone"));
    this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    this.#server.inFlight -= 1;
    if (this.#server.inFlight === 0) this.#server.onIdle();
  }
}

function piecesOf(body: Exclude<HttpResponse["body"], null>): BodyPieces {
  if (body instanceof BodyPieces) return body;
  return new BodyPieces([typeof body === "string" ? Buffer.from(body) : body]);
}

/** What was copied from a request before it died, and the little that becomes known of it later. */
class Incoming implements HttpRequest {
  readonly method: string;
  readonly rawPath: string;
  readonly query: string;
  readonly flatHeaders: FlatHeaders;
  content: Buffer | BodyTooLarge = Buffer.alloc(0);
  readonly #peer: ArrayBuffer;
  #segments: readonly string[] | undefined;
  #controller: AbortController | undefined;
  #abortReason: Error | undefined;

  constructor(req: uws.HttpRequest, peer: ArrayBuffer) {
    this.method = req.getCaseSensitiveMethod();
    this.rawPath = req.getUrl();
    this.query = req.getQuery() ?? "";
    const headers: string[] = [];
    req.forEach((name, value) => {
      headers.push(name, value);
    });
    this.flatHeaders = headers;
    this.#peer = peer;
  }

  get segments(): readonly string[] {
    this.#segments ??= splitPath(this.rawPath);
    return this.#segments;
  }

  get path(): string {
    const ambiguous = this.segments.length === 0 || this.segments.some((segment) => segment.includes("/"));
    return ambiguous ? "" : `/${this.segments.join("/")}`;
  }

  header(name: string): string | undefined {
    let joined: string | undefined;
    for (let index = 0; index < this.flatHeaders.length; index += 2) {
      if (this.flatHeaders[index] !== name) continue;
      const value = this.flatHeaders[index + 1] ?? "";
      joined = joined === undefined ? value : `${joined}, ${value}`;
    }
    return joined;
  }

  headerValues(name: string): readonly string[] {
    return this.flatHeaders.filter((_, index) => index % 2 === 1 && this.flatHeaders[index - 1] === name);
  }

  get remoteAddress(): string {
    return addressText(new Uint8Array(this.#peer));
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#abortReason !== undefined) this.#controller.abort(this.#abortReason);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#abortReason ??= reason;
    this.#controller?.abort(reason);
  }

  body(): Buffer {
    if (this.content instanceof BodyTooLarge) throw this.content;
    return this.content;
  }
}

/** 4 or 16 bytes as text; IPv6 in the short form of RFC 5952, as the URL standard's serializer writes it. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  if (bytes.length !== 16) return "";
  const groups = Array.from({ length: 8 }, (_, index) => {
    return (((bytes[2 * index] ?? 0) << 8) | (bytes[2 * index + 1] ?? 0)).toString(16);
  });
  if (groups.slice(0, 6).join(":") === "0:0:0:0:0:ffff") return bytes.slice(12).join(".");
  return new URL(`http://[${groups.join(":")}]`).hostname.slice(1, -1);
}
