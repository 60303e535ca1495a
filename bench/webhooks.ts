/**
 * Deliveries a second, end to end, by one worker process: so many events wait, and it takes until the receiver has the last
 * of their deliveries. (What writes the events stands still meanwhile, and the worker does while it writes: it is the
 * same for all and would blur the difference.) Ours (fan-out, claim, both signatures, attempt and history in Redis) beside a BullMQ worker that posts with
 * undici and keeps the same history, and beside undici alone, in turn, against the same HTTPS receiver in a process of its
 * own and on the same Redis. After each turn every delivery must have come exactly once.
 * Run it with `node bench/webhooks.ts [deliveries [rounds [off | everysec | always]]]` after a build: 10000, 5 and everysec when absent.
 */
import { randomUUID } from "node:crypto";
import { cpus } from "node:os";
import { Queue } from "bullmq";
import { openApp } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import type { Connection } from "../src/redis/connection.ts";
import { createWebhookStore } from "../src/redis/webhooks.ts";
import { type Durability, withPrivateRedis } from "./support/private-redis.ts";
import type { PeerJob } from "./webhooks/bullmq-sender.ts";
import {
  type Certificates,
  cpuMs,
  end,
  start,
  startReceiver,
  startWorkerProcess,
  withCertificates,
  workerSettings,
} from "./webhooks/processes.ts";

const count = Number(process.argv[2] ?? 10_000);
const rounds = Number(process.argv[3] ?? 5);
const durability = (process.argv[4] ?? "everysec") as Durability;
/** Webhooks, each of a tenant of its own. */
const webhookCount = 10;
/** What BullMQ and bare undici are given at a time. */
const peerConcurrency = "100";
const secret = "correct horse battery staple";
const type = "pass.created";
const resource = {
  ...{ id: randomUUID(), status: "pending", version: 1, template_id: randomUUID(), intent: "loyalty_card" },
  external_ref: "member-4711",
  data: { member: "Grace Hopper", points: "1200", tier: "Gold", since: "2019-04-01" },
  providers: {
    apple: { status: "queued", updated_at: "2026-11-21T06:43:46.625Z" },
    google: { status: "queued", updated_at: "2026-11-21T06:43:46.625Z" },
  },
  page_url: "https://passes.example.com/p/AbCdEfGhIjKlMnOpQrStUv",
  ...{ created_at: "2026-11-21T06:43:46.625Z", updated_at: "2026-11-21T06:43:46.625Z" },
};
const bodyOf = (id: string, tenantId: string): string =>
  JSON.stringify({ id, type, created_at: "2026-11-21T06:43:46.625Z", tenant_id: tenantId, data: resource });

type Contender = {
  name: string;
  pid: number;
  turn(begin: () => Promise<void>): Promise<number>;
  end(): Promise<void>;
};

await withCertificates((files) =>
  withPrivateRedis((connection, url) => compare(connection, url, files), { durability }),
);

async function compare(connection: Connection, redisUrl: string, files: Certificates): Promise<void> {
  const receiver = await startReceiver(files);
  const contenders = [
    await ours(connection, redisUrl, files, receiver.url),
    await bullmq(connection, redisUrl, files, receiver.url),
    await bareUndici(files, receiver.url),
  ];
  const rates = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const costs = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  const redisCpuMs = async () => {
    const [, sys, user] =
      /used_cpu_sys:([\d.]+)\s+used_cpu_user:([\d.]+)/.exec(await connection.info("cpu")) ?? [];
    return 1000 * (Number(sys) + Number(user));
  };
  const storeCosts = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  try {
    // One turn that does not count, for compilers and connections.
    for (let round = 0; round <= rounds; round += 1) {
      for (const { name, pid, turn } of contenders) {
        let [cpuBefore, redisBefore, beganAtMs] = [0, 0, 0];
        const arrival = receiver.expect(count);
        const checked = turn(async () => {
          await onDisk(connection);
          [cpuBefore, redisBefore] = [cpuMs(pid), await redisCpuMs()];
          beganAtMs = performance.timeOrigin + performance.now();
        });
        const perSecond = (count / ((await arrival) - beganAtMs)) * 1000;
        // History is complete some moments after the last arrival.
        const written = await checked;
        const { distinct, total } = await receiver.receipts();
        if (distinct !== count || total !== count || written !== count) {
          throw new Error(`${name}: ${distinct} deliveries arrived in ${total} calls, ${written} in history`);
        }
        if (round === 0) continue;
        rates.get(name)?.push(perSecond);
        costs.get(name)?.push(((cpuMs(pid) - cpuBefore) / count) * 1000);
        storeCosts.get(name)?.push((((await redisCpuMs()) - redisBefore) / count) * 1000);
      }
    }
  } finally {
    for (const contender of contenders) await contender.end();
    await receiver.end();
  }

  console.log(
    `${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}, append-only file ${durability}`,
  );
  console.log(
    `${count} deliveries of ${bodyOf(randomUUID(), randomUUID()).length} bytes to ${webhookCount} webhooks a turn, ${rounds} rounds; every delivery came exactly once`,
  );
  for (const [name, samples] of rates) console.log(`${name.padEnd(28)} ${figures(samples, 0)} deliveries/s`);
  for (const [name, samples] of costs) {
    const inStore = figures(storeCosts.get(name) ?? [], 0);
    console.log(`${name.padEnd(28)} ${figures(samples, 0)} µs of CPU a delivery, ${inStore} in Redis`);
  }
  const [own = [], peer = [], bare = []] = [...rates.values()];
  const ratios = (to: number[]): number[] => own.map((rate, round) => rate / (to[round] ?? 1));
  console.log(`ours to BullMQ and undici    ${figures(ratios(peer), 2)}`);
  console.log(`ours to bare undici          ${figures(ratios(bare), 2)}`);
}

/** What was written is on the disk: that is not the work of whoever reads it. The server does so once a second. */
async function onDisk(connection: Connection): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 1200));
  while (!/aof_pending_bio_fsync:0|aof_enabled:0/.test(await connection.info("persistence"))) {
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** `passwright worker`; events are written as the scripts of accepted work write them. */
async function ours(
  connection: Connection,
  redisUrl: string,
  files: Certificates,
  receiverUrl: string,
): Promise<Contender> {
  const env = workerSettings(redisUrl, files);
  const app = await openApp(readConfig({ env }), { name: "bench" });
  const { keys } = app.store;
  const webhooks = createWebhookStore(app.store);
  const owners = await Promise.all(
    Array.from({ length: webhookCount }, async () => {
      const tenant = {
        id: app.ids.uuid(),
        name: "Bench",
        status: "active",
        billingMode: "prepaid",
        createdAtMs: Date.now(),
      } as const;
      await app.tenants.create(tenant, { mode: "prepaid", credits: 0 });
      const webhook = {
        ...{ id: app.ids.uuid(), tenantId: tenant.id, url: `${receiverUrl}/hooks`, events: [type] },
        ...{ isActive: true, secretPrefix: secret.slice(0, 4), createdAtMs: Date.now() },
      } as const;
      await webhooks.create({
        webhook: { ...webhook, events: [type] },
        secret,
        idempotency: null,
        response: "{}",
      });
      return webhook;
    }),
  );
  const worker = await startWorkerProcess(env);
  let delivered = 0;
  return {
    name: "passwright worker",
    pid: worker.pid ?? 0,
    async turn(begin) {
      worker.kill("SIGSTOP");
      for (let i = 0; i < count; i += 200) {
        const pipeline = connection.pipeline();
        for (const { tenantId } of eachOf(owners, i, Math.min(count, i + 200))) {
          const id = app.ids.uuid();
          pipeline.set(keys.event(tenantId, id), bodyOf(id, tenantId), "EX", 30 * 24 * 3600);
          pipeline.xadd(keys.outbox(keys.partitionOf(tenantId)), "*", "t", tenantId, "e", id, "y", type);
        }
        await pipeline.exec();
      }
      await begin();
      worker.kill("SIGCONT");
      const before = delivered;
      for (;;) {
        const ids = await Promise.all(
          owners.map(({ tenantId, id }) => connection.zcard(keys.deliveries(tenantId, id))),
        );
        const busy = await Promise.all(
          keys.allPartitions.map((one) => connection.xlen(keys.queue(one, "webhooks"))),
        );
        delivered = ids.reduce((sum, each) => sum + each, 0);
        if (delivered - before === count && busy.every((length) => length === 0)) return delivered - before;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    async end() {
      await end(worker);
      await app.close();
    },
  };
}

async function bullmq(
  connection: Connection,
  redisUrl: string,
  files: Certificates,
  receiverUrl: string,
): Promise<Contender> {
  const [worker] = await start("bullmq-sender.ts", [redisUrl, files.ca, peerConcurrency]);
  const queue = new Queue<PeerJob>("deliveries", { connection: { url: redisUrl } });
  const owners = Array.from({ length: webhookCount }, () => ({ tenantId: randomUUID(), id: randomUUID() }));
  let delivered = 0;
  return {
    name: "BullMQ and undici",
    pid: worker.pid ?? 0,
    async turn(begin) {
      worker.kill("SIGSTOP");
      for (let i = 0; i < count; i += 200) {
        await queue.addBulk(
          eachOf(owners, i, Math.min(count, i + 200)).map(({ tenantId, id: webhook }) => {
            const event = randomUUID();
            const rest = { url: `${receiverUrl}/hooks`, secret, body: bodyOf(event, tenantId) };
            return {
              name: "deliver",
              data: { id: randomUUID(), webhook, event, type, ...rest },
              opts: { attempts: 5 },
            };
          }),
        );
      }
      await begin();
      worker.kill("SIGCONT");
      const before = delivered;
      for (;;) {
        const ids = await Promise.all(owners.map(({ id }) => connection.zcard(`webhook:${id}:deliveries`)));
        delivered = ids.reduce((sum, each) => sum + each, 0);
        if (delivered - before === count && (await queue.getActiveCount()) === 0) return delivered - before;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    async end() {
      await end(worker);
      await queue.close();
    },
  };
}

async function bareUndici(files: Certificates, receiverUrl: string): Promise<Contender> {
  const [sender] = await start("bare-sender.ts", [files.ca, peerConcurrency]);
  return {
    name: "undici alone",
    pid: sender.pid ?? 0,
    async turn(begin) {
      const ids = Array.from({ length: count }, () => randomUUID());
      await begin();
      sender.send({ url: `${receiverUrl}/hooks`, ids, body: bodyOf(randomUUID(), randomUUID()) });
      return count;
    },
    end: () => end(sender),
  };
}

/** Those of `all` that come in turn from one index to another. */
function eachOf<One>(all: readonly One[], from: number, to: number): One[] {
  return Array.from({ length: to - from }, (_, index) => all[(from + index) % all.length] as One);
}

function figures(samples: readonly number[], digits: number): string {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (index: number): string => (sorted[index] ?? 0).toFixed(digits);
  const median = at(Math.floor(sorted.length / 2));
  return `${median.padStart(8)}  (${at(0)} to ${at(sorted.length - 1)})`;
}
