import { createSecureContext, rootCertificates } from "node:tls";
import { buildConnector, type Dispatcher } from "undici";
import { retryAfterSeconds } from "../domain/retry-after.ts";
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
    async post(url, headers, body, signal) {
      signal.throwIfAborted();
      const { origin, path, refusal } = targetOf(url);
      if (refusal !== null) return { error: refusal };
      const request: Dispatcher.DispatchOptions = {
        ...{ path, method: "POST", body },
        headers: { ...headers, "Content-Type": "application/json", "User-Agent": userAgent },
      };
      const { pool, giveBack } = pools.take(origin);
      const exchange = new Exchange(deadlineMs, signal, giveBack);
      try {
        pool.dispatch(request, exchange);
      } catch (error) {
        exchange.forget();
        throw error;
      }
      return exchange.answer;
    },
    openOrigins: () => pools.size(),
    close: () => pools.close(),
  };
}

/** One request and what comes of it; its connection is given back with the last of that. Its answer rejects when `signal` is aborted before there is a status, and only then. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly answer: Promise<Answer>;
  readonly #ended = Promise.withResolvers<Answer>();
  readonly #signal: AbortSignal;
  readonly #giveBack: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #giveUp = (): void => {
    // Who has answered already gets its time for the rest: the answer counts.
    if (this.#given !== undefined || !this.#end()) return;
    this.#ended.reject(this.#signal.reason);
    this.#hangUp();
  };
  #controller: Dispatcher.DispatchController | undefined;
  #given: Answer | undefined;
  #bytes = 0;
  #isOver = false;

  constructor(deadlineMs: number, signal: AbortSignal, giveBack: () => void) {
    this.answer = this.#ended.promise;
    this.#signal = signal;
    this.#giveBack = giveBack;
    this.#timer = setTimeout(() => {
      this.#finish({ error: `no complete answer within ${deadlineMs / 1000} s` });
      this.#hangUp();
    }, deadlineMs);
    signal.addEventListener("abort", this.#giveUp, { once: true });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#isOver) this.#hangUp();
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Interim answers (RFC 9110 section 15.2) are none.
    if (statusCode < 200) return;
    const isAsked = statusCode === 429 || statusCode === 503;
    this.#given = {
      statusCode,
      retryAfterSeconds: isAsked ? retryAfterSeconds(headers["retry-after"], Date.now()) : null,
    };
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= mostBodyBytes || this.#given === undefined) return;
    this.#finish(this.#given);
    this.#hangUp();
  }

  onResponseEnd(): void {
    this.#giveBack();
    this.#finish(this.#given ?? { error: "the connection failed" });
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: unknown): void {
    this.#giveBack();
    this.#finish({ error: reason(error) });
  }

  /** It was never sent. */
  forget(): void {
    this.#giveBack();
    this.#end();
  }

  #finish(answer: Answer): void {
    if (this.#end()) this.#ended.resolve(answer);
  }

  /** True for the first who ends it. */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.#signal.removeEventListener("abort", this.#giveUp);
    return true;
  }

  /** A request that still waits for its connection has no controller yet, and is ended once it has. */
  #hangUp(): void {
    this.#controller?.abort(new Error("no longer waited for"));
  }
}

function reason(error: unknown): string {
  if (!(error instanceof Error)) return "the connection failed";
  const code = "code" in error ? String(error.code) : "";
  const characters = [...error.message];
  const message =
    characters.length > longestReason ? `${characters.slice(0, longestReason).join("")}…` : error.message;
  return code === "" || message.includes(code) ? message : `${message} (${code})`;
}
