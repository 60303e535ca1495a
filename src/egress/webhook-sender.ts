import { rootCertificates } from "node:tls";
import { Agent } from "undici";
import type { Answer, WebhookSender } from "../domain/webhooks/deliver.ts";
import { portRefusal } from "./blocked-ports.ts";
import { type AllowedRange, guardedLookup, literalRefusal } from "./target-guard.ts";

const deadlineMs = 30_000;
const mostBodyBytes = 64 * 1024;

/**
 * Posts deliveries. Addresses are checked at every connection; redirects are answers, not instructions; one deadline
 * covers connecting, headers and body; of the body only the first 64 KiB are read, and none is kept.
 */
export function createWebhookSender(options: {
  userAgent: string;
  allowed: readonly AllowedRange[];
  /** Further roots, PEM. */
  ca: string | null;
}): WebhookSender & { close(): Promise<void> } {
  const agent = new Agent({
    // One exchange per connection: a receiver's slow answers must not hold up those beside them.
    allowH2: false,
    // No limit for each origin: receivers that share one must not wait for each other. The worker's hands bound them all.
    connections: null,
    keepAliveTimeout: 10_000,
    connect: {
      timeout: 10_000,
      lookup: guardedLookup(options.allowed),
      ...(options.ca !== null && { ca: [...rootCertificates, options.ca] }),
    },
  });

  return {
    async post(url, headers, body, signal): Promise<Answer> {
      const target = new URL(url);
      const refusal = portRefusal(target.port) ?? literalRefusal(target.hostname, options.allowed);
      if (refusal !== null) return { error: `${target.hostname} ${refusal}` };
      const deadline = AbortSignal.timeout(deadlineMs);
      try {
        const ended = AbortSignal.any([signal, deadline]);
        const request = agent.request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: "POST",
          headers: { ...headers, "Content-Type": "application/json", "User-Agent": options.userAgent },
          body,
          signal: ended,
        });
        const response = await unlessAborted(request, ended);
        const statusCode = response.statusCode;
        const retryAfterSeconds = retryAfter(statusCode, response.headers["retry-after"]);
        await response.body.dump({ limit: mostBodyBytes, signal: deadline });
        return { statusCode, retryAfterSeconds };
      } catch (error) {
        if (signal.aborted) throw error;
        if (deadline.aborted) return { error: `no complete answer within ${deadlineMs / 1000} s` };
        return { error: reason(error) };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Rejects as soon as the signal is aborted: a request that waits for a connection does not look at its signal. */
async function unlessAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Seconds from a Retry-After of a 429 or 503 (RFC 9110 section 10.2.3), number or date. */
function retryAfter(statusCode: number, header: string | string[] | undefined): number | null {
  if ((statusCode !== 429 && statusCode !== 503) || typeof header !== "string") return null;
  if (/^\d+$/.test(header)) return Number(header);
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? null : Math.max(0, Math.ceil((atMs - Date.now()) / 1000));
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  const code = "code" in error ? String(error.code) : "";
  return code === "" || error.message.includes(code) ? error.message : `${error.message} (${code})`;
}
