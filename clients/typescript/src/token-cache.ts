import type { Token } from "./generated/schemas.ts";
import { untilAborted } from "./pause.ts";

/** Long enough for a request that begins now to be carried out under the same token. */
const renewedBeforeEndMs = 60_000;

export type TokenCache = {
  /** The token of all calls; a new one when there is none, or its end is near. */
  get(signal?: AbortSignal): Promise<string>;
  /** The service refused this token. One that has taken its place meanwhile stays. */
  drop(token: string): void;
};

/**
 * Keeps one access token for however many calls, and asks for the next one once, however many wait for it. Time is that
 * of a clock that only goes forward: what the machine takes for the date makes no difference.
 */
export function createTokenCache(
  request: () => Promise<Token>,
  nowMs: () => number = () => performance.now(),
): TokenCache {
  let current: { token: string; renewAtMs: number; endAtMs: number } | undefined;
  let renewal: Promise<string> | undefined;

  async function renew(): Promise<string> {
    const askedAtMs = nowMs();
    const { access_token: token, expires_in } = await request();
    const lifetimeMs = expires_in * 1000;
    // A token that lives shorter than the margin would otherwise be renewed at every call.
    const margin = Math.min(renewedBeforeEndMs, lifetimeMs / 2);
    const endAtMs = askedAtMs + lifetimeMs;
    current = { token, renewAtMs: endAtMs - margin, endAtMs };
    return token;
  }

  /** While the old token is good, that there is no new one yet is nobody's trouble. */
  function orCurrent(error: unknown): string {
    if (current !== undefined && nowMs() < current.endAtMs) return current.token;
    throw error;
  }

  return {
    async get(signal) {
      if (current !== undefined && nowMs() < current.renewAtMs) return current.token;
      renewal ??= renew()
        .catch(orCurrent)
        .finally(() => {
          renewal = undefined;
        });
      return untilAborted(renewal, signal);
    },
    drop(token) {
      if (current?.token === token) current = undefined;
    },
  };
}
