import { Agent, request } from "undici";
import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { retryAfterSeconds } from "../../domain/retry-after.ts";

export type HttpCall = {
  method: "GET" | "POST" | "PATCH";
  url: string;
  headers: Record<string, string>;
  body?: string;
};

export type HttpAnswer = {
  status: number;
  /** The parsed body; undefined where it is not JSON. */
  body: unknown;
  /** From Retry-After, in whole seconds. */
  retryAfterSeconds?: number;
};

/** Any answer at all is an outcome; none in time is `provider_unavailable`. */
export type HttpClient = {
  send(call: HttpCall, signal: AbortSignal): Promise<HttpAnswer>;
  /** Breaks off what is under way, too. */
  close(): Promise<void>;
};

/** Slower than this is as good as down; a dripping answer ends here as well. */
const totalMs = 30_000;

export function createHttpClient({ clock }: { clock: Clock }): HttpClient {
  const agent = new Agent({
    connections: 32,
    connect: { timeout: 5_000 },
    headersTimeout: 10_000,
    bodyTimeout: 10_000,
    maxResponseSize: 1024 * 1024,
  });
  return {
    async send({ method, url, headers, body = null }, signal) {
      const deadline = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
      try {
        const response = await request(url, { dispatcher: agent, method, headers, body, signal: deadline });
        const text = await response.body.text();
        const askedSeconds = retryAfterSeconds(response.headers["retry-after"], clock.nowMs());
        return {
          status: response.statusCode,
          body: parse(text),
          ...(askedSeconds !== null && { retryAfterSeconds: askedSeconds }),
        };
      } catch (cause) {
        throw unanswered(url, cause, deadline.aborted);
      }
    },
    close: () => agent.destroy(),
  };
}

/** No answer, for whatever reason: worth another try. */
function unanswered(url: string, cause: unknown, aborted: boolean): PasswrightError {
  const code = (cause as { code?: unknown } | undefined)?.code;
  const why =
    aborted || /TIMEOUT/.test(String(code))
      ? "did not answer in time"
      : `could not be reached${code ? ` (${code})` : ""}`;
  return new PasswrightError("provider_unavailable", `${new URL(url).host} ${why}`, { cause });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
