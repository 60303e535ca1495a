// What the history of events costs: a page of every kind of list, and the bytes that an event takes, at 1,000 and at
// 1,000,000 events of one tenant, two for each pass. «Server» is the time that one list takes inside Redis, «answer»
// what its caller waits. Starts a Redis of its own, the redis-server on the path. Run: node bench/event-lists.ts [events of the large history]

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import type { EventFilter, EventStore } from "../src/domain/events/event.ts";
import { createIds } from "../src/domain/ids.ts";
import { openConnection, whenReady } from "../src/redis/connection.ts";
import { createEventStore, packEvent } from "../src/redis/events.ts";
import { createKeys } from "../src/redis/keys.ts";
import { defineScripts, withParts } from "../src/redis/scripts.ts";
import { freePort } from "../src/up/free-port.ts";

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
type Cost = { serverUs: number; answerMs: number };

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

const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
const port = await freePort();
const settings = { port, bind: "127.0.0.1", dir, save: "", appendonly: "no" };
const redis = spawn(
  "redis-server",
  Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
  { stdio: "ignore" },
);
const connection = openConnection(`redis://127.0.0.1:${port}`, { name: "bench" });
const keys = createKeys({ prefix: "bench", partitions: 16 });
try {
  await whenReady(connection, 5000);
  await compare(createEventStore({ connection, keys, run: defineScripts(connection) }));
} finally {
  connection.disconnect();
  const ended = new Promise((resolve) => redis.once("exit", resolve));
  redis.kill("SIGKILL");
  await ended;
  rmSync(dir, { recursive: true, force: true });
}

async function compare(events: EventStore): Promise<void> {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`);
  const histories: History[] = [];
  for (const count of sizes) histories.push(await record(count));
  console.log(`and once for each pass, in its hash: ${await bytesOfLink()} bytes\n`);

  console.log(`${" ".repeat(38)}${`server, µs (${sizes.join(", ")}, ratio)`.padEnd(44)}answer, ms`);
  for (const [name, filter, pageAt] of lists) {
    const costs: Cost[] = [];
    for (const history of histories) {
      const page = 1 + Math.max(0, Math.ceil((pageAt * history.count) / 20) - 1);
      costs.push(await cost(events, history, filter(history.passId), page));
    }
    const server = costs.map(({ serverUs }) => serverUs);
    const answer = costs.map(({ answerMs }) => answerMs);
    console.log(`${name.padEnd(38)}${row(server, 0).padEnd(44)}${row(answer, 2)}`);
  }
}

/** Numbers of the small and the large history, and how much larger the second is. */
function row(numbers: readonly number[], digits: number): string {
  const ratio = (numbers[1] ?? 0) / (numbers[0] ?? 1);
  return [...numbers.map((number) => number.toFixed(digits)), ratio.toFixed(2)]
    .map((text) => text.padStart(8))
    .join("");
}

/** Two events for each pass, evenly over the span. */
async function record(count: number): Promise<History> {
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
    `${count} events: ${(await bytesOf(tenantId, count)).toFixed(1)} bytes each, ` +
      `recorded in ${((seconds / count) * 1e6).toFixed(1)} µs each`,
  );
  return { tenantId, count, passId: middlePass };
}

/** All keys of the history with what Redis keeps for them, without the day's counters, which do not grow with it. */
async function bytesOf(tenantId: string, count: number): Promise<number> {
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
async function bytesOfLink(): Promise<number> {
  const key = keys.pass("t", "p");
  const fields = Array.from({ length: 24 }, (_, number) => [`field${number}`, "x".repeat(100)]);
  await connection.hset(key, ...fields.flat());
  const before = await connection.memory("USAGE", key, "SAMPLES", 0);
  await connection.hset(key, "event", 999_999);
  return Number(await connection.memory("USAGE", key, "SAMPLES", 0)) - Number(before);
}

/** The medians of the time that a list takes inside Redis, and of what its caller waits. */
async function cost(events: EventStore, history: History, filter: EventFilter, page: number): Promise<Cost> {
  const list = () => events.list(history.tenantId, filter, { page, pageSize: 20 });
  const { items } = await list();
  if (items.length === 0)
    throw new Error(`nothing on page ${page} of ${history.count} by ${JSON.stringify(filter)}`);
  const inside: number[] = [];
  const waits: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await connection.config("RESETSTAT");
    const startedAt = performance.now();
    await list();
    waits.push(performance.now() - startedAt);
    const stats = await connection.info("commandstats");
    inside.push(Number(/^cmdstat_evalsha:calls=\d+,usec=(\d+)/m.exec(stats)?.[1]));
  }
  return { serverUs: median(inside), answerMs: median(waits) };
}

function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? 0;
}
