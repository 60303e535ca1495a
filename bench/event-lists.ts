// What the history of events costs: a page of every kind of list, and the bytes that an event takes, at 1,000 and at
// 1,000,000 events of one tenant, two for each pass. «Server» is the time that one list takes inside Redis, «answer»
// what its caller waits. Starts a Redis of its own, the redis-server on the path. Run: node bench/event-lists.ts [events of the large history]

import { cpus } from "node:os";
import type { EventFilter, EventStore } from "../src/domain/events/event.ts";
import { createIds } from "../src/domain/ids.ts";
import type { Connection } from "../src/redis/connection.ts";
import { createEventStore, packEvent } from "../src/redis/events.ts";
import { createKeys } from "../src/redis/keys.ts";
import { defineScripts, withParts } from "../src/redis/scripts.ts";
import { type ListCost, listCost, listHead, listRow } from "./support/list-costs.ts";
import { withPrivateRedis } from "./support/private-redis.ts";

const sizes = [1000, Number(process.argv[2] ?? 1_000_000)];
const rounds = 300;
const startMs = Date.parse("2026-01-01T00:00:00Z");
const spanMs = 300 * 24 * 3_600_000;
const types = ["pass.created", "pass.activated"] as const;
const recordAll = withParts(`-- uses: record-event
for i = 1, #ARGV, 4 do
  record_event(KEYS[1], KEYS[1] .. ':' .. ARGV[i], ARGV[i + 3], ARGV[i], ARGV[i + 1], ARGV[i + 2])
end`);

type History = { tenantId: string; count: number; passId: string };

const middle = { fromMs: startMs + spanMs / 4, toMs: startMs + (spanMs * 3) / 4 };
// biome-ignore format: read as a table
const lists: readonly [name: string, filter: (passId: string) => EventFilter, pageAt: number][] = [
  ["all, first page",                     () => ({}),                                       0],
  ["all, last page",                      () => ({}),                                       1],
  ["of a type, first page",               () => ({ type: "pass.activated" }),               0],
  ["of a type, last page",                () => ({ type: "pass.activated" }),               0.5],
  ["from and to, first page",             () => middle,                                     0],
  ["from and to, last page",              () => middle,                                     0.5],
  ["of a type, from and to, last page",   () => ({ ...middle, type: "pass.activated" }),    0.25],
  ["of a pass",                           (passId) => ({ passId }),                         0],
  ["of a pass, from and to",              (passId) => ({ passId, ...middle }),              0],
  ["of a pass and a type, from and to",   (passId) => ({ passId, type: "pass.created", ...middle }), 0],
];

const keys = createKeys({ prefix: "bench", partitions: 16 });
await withPrivateRedis((connection) =>
  compare(connection, createEventStore({ connection, keys, run: defineScripts(connection) })),
);

async function compare(connection: Connection, events: EventStore): Promise<void> {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`);
  const histories: History[] = [];
  for (const count of sizes) histories.push(await record(connection, count));
  console.log(`and once for each pass, in its hash: ${await bytesOfLink(connection)} bytes\n`);

  console.log(listHead(sizes));
  for (const [name, filter, pageAt] of lists) {
    const costs: ListCost[] = [];
    for (const { tenantId, count, passId } of histories) {
      const page = 1 + Math.max(0, Math.ceil((pageAt * count) / 20) - 1);
      const list = () => events.list(tenantId, filter(passId), { page, pageSize: 20 });
      costs.push(await listCost(connection, rounds, list));
    }
    console.log(listRow(name, costs));
  }
}

/** Two events for each pass, evenly over the span. */
async function record(connection: Connection, count: number): Promise<History> {
  const ids = createIds({ clock: { nowMs: Date.now }, sameHome: () => true });
  const [tenantId, templateId] = [ids.uuid(), ids.uuid()];
  let passId = "";
  let middlePass = "";
  let seconds = 0;
  for (let done = 0; done < count; ) {
    const args: (string | number)[] = [];
    for (const last = Math.min(count, done + 500); done < last; done += 1) {
      const type = types[done % 2] ?? types[0];
      if (done % 2 === 0) passId = ids.uuid();
      if (done === Math.floor(count / 4) * 2) middlePass = passId;
      const at = startMs + Math.floor((done / count) * spanMs);
      const day = keys.eventCounts(tenantId, new Date(at).toISOString().slice(0, 10));
      args.push(type, at, packEvent({ id: ids.uuid(), type, passId, templateId }), day);
    }
    const startedAt = performance.now();
    await connection.eval(recordAll, 1, keys.events(tenantId), ...args);
    seconds += (performance.now() - startedAt) / 1000;
  }
  console.log(
    `${count} events: ${(await bytesOf(connection, tenantId, count)).toFixed(1)} bytes each, ` +
      `recorded in ${((seconds / count) * 1e6).toFixed(1)} µs each`,
  );
  return { tenantId, count, passId: middlePass };
}

/** All keys of the history with what Redis keeps for them, without the day's counters, which do not grow with it. */
async function bytesOf(connection: Connection, tenantId: string, count: number): Promise<number> {
  const history = keys.events(tenantId);
  const numbers = (items: number): number[] => Array.from({ length: Math.ceil(items / 296) }, (_, n) => n);
  const all = [
    history,
    ...numbers(count).map((number) => keys.eventLog(tenantId, number)),
    ...types.flatMap((type) =>
      numbers(count / types.length).map((number) => `${keys.eventsByType(tenantId, type)}:${number}`),
    ),
  ];
  const sizes = await Promise.all(all.map((key) => connection.memory("USAGE", key, "SAMPLES", 0)));
  return sizes.reduce<number>((sum, size) => sum + Number(size), 0) / count;
}

/** What a pass's hash grows by with the position of its latest event. */
async function bytesOfLink(connection: Connection): Promise<number> {
  const key = keys.pass("t", "p");
  const fields = Array.from({ length: 24 }, (_, number) => [`field${number}`, "x".repeat(100)]);
  await connection.hset(key, ...fields.flat());
  const before = await connection.memory("USAGE", key, "SAMPLES", 0);
  await connection.hset(key, "event", 999_999);
  return Number(await connection.memory("USAGE", key, "SAMPLES", 0)) - Number(before);
}
