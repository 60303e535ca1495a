/**
 * What one receiver that hangs and one that fails do to 98 others of the same worker: from the event to its receipt by the
 * others, with the two in place and without, in turn in one run, at a steady rate. The two get as many events as any other.
 * Run it with `node bench/webhook-isolation.ts [events a second [seconds a turn [rounds]]]` after a build: 200, 15 and 3 when absent.
 */
import { cpus } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { openApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import type { Connection } from "../src/redis/connection.ts";
import { createWebhookStore } from "../src/redis/webhooks.ts";
import { withPrivateRedis } from "./support/private-redis.ts";
import {
  type Certificates,
  end,
  startReceiver,
  startWorkerProcess,
  withCertificates,
  workerSettings,
} from "./webhooks/processes.ts";

const perSecond = Number(process.argv[2] ?? 200);
const seconds = Number(process.argv[3] ?? 15);
const rounds = Number(process.argv[4] ?? 3);
const receivers = 100;
const type = "pass.created";
const secret = "correct horse battery staple";
const body = JSON.stringify({ type, data: { text: "x".repeat(600) } });
const thirtyDays = 30 * 24 * 3600;

await withCertificates((files) =>
  withPrivateRedis((connection, url) => compare(connection, url, files), { durability: "everysec" }),
);

async function compare(connection: Connection, redisUrl: string, files: Certificates): Promise<void> {
  const receiver = await startReceiver(files);
  const env = workerSettings(redisUrl, files);
  const app = await openApp(readConfig({ env }), { name: "bench" });
  const webhooks = createWebhookStore(app.store);

  const subscribe = async (path: string): Promise<string> => {
    const tenantId = app.ids.uuid();
    const createdAtMs = Date.now();
    await app.tenants.create(
      { id: tenantId, name: "Bench", status: "active", billingMode: "prepaid", createdAtMs },
      { mode: "prepaid", credits: 0 },
    );
    const of = { id: app.ids.uuid(), tenantId, url: receiver.url + path, isActive: true, createdAtMs };
    const webhook = { ...of, events: [type] as [typeof type], secretPrefix: secret.slice(0, 4) };
    await webhooks.create({ webhook, secret, idempotency: null, response: "{}" });
    return tenantId;
  };
  const good = await Promise.all(Array.from({ length: receivers - 2 }, (_, i) => subscribe(`/good/${i}`)));
  const bad = [await subscribe("/hang"), await subscribe("/fail")];
  const worker = await startWorkerProcess(env);

  /** Fires events at a steady rate; how long each took to those who answer, in ms. */
  const turn = async (tenants: readonly string[]): Promise<number[]> => {
    const { keys } = app.store;
    const count = perSecond * seconds;
    const firedAt = new Map<string, number>();
    const toGood = Array.from({ length: count }, (_, i) => tenants[i % tenants.length]).filter(
      (tenantId) => !bad.includes(tenantId ?? ""),
    ).length;
    const arrived = receiver.expect(toGood);
    const beganAt = performance.now();
    for (let i = 0; i < count; i += 1) {
      const behindMs = beganAt + (i / perSecond) * 1000 - performance.now();
      if (behindMs > 1) await delay(behindMs);
      const tenantId = tenants[i % tenants.length] ?? "";
      const id = app.ids.uuid();
      firedAt.set(id.slice(0, 15), performance.timeOrigin + performance.now());
      await connection
        .pipeline()
        .set(keys.event(tenantId, id), body, "EX", thirtyDays)
        .xadd(keys.outbox(keys.partitionOf(tenantId)), "*", "t", tenantId, "e", id, "y", type)
        .exec();
    }
    await arrived;
    const { distinct, total, firstAtMs } = await receiver.receipts();
    if (distinct !== toGood || total !== toGood)
      throw new Error(`${distinct} of ${toGood} came in ${total} calls`);
    // A delivery's id begins as its event's does.
    return firstAtMs.map(([id, atMs]) => atMs - (firedAt.get(id.slice(0, 15)) ?? Number.NaN));
  };

  const all: Record<"without" | "with", number[][]> = { without: [], with: [] };
  try {
    await turn(good);
    for (let round = 0; round < rounds; round += 1) {
      all.without.push(await turn(good));
      all.with.push(await turn([...good, ...bad]));
    }
  } finally {
    await end(worker);
    await receiver.end();
    await app.close();
  }
  console.log(
    `${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}, one worker, fsync everysec`,
  );
  console.log(
    `${perSecond} events a second for ${seconds} s a turn to ${receivers} webhooks, ${rounds} rounds; every event came exactly once`,
  );
  for (const [name, turns] of Object.entries(all)) {
    const p99s = turns.map((samples) => percentile(samples, 0.99).toFixed(1)).join(", ");
    const whole = turns.flat();
    console.log(
      `${name.padEnd(8)} the two: p50 ${percentile(whole, 0.5).toFixed(1)} ms, p99 ${percentile(whole, 0.99).toFixed(1)} ms (rounds: ${p99s})`,
    );
  }
  const change = percentile(all.with.flat(), 0.99) / percentile(all.without.flat(), 0.99) - 1;
  console.log(`the others' p99 changes by ${(100 * change).toFixed(0)} %`);
}

function percentile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN;
}
