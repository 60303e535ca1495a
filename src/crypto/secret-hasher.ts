import { randomBytes } from "node:crypto";
import { availableParallelism } from "node:os";
import argon2 from "argon2";
import type { SecretHasher } from "../domain/applications/application.ts";
import { PasswrightError } from "../domain/errors.ts";

/** OWASP's Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const cost = { type: argon2.argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
const longestWaitMs = 2000;
const longestQueue = 32;

/**
 * Leaves one core to the calls that bear a token, whatever the token endpoint has to do, and half of libuv's four
 * threads to everything else that waits for them.
 */
export function createSecretHasher(
  concurrency = Math.max(1, Math.min(availableParallelism() - 1, 2)),
): SecretHasher {
  const turn = createTurnstile(concurrency, { waitMs: longestWaitMs, queue: longestQueue });
  let decoy: Promise<string> | undefined;
  const makeDecoy = (): Promise<string> =>
    argon2.hash(randomBytes(32).toString("base64"), cost).catch((error: unknown) => {
      decoy = undefined;
      throw error;
    });
  return {
    hash: (secret) => turn(() => argon2.hash(secret, cost)),
    verify: (hash, secret) =>
      turn(async () => {
        if (hash !== null) return argon2.verify(hash, secret);
        decoy ??= makeDecoy();
        await argon2.verify(await decoy, secret);
        return false;
      }),
  };
}

/** Lets `slots` callers in at a time, in order; who finds the queue full or waited too long is turned away with `unavailable`. */
function createTurnstile(slots: number, most: { waitMs: number; queue: number }) {
  let busy = 0;
  const queue: { enter(): void }[] = [];
  const enter = (): Promise<void> => {
    if (busy < slots) {
      busy += 1;
      return Promise.resolve();
    }
    if (queue.length >= most.queue) return Promise.reject(turnedAway());
    const waiting = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(ticket), 1);
      waiting.reject(turnedAway());
    }, most.waitMs);
    const ticket = {
      enter: () => {
        clearTimeout(timer);
        waiting.resolve();
      },
    };
    queue.push(ticket);
    return waiting.promise;
  };
  const leave = (): void => {
    const next = queue.shift();
    if (next === undefined) busy -= 1;
    else next.enter();
  };
  return async <Result>(action: () => Promise<Result>): Promise<Result> => {
    await enter();
    try {
      return await action();
    } finally {
      leave();
    }
  };
}

function turnedAway(): PasswrightError {
  return new PasswrightError("unavailable", "Too many tokens are being asked for. Try again shortly.", {
    retryAfterSeconds: 2,
  });
}
