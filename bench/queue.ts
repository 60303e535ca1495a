/**
 * The queue beside BullMQ: so many waiting pieces of work, drained by one worker with 100 hands, the same payload and
 * the same handler, on the same Redis at each level of durability, in alternating rounds. Each round ends with a check
 * that every piece was handled exactly once and nothing is left. Run it with `node bench/queue.ts [off] [everysec] [always]`:
 * all three when none is named.
 * Ours keeps the record of what was done and its attempt, as deliveries do; BullMQ keeps its completed job.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { Queue, Worker } from "bullmq";
import { createVault } from "../src/crypto/vault.ts";
import { createConsumer } from "../src/daemon/consumer.ts";
import { createRounds } from "../src/daemon/rounds.ts";
import type { Connection } from "../src/redis/connection.ts";
import { createDeliveryStore } from "../src/redis/deliveries.ts";
import { createKeys } from "../src/redis/keys.ts";
import { defineScripts, withParts } from "../src/redis/scripts.ts";
import { recordName } from "../src/redis/task-names.ts";
import { createWorkQueue } from "../src/redis/work-queue.ts";
import { type Durability, withPrivateRedis } from "./support/private-redis.ts";

const pieces = 22_000;
const rounds = 5;
const hands = 100;
const payload = "x".repeat(200);
const levels = (
  process.argv.length > 2 ? process.argv.slice(2) : ["off", "everysec", "always"]
) as Durability[];

type Drained = { perSecond: number; addedPerSecond: number };

function check(seen: Map<string, number>, left: number): void {
  const twice = [...seen.values()].filter((times) => times > 1).length;
  if (seen.size !== pieces || twice > 0 || left > 0) {
    throw new Error(
      `${seen.size} of ${pieces} were handled, ${twice} of them more than once; ${left} are left`,
    );
  }
}

const enqueue = withParts(`-- uses: enqueue
redis.call('HSET', KEYS[2], 'status', 'pending', 'payload', ARGV[2], 'created_at', ARGV[3])
enqueue(KEYS[1], KEYS[2], ARGV[1], 'send')`);

async function ours(connection: Connection): Promise<Drained> {
  const keys = createKeys({ prefix: "pw", partitions: 16 });
  const store = { connection, keys, run: defineScripts(connection), vault: createVault([randomBytes(32)]) };
  connection.defineCommand("bench:enqueue", { lua: enqueue, numberOfKeys: 2 });
  const add = (connection as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>)[
    "bench:enqueue"
  ];
  const queue = createWorkQueue(store, { consumer: randomUUID(), leaseMs: 15_000, nowMs: Date.now });
  await queue.ensureGroups();
  const tenants = Array.from({ length: 32 }, () => randomUUID());
  const addingSince = performance.now();
  for (let i = 0; i < pieces; i += 1000) {
    await Promise.all(
      Array.from({ length: Math.min(1000, pieces - i) }, (_, j) => {
        const tenantId = tenants[(i + j) % tenants.length] ?? "";
        const id = randomUUID();
        return add?.call(
          connection,
          keys.queue(keys.partitionOf(tenantId), "interactive"),
          keys.record(tenantId, "delivery", id),
          recordName({ tenantId, kind: "delivery", id }),
          payload,
          Date.now(),
        );
      }),
    );
  }
  const addedPerSecond = (pieces * 1000) / (performance.now() - addingSince);

  const deliveries = createDeliveryStore(store);
  const seen = new Map<string, number>();
  const allSeen = Promise.withResolvers<void>();
  const silent = { info() {}, warn: console.error, error: console.error } as never;
  const consumer = createConsumer({
    queue,
    concurrency: hands,
    log: silent,
    handlers: {
      job: async () => ({}),
      delivery: async (task, _signal, concluded) => {
        seen.set(task.id, (seen.get(task.id) ?? 0) + 1);
        if (seen.size === pieces) allSeen.resolve();
        const attempt = { number: 1, atMs: Date.now(), statusCode: 200, durationMs: 0, error: null };
        concluded?.();
        const settled = await deliveries.settle(task, attempt, { delivered: true });
        return { outcome: settled ? "delivered" : "lost" };
      },
    },
  });
  const since = performance.now();
  const claiming = createRounds(consumer.runOnce);
  for (let news = keys.allPartitions; seen.size < pieces; news = [])
    await claiming.next(news, () => Promise.race([consumer.mayGoOn(), allSeen.promise]));
  await claiming.ended();
  await consumer.drain(10_000);
  const perSecond = (pieces * 1000) / (performance.now() - since);
  let left = 0;
  for (const partition of keys.allPartitions) {
    left += await connection.zcard(keys.ready(partition, "interactive"));
    left += await connection.xlen(keys.queue(partition, "interactive"));
    left += await connection.zcard(keys.openRecords(partition));
  }
  check(seen, left);
  return { perSecond, addedPerSecond };
}

async function theirs(url: string): Promise<Drained> {
  const connection = { url, maxRetriesPerRequest: null };
  const name = `bench-${randomBytes(3).toString("hex")}`;
  const queue = new Queue(name, { connection });
  const addingSince = performance.now();
  for (let i = 0; i < pieces; i += 1000) {
    const size = Math.min(1000, pieces - i);
    await queue.addBulk(Array.from({ length: size }, () => ({ name: "send", data: { payload } })));
  }
  const addedPerSecond = (pieces * 1000) / (performance.now() - addingSince);
  const seen = new Map<string, number>();
  const done = Promise.withResolvers<void>();
  const worker = new Worker(
    name,
    async (job) => {
      const id = job.id ?? "";
      seen.set(id, (seen.get(id) ?? 0) + 1);
      return { statusCode: 200 };
    },
    { connection, concurrency: hands, autorun: false },
  );
  let completed = 0;
  worker.on("completed", () => {
    completed += 1;
    if (completed === pieces) done.resolve();
  });
  const since = performance.now();
  const running = worker.run();
  await done.promise;
  const perSecond = (pieces * 1000) / (performance.now() - since);
  const counts = await queue.getJobCounts("waiting", "active", "delayed", "failed");
  await worker.close();
  await running;
  await queue.close();
  check(
    seen,
    Object.values(counts).reduce((sum, count) => sum + count, 0),
  );
  return { perSecond, addedPerSecond };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function told(numbers: readonly number[], digits = 0): string {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return `${median(numbers).toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

for (const durability of levels) {
  await withPrivateRedis(
    async (connection, url) => {
      // The first of each warms the code up and does not count.
      await theirs(url);
      await connection.flushall();
      await ours(connection);
      const samples: { ours: Drained; theirs: Drained }[] = [];
      for (let round = 0; round < rounds; round += 1) {
        await connection.flushall();
        const peer = await theirs(url);
        await connection.flushall();
        samples.push({ theirs: peer, ours: await ours(connection) });
      }
      console.log(`append-only file ${durability}: ${pieces} pieces, ${hands} hands, ${rounds} rounds`);
      console.log(`  ours    ${told(samples.map((sample) => sample.ours.perSecond))} a second`);
      console.log(`  BullMQ  ${told(samples.map((sample) => sample.theirs.perSecond))} a second`);
      const ratios = samples.map((sample) => sample.ours.perSecond / sample.theirs.perSecond);
      console.log(`  ratio   ${told(ratios, 2)}`);
      const adding = samples.map((sample) => sample.ours.addedPerSecond / sample.theirs.addedPerSecond);
      console.log(`  adding in bulk, ratio  ${told(adding, 2)}`);
    },
    { durability },
  );
}
