/**
 * The peer: a BullMQ worker that posts with undici and keeps the same history as ours, a delivery's record with every
 * attempt and the list of a webhook's deliveries, in one round trip. What ours reads for each delivery (address, secret, body,
 * whether the webhook is active) this one has in its job.
 */
import { Worker } from "bullmq";
import { Redis } from "ioredis";
import { Agent } from "undici";
import { signedHeaders } from "./signed-headers.ts";

export type PeerJob = {
  id: string;
  webhook: string;
  event: string;
  type: string;
  url: string;
  secret: string;
  body: string;
};

const [redisUrl = "", ca = "", concurrency = ""] = process.argv.slice(2);
const thirtyDays = 30 * 24 * 3600;
const history = new Redis(redisUrl);
const agent = new Agent({
  connections: Number(concurrency),
  allowH2: false,
  connect: ca === "" ? {} : { ca },
});

async function deliver({ id, webhook, event, type, url, secret, body }: PeerJob, number: number) {
  const startedAtMs = Date.now();
  const headers = signedHeaders({ id, type, body, secret });
  const target = new URL(url);
  const response = await agent.request({
    origin: target.origin,
    path: target.pathname,
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(30_000),
  });
  await response.body.dump({ limit: 64 * 1024 });
  const { statusCode } = response;
  const delivered = statusCode >= 200 && statusCode < 300;
  const nowMs = Date.now();
  const error = delivered ? null : `answered ${statusCode}`;
  const attempt = { number, atMs: startedAtMs, statusCode, durationMs: nowMs - startedAtMs, error };
  await history
    .pipeline()
    .hset(`delivery:${id}`, {
      ...{ webhook, event, type, status: delivered ? "delivered" : "retrying", created_at: startedAtMs },
      [`attempt:${number}`]: JSON.stringify(attempt),
    })
    .expire(`delivery:${id}`, thirtyDays)
    .zadd(`webhook:${webhook}:deliveries`, startedAtMs, id)
    .exec();
  if (!delivered) throw new Error(error ?? "");
}

const worker = new Worker<PeerJob>(
  "deliveries",
  ({ data, attemptsMade }) => deliver(data, attemptsMade + 1),
  {
    connection: { url: redisUrl },
    concurrency: Number(concurrency),
    removeOnComplete: { count: 0 },
  },
);
await worker.waitUntilReady();
process.send?.("ready");
process.on("disconnect", () => process.exit());
