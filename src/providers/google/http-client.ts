import { Agent, ProxyAgent, request } from "undici";
import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { isLoopback } from "../../domain/loopback.ts";
import { retryAfterSeconds } from "../../domain/retry-after.ts";

export type HttpCall = {
  method: "GET" | "POST" | "PATCH";
  /** Who is asked, in words. */
  peer: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
};

/** An answer as it came. */
export type RawAnswer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
};

export type HttpAnswer = {
  status: number;
  /** The parsed body; undefined where it is not JSON. */
  body: unknown;
  /** From Retry-After, in whole seconds. */
  retryAfterSeconds?: number;
  /** What time it is there (RFC 9110 section 6.6.1), to the second. */
  dateMs?: number;
};

/** Any answer at all is an outcome; none in time is `provider_unavailable`. Redirects are not followed. */
export type HttpClient = {
  send(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** The same without reading what is in it, which may be so long. */
  sendRaw(call: HttpCall, signal: AbortSignal, mostBytes: number): Promise<RawAnswer>;
  /** Breaks off what is under way, too. */
  close(): Promise<void>;
};

/** Slower than this is as good as down; a dripping answer ends here as well. */
const totalMs = 30_000;

/** No class or object comes near. */
const mostBytesOfOne = 1024 * 1024;

/** `proxy`: an HTTP proxy that all goes through, with its user and password; except what is on this machine. */
export function createHttpClient({ clock, proxy = null }: { clock: Clock; proxy?: URL | null }): HttpClient {
  const options = {
    connections: 32,
    connect: { timeout: 5_000 },
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
  };
  const direct = new Agent(options);
  const outward = proxy === null ? direct : new ProxyAgent({ ...options, ...throughProxy(proxy) });

  async function sendRaw(call: HttpCall, signal: AbortSignal, mostBytes: number): Promise<RawAnswer> {
    const { method, url, headers, body = null } = call;
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
    try {
      const dispatcher = isLoopback(url) ? direct : outward;
      const response = await request(url, { dispatcher, method, headers, body, signal: deadline });
      const chunks: Buffer[] = [];
      let bytes = 0;
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        if (bytes > mostBytes) throw new Error(`an answer of more than ${mostBytes} bytes`);
        chunks.push(chunk);
      }
      return {
        status: response.statusCode,
        headers: response.headers,
        text: Buffer.concat(chunks).toString("utf8"),
      };
    } catch (cause) {
      throw unanswered(call, cause, deadline.aborted);
    }
  }

  return {
    sendRaw,
    async send(call, signal) {
      return readAnswer(await sendRaw(call, signal, mostBytesOfOne), clock.nowMs());
    },
    async close() {
      await Promise.all([direct.destroy(), outward.destroy()]);
    },
  };
}

export function readAnswer({ status, headers, text }: RawAnswer, nowMs: number): HttpAnswer {
  const askedSeconds = retryAfterSeconds(headers["retry-after"], nowMs);
  const dateMs = Date.parse(String(headers.date));
  return {
    status,
    body: parse(text),
    ...(askedSeconds !== null && { retryAfterSeconds: askedSeconds }),
    ...(!Number.isNaN(dateMs) && { dateMs }),
  };
}

/** undici reads no user and password from the URL by itself. */
function throughProxy({ origin, username, password }: URL): { uri: string; token?: string } {
  if (username === "") return { uri: origin };
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { uri: origin, token: `Basic ${Buffer.from(login).toString("base64")}` };
}

/** No answer, for whatever reason: worth another try. */
function unanswered({ peer, url }: HttpCall, cause: unknown, aborted: boolean): PasswrightError {
  const code = (cause as { code?: unknown } | undefined)?.code;
  const why =
    aborted || /TIMEOUT/.test(String(code))
      ? "did not answer in time"
      : `could not be reached${code ? ` (${code})` : ""}`;
  const { host } = new URL(url);
  return new PasswrightError("provider_unavailable", `${peer} at ${host} ${why}`, {
    cause,
    remedy: `See whether this machine may reach ${host}, directly or through PASSWRIGHT_GOOGLE_PROXY (of the sandbox: whether it runs), and try again.`,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
