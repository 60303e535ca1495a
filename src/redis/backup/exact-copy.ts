import { setTimeout as delay } from "node:timers/promises";
import type { ChainableCommander } from "ioredis";
import { PasswrightError } from "../../domain/errors.ts";
import { asUnavailable } from "../connection.ts";
import type { ChangeWatch } from "./change-watch.ts";

/** A key as it was read; `dump` is null where it is gone. `owner` is what `ownerField` holds, of keys that name none. */
export type CopiedKey = { key: string; dump: Buffer | null; expiresAtMs: number; owner: string | null };

export type CopyPlan = {
  /** Which keys a scan is to look at, as a pattern, and which of those are wanted. */
  pattern: string;
  isWanted(key: string): boolean;
  /** The hash field that says whose a key is. */
  ownerField(key: string): string | null;
  /** Further reads of the same instant. */
  alongside(transaction: ChainableCommander): void;
};

export type CopyLimits = {
  stepSize: number;
  /** So few changed keys are read within one step, which holds Redis up. */
  mostAtOnce: number;
  /** So often is it tried without holding writers up. */
  attempts: number;
  /** For so long writers wait at most, when it does not work otherwise. */
  pauseMs: number;
};

export const copyLimits: CopyLimits = { stepSize: 500, mostAtOnce: 2000, attempts: 5, pauseMs: 1500 };

/**
 * Copies keys that are being written, exactly: first as they come, then again what changed meanwhile, until that is little
 * enough to be read in one transaction (as live migration of virtual machines does it: Clark et al., NSDI 2005). When
 * nothing else has changed by then, everything that was read is what there was at the transaction. Otherwise it is tried
 * again, and in the end while Redis lets writers wait (CLIENT PAUSE), some milliseconds usually. The last batch is returned with what
 * `alongside` read.
 */
export async function* exactCopy(
  watch: ChangeWatch,
  plan: CopyPlan,
  limits: CopyLimits,
): AsyncGenerator<CopiedKey[], { last: CopiedKey[]; alongside: unknown[] }> {
  yield* firstLook(watch, plan, limits);
  let wanted = await changedOf(watch, plan);
  // Each round takes as long as there is to read, so the next one finds less; on a busy tenant to a certain point.
  for (let before = Number.POSITIVE_INFINITY; wanted.size > limits.mostAtOnce && wanted.size < before; ) {
    before = wanted.size;
    yield* readAll([...wanted], watch, plan, limits);
    wanted = await changedOf(watch, plan);
  }
  for (let attempt = 1; attempt <= limits.attempts; attempt += 1) {
    const copied = await readAtOnce(watch, plan, wanted);
    const changed = await changedOf(watch, plan);
    if (isWithin(changed, wanted)) return copied;
    // What changes again and again belongs to every attempt, so only what is new can spoil it.
    wanted = new Set([...wanted, ...changed]);
    if (wanted.size > limits.mostAtOnce) break;
    await delay(attempt);
  }
  return readInPause(watch, plan, { wanted, limits });
}

async function* firstLook({ node }: ChangeWatch, plan: CopyPlan, limits: CopyLimits) {
  let cursor = "0";
  do {
    const [next, found] = await node
      .scan(cursor, "MATCH", plan.pattern, "COUNT", limits.stepSize)
      .catch((error: unknown) => {
        throw asUnavailable(error);
      });
    cursor = next;
    const keys = found.filter((key) => plan.isWanted(key));
    if (keys.length > 0) yield await readKeys(node.pipeline(), keys, plan);
  } while (cursor !== "0");
}

async function* readAll(
  keys: readonly string[],
  { node }: ChangeWatch,
  plan: CopyPlan,
  { stepSize }: CopyLimits,
) {
  for (let first = 0; first < keys.length; first += stepSize) {
    yield await readKeys(node.pipeline(), keys.slice(first, first + stepSize), plan);
  }
}

async function readKeys(commands: ChainableCommander, keys: readonly string[], plan: CopyPlan) {
  return (await readWith(commands, keys, plan)).copied;
}

/** Reads keys with `commands`, and behind them what `add` adds. */
async function readWith(
  commands: ChainableCommander,
  keys: readonly string[],
  plan: CopyPlan,
  add: CopyPlan["alongside"] = () => {},
) {
  const ask = keys.map((key) => {
    const field = plan.ownerField(key);
    commands.dumpBuffer(key).pexpiretime(key);
    if (field !== null) commands.hget(key, field);
    return { key, field };
  });
  add(commands);
  const replies = await commands.exec().catch((error: unknown) => {
    throw asUnavailable(error);
  });
  const values = (replies ?? []).map(([error, value]) => {
    if (error !== null) throw asUnavailable(error);
    return value;
  });
  let at = 0;
  const copied = ask.map(({ key, field }): CopiedKey => {
    const dump = values[at++] as Buffer | null;
    const expiresAtMs = Number(values[at++]);
    return { key, dump, expiresAtMs, owner: field === null ? null : (values[at++] as string | null) };
  });
  return { copied, rest: values.slice(at) };
}

async function readAtOnce({ node }: ChangeWatch, plan: CopyPlan, keys: ReadonlySet<string>) {
  const { copied, rest } = await readWith(node.multi(), [...keys], plan, plan.alongside);
  return { last: copied, alongside: rest };
}

async function readInPause(
  watch: ChangeWatch,
  plan: CopyPlan,
  { wanted, limits }: { wanted: Set<string>; limits: CopyLimits },
) {
  let keys = wanted;
  for (const pauseMs of [limits.pauseMs, 4 * limits.pauseMs]) {
    const from = performance.now();
    try {
      await watch.node.client("PAUSE", pauseMs, "WRITE");
      keys = new Set([...keys, ...(await changedOf(watch, plan))]);
      const copied = await readAtOnce(watch, plan, keys);
      // The server began later to count than this did.
      if (performance.now() - from < pauseMs) return copied;
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("NOPERM")) throw tooFast();
      throw asUnavailable(error);
    } finally {
      await watch.node.client("UNPAUSE").catch(() => {});
    }
  }
  throw tooFast();
}

function tooFast(): PasswrightError {
  return new PasswrightError(
    "invalid_state",
    "The store changes faster than it can be copied. Grant the Redis user +client|pause (writers then wait for a moment), or make the copy when less is going on.",
  );
}

async function changedOf(watch: ChangeWatch, plan: CopyPlan): Promise<Set<string>> {
  const changed = await watch.changed();
  return new Set([...changed].filter((key) => plan.isWanted(key)));
}

function isWithin(some: ReadonlySet<string>, all: ReadonlySet<string>): boolean {
  return [...some].every((key) => all.has(key));
}
