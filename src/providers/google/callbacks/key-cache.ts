import type { Clock } from "../../../domain/clock.ts";
import { PasswrightError } from "../../../domain/errors.ts";
import type { Log } from "../../../domain/log.ts";
import { lastEndOf, type RootKey, readRootKeys } from "./root-keys.ts";

/** Where root keys come from. */
export type KeySource = {
  /** For the log: an address without credentials, or a path. */
  name: string;
  /** The document as it is now, and how long it may be gone by. Rejects in seconds where it is not to be had. */
  load(): Promise<{ text: string; freshMs: number }>;
  /** Between the beginnings of two loads there is this long at least, whatever happens. */
  leastIntervalMs: number;
};

export type KeyCache = {
  /** Those of the source's keys that are in force. Rejects with provider_unavailable while there are none. */
  keys(): Promise<readonly RootKey[]>;
};

type Held = { keys: readonly RootKey[]; renewAtMs: number; staleAtMs: number };

/** So much of the time for which they are fresh, they are used before others are asked for in the background. */
const renewAfter = 0.8;

/**
 * Keeps root keys for as long as their source says, and asks for them again shortly before, in one load at a time. What was
 * had last is kept while the source is away, each key until it ends by itself. Nothing that a caller says has anything loaded:
 * a signature that does not verify is wrong, not the keys.
 */
export function createKeyCache(source: KeySource, { clock, log }: { clock: Clock; log: Log }): KeyCache {
  let held: Held | null = null;
  let loading: Promise<void> | null = null;
  let mayLoadAtMs = 0;

  async function load(): Promise<void> {
    try {
      const { text, freshMs } = await source.load();
      const keys = readRootKeys(text);
      const nowMs = clock.nowMs();
      if (inForce(keys, nowMs).length === 0) throw new Error("all of its keys have ended");
      // A source that is read from a cache may promise more than its keys have left.
      const goodForMs = Math.min(freshMs, lastEndOf(keys) - nowMs);
      held = { keys, renewAtMs: nowMs + renewAfter * goodForMs, staleAtMs: nowMs + goodForMs };
    } catch (error) {
      const kept = inForce(held?.keys ?? [], clock.nowMs()).length;
      log.warn({ source: source.name, kept, err: error }, "callback_keys.unavailable");
    }
  }

  /** The load that is under way, or a new one where it is time for that. */
  function renewal(nowMs: number): Promise<void> | null {
    if (loading === null && nowMs >= mayLoadAtMs) {
      mayLoadAtMs = nowMs + source.leastIntervalMs;
      loading = load().finally(() => {
        loading = null;
      });
    }
    return loading;
  }

  return {
    async keys() {
      const nowMs = clock.nowMs();
      if (held === null || nowMs >= held.renewAtMs) {
        const renewed = renewal(nowMs);
        if (held === null || nowMs >= held.staleAtMs) await renewed;
      }
      const usable = inForce(held?.keys ?? [], nowMs);
      if (usable.length > 0) return usable;
      throw new PasswrightError(
        "provider_unavailable",
        "Google's keys for call-backs are not to be had now.",
        {
          retryAfterSeconds: Math.ceil(Math.max(1000, mayLoadAtMs - clock.nowMs()) / 1000),
        },
      );
    },
  };
}

function inForce(keys: readonly RootKey[], nowMs: number): readonly RootKey[] {
  return keys.filter(({ expiresAtMs }) => expiresAtMs > nowMs);
}
