// What a refresh of each tab of `passwright dashboard` takes inside Redis, with 10,000 tenants, and with 1,000,000 jobs that
// wait and 100,000 dead letters beside none. What scripts call counts twice, as commands and as the script's, so the figures
// are rather too high; `INFO`, with which this is measured, is left out. Starts a Redis of its own. Run: node bench/dashboard.ts

import { openApp, openLooks } from "../src/app.ts";
import { readConfig } from "../src/config.ts";
import { mostRows, type Place, type ReadPage, tabs } from "../src/tui/page.ts";
import { createPages } from "../src/tui/read-page.ts";
import { withPrivateRedis } from "./support/private-redis.ts";

const tenantCount = 10_000;
/** Each tenth tenant has so many of both. */
const jobsOfOne = 1000;
const lettersOfOne = 100;
const rounds = 20;

type App = Awaited<ReturnType<typeof openApp>>;

/** Work that waits, with the records of the first, and dead letters of 30 reasons with their records. */
const fill = `
local waiting, letters, tag, tenant = KEYS[1], KEYS[2], ARGV[1], ARGV[2]
for i = 1, ${jobsOfOne} do
  local id = tenant .. ':job:' .. i
  redis.call('ZADD', waiting, i, id .. ' apple')
  if i <= 100 then redis.call('HSET', tag .. ':' .. id, 'apple:entry', '@1796000000000', 'apple:state', 'queued') end
end
for i = 1, ${lettersOfOne} do
  local id, reason = tenant .. ':delivery:' .. i, 'http_' .. (500 + i % 30)
  local entry = redis.call('XADD', letters, '*', 'r', id, 'l', 'send', 'reason', reason, 'c', 'webhooks')
  redis.call('HSET', tag .. ':' .. id, 'webhook', 'w', 'event', 'e', 'type', 'pass.created', 'send:attempts', 5, 'send:dead', entry)
  redis.call('HINCRBY', letters .. ':reasons', reason, 1)
end`;

await withPrivateRedis(async (_connection, url) => {
  const config = readConfig({
    env: {
      PASSWRIGHT_REDIS_URL: url,
      PASSWRIGHT_MASTER_KEY: Buffer.alloc(32).toString("base64"),
      PASSWRIGHT_LOG_LEVEL: "silent",
    },
  });
  const app = await openApp(config, { name: "bench" });
  const looks = await openLooks(app);
  const read = createPages({ ...app, ...looks, leaseMs: 15_000, nowMs: () => app.clock.nowMs() });
  const ids = await createTenants(app);
  const without = await costs(app, read);
  for (const id of ids.filter((_, index) => index % 10 === 0)) await fillFor(app, id);
  const full = await costs(app, read);
  console.log("ms inside Redis, median   empty    full");
  for (const [name, ms] of full) console.log(`${name.padEnd(24)}${figure(without.get(name))}${figure(ms)}`);
  await app.close();
});

async function createTenants({ ids, store }: App): Promise<string[]> {
  const { connection, keys } = store;
  const made: string[] = [];
  for (let index = 0; index < tenantCount; index += 1) {
    const id = ids.uuid();
    const record = {
      id,
      name: `Tenant ${index}`,
      status: "active",
      billing_mode: "prepaid",
      created_at: index,
    };
    await Promise.all([
      connection.zadd(keys.tenants(keys.partitionOf(id)), index, id),
      connection.hset(keys.tenant(id), record),
      connection.hset(keys.credits(id), "mode", "prepaid", "balance", 7),
      connection.zadd(keys.webhooks(id), 1, `w${index}`),
      connection.hset(keys.webhook(id, `w${index}`), "url", "https://hooks.example.com", "is_active", "1"),
    ]);
    made.push(id);
  }
  return made;
}

async function fillFor({ store: { connection, keys } }: App, id: string): Promise<void> {
  const partition = keys.partitionOf(id);
  const of = [keys.ready(partition, "interactive"), keys.deadLetters(partition)] as const;
  await connection.eval(fill, 2, ...of, keys.partition(partition), id);
}

async function costs({ store: { connection } }: App, read: ReadPage): Promise<Map<string, number>> {
  const medians = new Map<string, number>();
  const first = { path: [], scope: null, choice: null, stretch: 0 };
  const places = new Map<string, Place>(tabs.map((tab) => [tab, { ...first, tab }]));
  places.set("tenants, the oldest", { ...first, tab: "tenants", stretch: tenantCount / mostRows - 1 });
  for (const [name, place] of places) {
    const samples: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await connection.config("RESETSTAT");
      await read(place);
      const stats = await connection.info("commandstats");
      const own = /^cmdstat_(?!info|config)[^:]+:calls=\d+,usec=(\d+)/gm;
      samples.push([...stats.matchAll(own)].reduce((sum, [, usec]) => sum + Number(usec), 0) / 1000);
    }
    medians.set(name, samples.toSorted((a, b) => a - b)[rounds / 2] ?? Number.NaN);
  }
  return medians;
}

function figure(ms: number | undefined): string {
  return (ms ?? Number.NaN).toFixed(1).padStart(8);
}
