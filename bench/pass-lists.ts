// What a store of many passes costs: the bytes that a pass takes in Redis with its job and its history, and a page of every
// kind of list, at 1,000 and at 1,000,000 passes of one tenant in both wallets. Passes are accepted, worked on and settled
// by the scripts that do so in production; only the wallets' answers are made up, with links of their true length. «Server»
// is the time that one list takes inside Redis, «answer» what its caller waits. Starts a Redis of its own, the redis-server
// on the path. Run: node bench/pass-lists.ts [passes of the large tenant]

import { createHash, randomBytes } from "node:crypto";
import { cpus } from "node:os";
import { createIds } from "../src/domain/ids.ts";
import type { Task } from "../src/domain/jobs/work.ts";
import { type Pass, type PassFilter, type PassOutcome, passStatuses } from "../src/domain/passes/pass.ts";
import type { Connection } from "../src/redis/connection.ts";
import { createKeys } from "../src/redis/keys.ts";
import { createPassWork } from "../src/redis/pass-work.ts";
import { createPassStore } from "../src/redis/passes.ts";
import { defineScripts } from "../src/redis/scripts.ts";
import { createWorkQueue } from "../src/redis/work-queue.ts";
import { type ListCost, listCost, listHead, listRow } from "./support/list-costs.ts";
import { withPrivateRedis } from "./support/private-redis.ts";

const sizes = [1000, Number(process.argv[2] ?? 1_000_000)];
const rounds = 200;
const atOnce = 250;
const pageSize = 20;
const deepPage = 10_000;
const baseUrl = "https://passes.example.com";

/** Of each twenty passes one ends in each of these; the others are active. */
const otherEnds = ["failed", "partial", "revoked", "revoking", "updating", "pending"] as const;
type End = (typeof otherEnds)[number] | "active";

const keys = createKeys({ prefix: "pw", partitions: 16 });
const ids = createIds({
  clock: { nowMs: Date.now },
  sameHome: (a, b) => keys.partitionOf(a) === keys.partitionOf(b),
});

await withPrivateRedis(async (connection) => {
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`);
  const tenants: Tenant[] = [];
  for (const count of sizes) {
    const tenant = await openTenant(connection, count);
    await tenant.fill();
    await tenant.scatter();
    tenants.push(tenant);
  }
  console.log(`\n${listHead(sizes)}`);
  const all: [string, PassFilter][] = passStatuses.map((status) => [`status ${status}`, { status }]);
  for (const [name, filter] of [["all", {}] as [string, PassFilter], ...all]) {
    console.log(listRow(`${name}, first page`, await costs(connection, tenants, filter, () => 1)));
    console.log(listRow(`${name}, last page`, await costs(connection, tenants, filter, lastPage)));
  }
  const page = (count: number): number => Math.min(deepPage, lastPage(count));
  console.log(listRow(`all, page ${deepPage} (or last)`, await costs(connection, tenants, {}, page)));
  const one = { externalRef: "customer-7" };
  console.log(listRow("external_ref", await costs(connection, tenants, one, () => 1)));
  const both = { ...one, status: "active" } as const;
  console.log(listRow("external_ref and status", await costs(connection, tenants, both, () => 1)));
});

type Tenant = Awaited<ReturnType<typeof openTenant>>;

/** The last full one. */
function lastPage(count: number): number {
  return Math.max(1, Math.floor(count / pageSize));
}

async function costs(
  connection: Connection,
  tenants: readonly Tenant[],
  filter: PassFilter,
  pageOf: (total: number) => number,
): Promise<ListCost[]> {
  const found: ListCost[] = [];
  for (const { passes, tenantId } of tenants) {
    const { total } = await passes.list(tenantId, filter, { page: 1, pageSize });
    const list = () => passes.list(tenantId, filter, { page: pageOf(total), pageSize });
    found.push(await listCost(connection, rounds, list));
  }
  return found;
}

async function openTenant(connection: Connection, count: number) {
  const vault = { encrypt: String, decrypt: String } as never;
  const parts = { connection, keys, run: defineScripts(connection), vault };
  const clock = { nowMs: Date.now };
  const passes = createPassStore(parts);
  const work = createPassWork(parts, clock);
  const queue = createWorkQueue(parts, { consumer: "bench", leaseMs: 3_600_000, ...clock });
  await queue.ensureGroups();
  const [tenantId, templateId] = [ids.uuid(), ids.uuid()];
  await connection.hset(keys.credits(tenantId), "mode", "prepaid", "balance", count);
  const used = async (): Promise<number> =>
    Number(/^used_memory:(\d+)/m.exec(await connection.info("memory"))?.[1]);

  /** Carries out all that waits, with the outcome that `decide` says; null leaves it in hand. */
  async function settleAll(decide: (task: Task) => PassOutcome | null): Promise<void> {
    for (;;) {
      const tasks = await queue.claim([keys.partitionOf(tenantId)], 2 * atOnce);
      if (tasks.length === 0) return;
      await Promise.all(
        tasks.map(async (task) => {
          const outcome = decide(task);
          const revision = Number(task.record.revision);
          if (outcome !== null) await work.settle(task, revision, outcome, { id: ids.uuid() });
        }),
      );
    }
  }

  return {
    passes,
    tenantId,

    /** All passes, each active in both wallets. */
    async fill(): Promise<void> {
      const before = await used();
      const startedAt = performance.now();
      for (let done = 0; done < count; done += atOnce) {
        const numbers = Array.from({ length: Math.min(atOnce, count - done) }, (_, index) => done + index);
        await Promise.all(numbers.map((number) => accept(newPass(tenantId, templateId, number))));
        await settleAll(completed);
      }
      const seconds = (performance.now() - startedAt) / 1000;
      const bytes = ((await used()) - before) / count;
      console.log(
        `${count} passes: ${bytes.toFixed(0)} bytes each with job, history and indexes, ${(count / seconds).toFixed(0)} a second`,
      );
    },

    /** Brings some of them into every other state, so that each filter finds as large a part whatever the size. */
    async scatter(): Promise<void> {
      for (let done = 0; done < count; done += 20 * atOnce) {
        const ends = new Map<string, End>();
        const changes: Promise<void>[] = [];
        for (let number = done; number < Math.min(count, done + 20 * atOnce); number += 1) {
          const end = otherEnds[number % 20];
          if (end !== undefined) changes.push(bringTo(end, `customer-${number}`, ends));
        }
        await Promise.all(changes);
        await settleAll((task) => outcomeOf(task, ends.get(task.record.resource_id ?? "") ?? "active"));
      }
    },
  };

  async function accept(pass: Pass): Promise<void> {
    const { outcome } = await passes.create({
      pass,
      fingerprint: createHash("sha256").update(pass.id).digest("base64url").slice(0, 22),
      ...operation(),
      event: { id: ids.uuid(), webhookBody: "" },
      reservedBy: null,
    });
    if (outcome !== "created") throw new Error(`a pass was not created: ${outcome}`);
  }

  async function bringTo(end: Exclude<End, "active">, externalRef: string, ends: Map<string, End>) {
    if (end === "pending") {
      const fresh = newPass(tenantId, templateId, Number(externalRef.slice(9)) + count);
      await connection.hincrby(keys.credits(tenantId), "balance", 1);
      ends.set(fresh.id, end);
      return accept(fresh);
    }
    const before = await passes.findByExternalRef(tenantId, externalRef);
    if (before === null) throw new Error(`there is no pass ${externalRef}`);
    ends.set(before.id, end);
    const kind = end === "revoked" || end === "revoking" ? ("revoke" as const) : ("update" as const);
    const jobId = ids.uuid();
    const newer = { version: before.version + 1, versionJobId: jobId, versionAtMs: Date.now() };
    const after: Pass = {
      ...before,
      ...(kind === "update" && newer),
      jobId,
      revision: before.revision + 1,
      updatedAtMs: Date.now(),
      status: kind === "update" ? "updating" : "revoking",
    };
    const type = kind === "update" ? ("pass.updated" as const) : ("pass.revoked" as const);
    const event = { id: ids.uuid(), type, webhookBody: "" };
    const { outcome } = await passes.change({ kind, before, after, ...operation(), event });
    if (outcome !== "accepted") throw new Error(`a change was not accepted: ${outcome}`);
  }
}

function operation() {
  const traceId = randomBytes(16).toString("hex");
  return { workClass: "interactive" as const, traceId, idempotency: null, response: "" };
}

function outcomeOf(task: Task, end: End): PassOutcome | null {
  if (end === "pending" || end === "updating" || end === "revoking") return null;
  if (end === "revoked") return { outcome: "revoked", saveLink: "" };
  const fails = end === "failed" || (end === "partial" && task.lane === "google");
  const failure = { code: "provider_rejected", description: "Google refused the object: invalid resource." };
  return fails ? { outcome: "failed", failure, bury: false } : completed(task);
}

function completed(task: Task): PassOutcome {
  return { outcome: "completed", saveLink: task.lane === "apple" ? appleLink() : googleLink() };
}

function newPass(tenantId: string, templateId: string, number: number): Pass {
  const nowMs = Date.now();
  const jobId = ids.uuid();
  const entry = { status: "queued", saveLink: null, error: null, updatedAtMs: nowMs } as const;
  return {
    id: ids.uuid(),
    tenantId,
    templateId,
    templateVersion: 1,
    intent: "loyalty_card",
    externalRef: `customer-${number}`,
    data: { member: `Member Number ${number}`, points: String(number % 5000), tier: "Gold" },
    status: "pending",
    version: 1,
    versionJobId: jobId,
    versionAtMs: nowMs,
    revision: 1,
    message: null,
    providers: { apple: entry, google: entry },
    jobId,
    pageToken: ids.pageToken(tenantId),
    authenticationToken: ids.secret(),
    change: 0,
    modifiedAtMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}

function appleLink(): string {
  return `/p/${randomBytes(17).toString("base64url")}/pass.pkpass`;
}

/** As long as a real one: header, claims, and the signature of an RSA key of 2048 bits. */
function googleLink(): string {
  const claims = {
    iss: "wallet-passes@acme-coffee-passes.iam.gserviceaccount.com",
    aud: "google",
    typ: "savetowallet",
    iat: Math.floor(Date.now() / 1000),
    origins: [baseUrl],
    payload: { loyaltyObjects: [{ id: `3388000000012345678.${ids.uuid()}` }] },
  };
  const encoded = [{ alg: "RS256", typ: "JWT" }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  return `https://pay.google.com/gp/v/save/${encoded.join(".")}.${randomBytes(256).toString("base64url")}`;
}
