import { setTimeout as pause } from "node:timers/promises";
import type { Redis } from "ioredis";
import { workClasses } from "../../src/domain/jobs/work.ts";
import { keys } from "./settled.ts";

/** What a killed worker had in hand, and how long that lay there. */
export type Redelivery = {
  afterMs: number;
  /** Whether Redis, or a worker that should have taken over, was hit meanwhile, too. */
  isDisturbed: boolean;
};

type Held = { key: string; lane: string; attempts: number };

const patienceMs = 30_000;

/**
 * Looks at what a worker that has just been killed had in hand, and waits until each of it is begun again. Resolves with
 * how long that took; what was settled in its last moment, or given up, is not part of it.
 */
export async function watchRedelivery(
  store: Redis,
  killed: { pid: number; atMs: number; tenantIds: readonly string[]; isDisturbed(): boolean },
): Promise<Redelivery[]> {
  let waiting = await heldBy(store, killed);
  const found: Redelivery[] = [];
  const giveUpAtMs = killed.atMs + patienceMs;
  while (waiting.length > 0 && Date.now() < giveUpAtMs) {
    await pause(25);
    const states = await Promise.all(
      waiting.map(({ key, lane }) => store.hmget(key, `${lane}:attempts`, `${lane}:state`)),
    );
    const nowMs = Date.now();
    waiting = waiting.filter(({ attempts }, i) => {
      const [present, state] = states[i] ?? [];
      const isBegunAgain = Number(present ?? Number.POSITIVE_INFINITY) > attempts;
      if (isBegunAgain) found.push({ afterMs: nowMs - killed.atMs, isDisturbed: killed.isDisturbed() });
      return !isBegunAgain && state !== "done" && state !== "failed";
    });
  }
  return found;
}

async function heldBy(
  store: Redis,
  { pid, tenantIds }: { pid: number; tenantIds: readonly string[] },
): Promise<Held[]> {
  const partitions = [...new Set(tenantIds.map(keys.partitionOf))];
  const streams = partitions.flatMap((partition) =>
    workClasses.map((workClass) => ({ partition, stream: keys.queue(partition, workClass) })),
  );
  const held = await Promise.all(
    streams.map(async ({ partition, stream }) => {
      const pending = (await store.xpending(stream, "workers", "-", "+", 10_000).catch(() => [])) as [
        entry: string,
        consumer: string,
      ][];
      const entries = pending.filter(([, consumer]) => consumer.includes(`:${pid}:`)).map(([entry]) => entry);
      return Promise.all(entries.map((entry) => heldEntry(store, { partition, stream, entry })));
    }),
  );
  return held.flat().filter((one) => one !== null);
}

async function heldEntry(
  store: Redis,
  { partition, stream, entry }: { partition: number; stream: string; entry: string },
): Promise<Held | null> {
  const [found] = await store.xrange(stream, entry, entry);
  if (found === undefined) return null;
  const [, [, record, , lane = ""]] = found;
  const key = `${keys.partition(partition)}:${record}`;
  const [lease, attempts] = await store.hmget(key, `${lane}:entry`, `${lane}:attempts`);
  return lease === entry ? { key, lane, attempts: Number(attempts) } : null;
}
