import type { IncomingHttpHeaders, IncomingMessage, RequestListener, ServerResponse } from "node:http";

/** A request, read whole. `path` is as it came, still percent-encoded. */
export type Received = {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** What goes back. `reset` instead of an answer cuts the connection, as a crashing server would. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: string | Buffer }
  | { reset: true };

/** Thrown to answer at once, from however deep. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("refused");
    this.answer = answer;
  }
}

export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return {
    status,
    headers: { "content-type": "application/json; charset=UTF-8", ...headers },
    body: `${JSON.stringify(value, null, 1)}\n`,
  };
}

export function html(status: number, page: string, headers: Record<string, string> = {}): Answer {
  return { status, headers: { "content-type": "text/html; charset=UTF-8", ...headers }, body: page };
}

export type Finished = { method: string; path: string; status: number | "reset"; error?: string };

/**
 * A listener that reads a request of at most `maxBodyBytes`, asks `handle`, writes its answer, and says so.
 * An error of ours is a 500 with its text: there are no secrets here, and whoever tests wants to see it.
 */
export function listener(
  handle: (received: Received) => Promise<Answer> | Answer,
  options: { maxBodyBytes: number; finished: (facts: Finished) => void },
): RequestListener {
  return async (request, response) => {
    const { method = "GET", url: path = "/" } = request;
    try {
      const answer = await exchange(request);
      write(response, answer);
      options.finished({ method, path, status: "reset" in answer ? "reset" : answer.status });
    } catch (error) {
      // The client went away, or this server is closing: there is nobody to answer.
      if (response.destroyed || response.headersSent) return;
      write(response, json(500, { error: "sandbox_fault", message: String(error) }));
      options.finished({ method, path, status: 500, error: String(error) });
    }
  };

  async function exchange(request: IncomingMessage): Promise<Answer> {
    const body = await readBody(request, options.maxBodyBytes);
    if (body === "too large") {
      return json(413, { error: "too_large" }, { connection: "close" });
    }
    // Joined as text: `new URL("//x", base)` would take «x» for a host.
    const target = `http://sandbox.invalid${request.url}`;
    if (!URL.canParse(target)) return json(400, { error: "bad_request", message: "not a request target" });
    const url = new URL(target);
    const received = {
      method: request.method ?? "GET",
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    };
    try {
      return await handle(received);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      throw error;
    }
  }
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | "too large"> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > maxBytes) return "too large";
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

function write(response: ServerResponse, answer: Answer): void {
  if ("reset" in answer) {
    response.socket?.resetAndDestroy();
    return;
  }
  const body = answer.body ?? "";
  // These two statuses never have content, nor a length of it (RFC 9110 section 8.6).
  const isBare = answer.status === 204 || answer.status === 304;
  const length = isBare ? {} : { "content-length": Buffer.byteLength(body) };
  response.writeHead(answer.status, { ...answer.headers, ...length });
  response.end(isBare ? undefined : body);
}
