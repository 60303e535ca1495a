import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { workClasses } from "../../src/domain/jobs/work.ts";
import { createKeys } from "../../src/redis/keys.ts";

/** As a new installation has them. */
export const keys = createKeys({ prefix: "pw", partitions: 16 });

/** How much is open, by the name of the key that says so; keys that hold nothing are left out. */
export type OpenWork = Map<string, number>;

/**
 * Everything that still waits, is in hand or is put off anywhere, as of one instant: what moves from one key to another
 * cannot hide in between. Dead letters are not open: they are for an operator.
 */
export async function openWork(store: Redis): Promise<OpenWork> {
  const names: string[] = [];
  const look = store.multi();
  for (const partition of keys.allPartitions) {
    for (const workClass of workClasses) {
      const queue = keys.queue(partition, workClass);
      const ready = keys.ready(partition, workClass);
      const delayed = keys.delayed(partition, workClass);
      names.push(ready, queue, `${queue} (pending)`, delayed);
      look.zcard(ready).xlen(queue).xpending(queue, "workers").zcard(delayed);
    }
    names.push(keys.outbox(partition), keys.openRecords(partition));
    look.xlen(keys.outbox(partition)).zcard(keys.openRecords(partition));
  }
  const sizes = ((await look.exec()) ?? []).map(([error, size]) => {
    // Whose group does not exist has nothing pending.
    if (error !== null) return 0;
    return Number(Array.isArray(size) ? size[0] : size);
  });
  return new Map(
    names.map((name, i): [string, number] => [name, sizes[i] ?? 0]).filter(([, size]) => size > 0),
  );
}

/**
 * Waits until nothing is open. Resolves with what still is when nothing has moved for `patienceMs`, or nothing has come
 * to an end in ten times that; `moved` counts what goes on elsewhere.
 */
export async function untilSettled(store: Redis, moved: () => number, patienceMs: number): Promise<OpenWork> {
  let seen = "";
  let sinceMs = performance.now();
  const giveUpAtMs = sinceMs + 10 * patienceMs;
  for (;;) {
    const open = await openWork(store);
    if (open.size === 0) return open;
    const now = JSON.stringify([...open, moved()]);
    if (now !== seen) sinceMs = performance.now();
    seen = now;
    if (performance.now() > Math.min(sinceMs + patienceMs, giveUpAtMs)) return open;
    await pause(100);
  }
}
