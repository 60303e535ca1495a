import { addressOf } from "./address.ts";
import { grantedBy } from "./answer.ts";
import type { Call, MutationOptions, ResponseFacts, Send } from "./call.ts";
import { PasswrightError } from "./errors.ts";
import { exchange, type Limits } from "./exchange.ts";
import { version } from "./generated/version.ts";
import { withRetries } from "./retry.ts";
import type { TokenCache } from "./token-cache.ts";

export type Service = {
  /** Without a slash at its end. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  timeoutMs: number;
  maxRetries: number;
  onResponse: ((facts: ResponseFacts) => void) | undefined;
};

/** Carries calls out without a token: the attempts of one call, their waits and their answers. */
export function createOpenSend(service: Service): Send {
  return async <Answer>(call: Call, options: MutationOptions = {}) => {
    const { signal } = options;
    signal?.throwIfAborted();
    const path = addressOf(call);
    const request = {
      url: `${service.baseUrl}${path}`,
      method: call.method,
      headers: headersOf(call, options),
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
    };
    const limits: Limits = { timeoutMs: options.timeoutMs ?? service.timeoutMs, signal };
    const attempt = async (number: number) => {
      const received = await exchange(service.fetch, request, limits);
      const { status, headers } = received;
      const facts = { method: call.method, path, status, headers, attempt: number };
      service.onResponse?.(facts);
      options.onResponse?.(facts);
      return grantedBy(received) as Answer;
    };
    return withRetries(attempt, { maxRetries: options.maxRetries ?? service.maxRetries, signal });
  };
}

/** Carries calls out under the token of a cache. A token that is refused is replaced once. */
export function createSend(send: Send, tokens: TokenCache): Send {
  return async <Answer>(call: Call, options: MutationOptions = {}) => {
    // Made here, so that a call keeps its key over all of its attempts.
    const key = call.idempotent ? { idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() } : {};
    const sendWith = (token: string) =>
      send<Answer>(call, {
        ...options,
        ...key,
        headers: { ...options.headers, authorization: `Bearer ${token}` },
      });
    const token = await tokens.get(options.signal);
    try {
      return await sendWith(token);
    } catch (error) {
      if (!(error instanceof PasswrightError) || error.code !== "invalid_token") throw error;
      tokens.drop(token);
      return sendWith(await tokens.get(options.signal));
    }
  };
}

function headersOf(call: Call, { headers, idempotencyKey }: MutationOptions): Record<string, string> {
  return {
    accept: "application/json",
    "user-agent": `passwright-client/${version}`,
    ...lowerCased(headers),
    ...(call.body !== undefined && { "content-type": "application/json" }),
    ...(call.idempotent && idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
}

/** So that one name in two spellings is not sent twice. */
function lowerCased(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
