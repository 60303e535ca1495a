import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { workClasses } from "../../src/domain/jobs/work.ts";
import { createKeys } from "../../src/redis/keys.ts";

/** As a new installation has them. */
export const keys = createKeys({ prefix: "pw", partitions: 16 });

/** How much is open, by the name of the key that says so; keys that hold nothing are left out. */
export type OpenWork = Map<string, number>;

/** Everything that still waits, is in hand or is put off anywhere. Dead letters are not open: they are for an operator. */
export async function openWork(store: Redis): Promise<OpenWork> {
  const names = keys.allPartitions.flatMap((partition) => {
    const ofPartition = (name: string) => `${keys.partition(partition)}:${name}`;
    return [
      ...workClasses.flatMap((workClass) => [
        keys.queue(partition, workClass),
        ofPartition(`ready:${workClass}`),
      ]),
      ...[keys.retry(partition), keys.outbox(partition), ofPartition("open")],
    ];
  });
  const sizes = await Promise.all(names.map((name) => sizeOf(store, name)));
  const pending = await Promise.all(
    names.map((name) => (name.includes(":queue:") ? pendingIn(store, name) : 0)),
  );
  return new Map([
    ...names.map((name, i): [string, number] => [name, sizes[i] ?? 0]).filter(([, size]) => size > 0),
    ...names
      .map((name, i): [string, number] => [`${name} (pending)`, pending[i] ?? 0])
      .filter(([, size]) => size > 0),
  ]);
}

async function sizeOf(store: Redis, name: string): Promise<number> {
  switch (await store.type(name)) {
    case "none":
      return 0;
    case "stream":
      return store.xlen(name);
    case "zset":
      return store.zcard(name);
    case "set":
      return store.scard(name);
    case "hash":
      return store.hlen(name);
    default:
      return store.llen(name);
  }
}

async function pendingIn(store: Redis, stream: string): Promise<number> {
  const summary = (await store.xpending(stream, "workers").catch(() => [0])) as [number];
  return Number(summary[0]);
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
