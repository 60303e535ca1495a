import { createSecureContext, rootCertificates } from "node:tls";
import { buildConnector, type Dispatcher } from "undici";
import type { Answer, WebhookSender } from "../domain/webhooks/deliver.ts";
import { portRefusal } from "./blocked-ports.ts";
import { createOriginPools } from "./origin-pools.ts";
import { type AllowedRange, guardedLookup, literalRefusal, type Resolve } from "./target-guard.ts";

const mostBodyBytes = 64 * 1024;

/** Characters of a reason: a history keeps each, and a certificate of a hundred names has them all in it. */
const longestReason = 300;

/** Origins with open connections, and addresses that were taken apart already. */
const mostOrigins = 256;
const mostTargets = 1000;

type Target = { origin: string; path: string; refusal: string | null };

/**
 * Posts deliveries. Addresses are checked at every connection; redirects are answers, not instructions; one deadline
 * covers connecting, headers and body; of the body only the first 64 KiB are read, and none is kept or unpacked.
 */
export function createWebhookSender(options: {
  userAgent: string;
  allowed: readonly AllowedRange[];
  /** Further roots, PEM. */
  ca: string | null;
  deadlineMs?: number;
  mostOrigins?: number;
  resolve?: Resolve;
}): WebhookSender & { openOrigins(): number; close(): Promise<void> } {
  const { allowed, userAgent, deadlineMs = 30_000 } = options;
  const pools = createOriginPools({
    most: options.mostOrigins ?? mostOrigins,
    keepAliveMs: 10_000,
    connect: buildConnector({
      allowH2: false,
      timeout: 10_000,
      lookup: guardedLookup(allowed, options.resolve),
      // Made once: of the roots that there are, each connection would read them all anew.
      secureContext: createSecureContext(
        options.ca === null ? {} : { ca: [...rootCertificates, options.ca] },
      ),
    }),
  });
  const targets = new Map<string, Target>();

  const targetOf = (url: string): Target => {
    const known = targets.get(url);
    if (known !== undefined) return known;
    const { origin, pathname, search, hostname, port } = new URL(url);
    const refusal = portRefusal(port) ?? literalRefusal(hostname, allowed);
    const target = { origin, path: pathname + search, refusal: refusal && `${hostname} ${refusal}` };
    if (targets.size >= mostTargets) targets.clear();
    targets.set(url, target);
    return target;
  };

  return {
    post(url, headers, body, signal) {
      if (signal.aborted) return Promise.reject(signal.reason);
      const { origin, path, refusal } = targetOf(url);
      if (refusal !== null) return Promise.resolve({ error: refusal });
      const request: Dispatcher.DispatchOptions = {
        ...{ path, method: "POST", body },
        headers: { ...headers, "Content-Type": "application/json", "User-Agent": userAgent },
      };
      return exchange((handler) => pools.dispatch(origin, request, handler), deadlineMs, signal);
    },
    openOrigins: () => pools.size(),
    close: () => pools.close(),
  };
}

/** One request and what comes of it. Rejects when `signal` is aborted before there is a status, and only then. */
function exchange(
  send: (handler: Dispatcher.DispatchHandler) => void,
  deadlineMs: number,
  signal: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let answer: Answer | undefined;
    let bytes = 0;
    let isOver = false;

    /** True for the first who ends it. */
    const end = (): boolean => {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      signal.removeEventListener("abort", giveUp);
      return true;
    };
    // A request that still waits for its connection has no controller yet, and is ended once it has.
    const hangUp = (): void => controller?.abort(new Error("no longer waited for"));
    const finish = (given: Answer): void => {
      if (end()) resolve(given);
    };
    const giveUp = (): void => {
      // Who has answered already gets its time for the rest: the answer counts.
      if (answer !== undefined || !end()) return;
      reject(signal.reason);
      hangUp();
    };
    const timer = setTimeout(() => {
      finish({ error: `no complete answer within ${deadlineMs / 1000} s` });
      hangUp();
    }, deadlineMs);
    signal.addEventListener("abort", giveUp, { once: true });

    send({
      onRequestStart(started) {
        controller = started;
        if (isOver) hangUp();
      },
      onResponseStart(_controller, statusCode, headers) {
        // Interim answers (RFC 9110 section 15.2) are none.
        if (statusCode < 200) return;
        answer = { statusCode, retryAfterSeconds: retryAfter(statusCode, headers["retry-after"]) };
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        if (bytes <= mostBodyBytes || answer === undefined) return;
        finish(answer);
        hangUp();
      },
      onResponseEnd() {
        finish(answer ?? { error: "the connection failed" });
      },
      onResponseError(_controller, error) {
        finish({ error: reason(error) });
      },
    });
  });
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
  const characters = [...error.message];
  const message =
    characters.length > longestReason ? `${characters.slice(0, longestReason).join("")}…` : error.message;
  return code === "" || message.includes(code) ? message : `${message} (${code})`;
}
