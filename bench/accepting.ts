// What accepting a pass takes inside Redis, of this tree and of others beside it: the time of `create-pass` a pass, which is
// the clock's and suffers from whatever else runs, and the CPU of Redis, which does so less. All are accepted by the same
// Redis, each tree's for a tenant of its own, in rounds that alternate; the ratios are medians of those of each round.
// Run: node bench/accepting.ts [FOLDER OF ANOTHER TREE]…

import { createHash, randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Pass } from "../src/domain/passes/pass.ts";
import { type Connection, openConnection, whenReady } from "../src/redis/connection.ts";
import { withPrivateRedis } from "./support/private-redis.ts";

const rounds = 40;
const warmUpRounds = 5;
const passesInRound = 1000;
const atOnce = 50;
const own = resolve(import.meta.dirname, "..");
const trees = [own, ...process.argv.slice(2).map((folder) => resolve(folder))];

/** Of one pass, over a round: microseconds in the script, of CPU of all of Redis, and commands that the script ran. */
type Cost = { us: number; cpuUs: number; commands: number };

await withPrivateRedis(async (_connection, url) => {
  // A connection for each, since it is to connections that scripts are made known.
  const connections = trees.map(() => openConnection(url, { name: "bench", blocking: true }));
  for (const connection of connections) await whenReady(connection, 5000);
  const sides = await Promise.all(
    trees.map((tree, index) => openSide(tree, connections[index] as Connection)),
  );
  const costs = sides.map((): Cost[] => []);
  for (let round = 0; round < rounds; round += 1) {
    // Whoever is second finds the machine as the first has left it.
    const turns = [...sides.entries()];
    for (const [index, side] of round % 2 === 0 ? turns : turns.reverse()) {
      costs[index]?.push(await side.round(round));
    }
  }
  console.log("   script   Redis, CPU   commands   this tree takes");
  for (const [index, tree] of trees.entries()) {
    const of = (fact: keyof Cost): number => median(counted(costs[index]).map((cost) => cost[fact]));
    const ratioOf = (fact: keyof Cost): string => {
      const own = counted(costs[0]).map((cost) => cost[fact]);
      const ratios = counted(costs[index]).map((cost, round) => (own[round] ?? Number.NaN) / cost[fact]);
      return median(ratios).toFixed(3);
    };
    const figures = `${of("us").toFixed(1).padStart(6)} µs${of("cpuUs").toFixed(1).padStart(10)} µs${of("commands").toFixed(1).padStart(11)}`;
    console.log(`${figures}   ${ratioOf("us")}, ${ratioOf("cpuUs")} times as long  ${tree}`);
  }
  for (const connection of connections) connection.disconnect();
});

function counted(costs: readonly Cost[] = []): readonly Cost[] {
  return costs.slice(warmUpRounds);
}

type Side = { round(number: number): Promise<Cost> };

async function openSide(tree: string, connection: Connection): Promise<Side> {
  const module = (name: string) => import(pathToFileURL(join(tree, "src", name)).href);
  const { createKeys } = await module("redis/keys.ts");
  const { defineScripts } = await module("redis/scripts.ts");
  const { createPassStore } = await module("redis/passes.ts");
  const { createIds } = await module("domain/ids.ts");
  const keys = createKeys({ prefix: "pw", partitions: 16 });
  const ids = createIds({
    clock: { nowMs: Date.now },
    sameHome: (a: string, b: string) => keys.partitionOf(a) === keys.partitionOf(b),
  });
  const passes = createPassStore({ connection, keys, run: defineScripts(connection) });
  const [tenantId, templateId] = [ids.uuid(), ids.uuid()];
  await connection.hset(keys.credits(tenantId), "mode", "prepaid", "balance", 1e9);

  async function accept(number: number): Promise<void> {
    const nowMs = Date.now();
    const jobId = ids.uuid();
    const entry = { status: "queued", saveLink: null, error: null, updatedAtMs: nowMs } as const;
    const pass: Pass = {
      ...{ id: ids.uuid(), tenantId, templateId, templateVersion: 1, intent: "loyalty_card" },
      ...{ externalRef: `customer-${number}`, status: "pending", version: 1, revision: 1, message: null },
      data: { member: `Member Number ${number}`, points: String(number % 5000), tier: "Gold" },
      ...{
        versionJobId: jobId,
        versionAtMs: nowMs,
        jobId,
        change: 0,
        modifiedAtMs: nowMs,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      },
      providers: { apple: entry, google: entry },
      ...{ pageToken: ids.pageToken(tenantId), authenticationToken: ids.secret() },
    };
    const { outcome } = await passes.create({
      pass,
      fingerprint: createHash("sha256").update(pass.id).digest("base64url").slice(0, 22),
      ...{ workClass: "interactive", traceId: randomBytes(16).toString("hex") },
      // With an Idempotency-Key, as nearly all callers do.
      idempotency: { scope: randomBytes(32).toString("hex"), fingerprint: randomBytes(32).toString("hex") },
      ...{ response: "x".repeat(900), event: { id: ids.uuid(), webhookBody: "" }, reservedBy: null },
    });
    if (outcome !== "created") throw new Error(`a pass was not created: ${outcome}`);
  }

  return {
    async round(number) {
      await connection.config("RESETSTAT");
      const cpuBefore = await cpuUsOf(connection);
      for (let done = 0; done < passesInRound; done += atOnce) {
        const first = number * passesInRound + done;
        await Promise.all(Array.from({ length: atOnce }, (_, index) => accept(first + index)));
      }
      const stats = await connection.info("commandstats");
      const cpuUs = (await cpuUsOf(connection)) - cpuBefore;
      const [, usec] = /^cmdstat_evalsha:calls=\d+,usec=(\d+)/m.exec(stats) ?? [];
      const commands = [...stats.matchAll(/^cmdstat_(?!evalsha|config|info)[^:]+:calls=(\d+)/gm)];
      const ran = commands.reduce((sum, [, count]) => sum + Number(count), 0);
      return {
        us: Number(usec) / passesInRound,
        cpuUs: cpuUs / passesInRound,
        commands: ran / passesInRound,
      };
    },
  };
}

async function cpuUsOf(connection: Connection): Promise<number> {
  const info = await connection.info("cpu");
  const seconds = [...info.matchAll(/^used_cpu_(?:user|sys)_main_thread:([\d.]+)/gm)];
  return seconds.reduce((sum, [, each]) => sum + Number(each), 0) * 1e6;
}

function median(samples: readonly number[]): number {
  return samples.toSorted((a, b) => a - b)[Math.floor(samples.length / 2)] ?? Number.NaN;
}
