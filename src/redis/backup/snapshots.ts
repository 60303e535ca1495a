import type { ChainableCommander } from "ioredis";
import type { DataRecord, KeyRecord, SharedWork } from "../../domain/backups/record.ts";
import type { Section, Snapshots } from "../../domain/backups/snapshots.ts";
import { type WorkClass, workClasses } from "../../domain/jobs/work.ts";
import { noSuchTenant } from "../../domain/tenants/find.ts";
import { asUnavailable } from "../connection.ts";
import type { StoreParts } from "../store.ts";
import { watchChanges } from "./change-watch.ts";
import { type CopiedKey, type CopyLimits, type CopyPlan, copyLimits, exactCopy } from "./exact-copy.ts";

const auditStretch = 500;
const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}";

/** Copies of the store. `limits` are for tests. */
export function createSnapshots(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  limits: CopyLimits = copyLimits,
): Snapshots {
  /** All copies but that of single keys: `records` says what a key is in the backup. */
  async function* copyOf(
    plan: CopyPlan,
    beginnings: readonly string[],
    records: (copied: CopiedKey) => DataRecord | null,
  ): AsyncGenerator<DataRecord, unknown[]> {
    const watch = await watchChanges(connection, plan.pattern.replace("*", "any"), beginnings);
    const recordsOf = (copied: CopiedKey[]): DataRecord[] =>
      copied.map(records).filter((record) => record !== null);
    try {
      const copy = exactCopy(watch, plan, limits);
      for (;;) {
        const step = await copy.next();
        yield* recordsOf(step.done === true ? step.value.last : step.value);
        if (step.done === true) return step.value.alongside;
      }
    } finally {
      watch.close();
    }
  }

  async function* partitionOrTenant(partition: number, tenantId: string | null): AsyncGenerator<DataRecord> {
    const home = keys.partition(partition);
    const ownKey = new RegExp(`^(${tenantId ?? uuid}):(.+)$`, "s");
    const inHome = (key: string): string => key.slice(home.length + 1);
    const applications = "application:";
    const classes = workClasses;
    const plan: CopyPlan = {
      pattern: `${home}:*`,
      isWanted: (key) =>
        key.startsWith(`${home}:`) && (ownKey.test(inHome(key)) || inHome(key).startsWith(applications)),
      ownerField: (key) => (inHome(key).startsWith(applications) ? "tenant_id" : null),
      alongside: (transaction) => readShared(transaction, partition, classes),
    };
    const beginnings = [tenantId === null ? home : keys.ofTenant(tenantId), `${home}:${applications}`];
    // A beginning within another one is refused.
    const watched = tenantId === null ? [`${home}:`] : beginnings;
    const alongside = yield* copyOf(plan, watched, (copied) => {
      const [, tenant, key] = ownKey.exec(inHome(copied.key)) ?? [];
      if (tenant !== undefined && key !== undefined) return keyRecord(tenant, key, copied);
      if (tenantId !== null && copied.owner !== tenantId) return null;
      const id = inHome(copied.key).slice(applications.length);
      return { kind: "application", tenant: copied.owner, id, dump: base64(copied.dump) };
    });
    for (const work of sharedWork(alongside, classes)) {
      const tenant = tenantOf(work);
      if (tenantId === null || tenant === tenantId) yield { kind: "work", tenant, work };
    }
    if (tenantId !== null && (await connection.exists(keys.tenant(tenantId))) === 0)
      throw noSuchTenant(tenantId);
  }

  /** What tenants share in a partition, of one instant; `sharedWork` takes it apart. */
  function readShared(
    transaction: ChainableCommander,
    partition: number,
    classes: readonly WorkClass[],
  ): void {
    for (const workClass of classes)
      transaction.zrange(keys.delayed(partition, workClass), "0", "-1", "WITHSCORES");
    transaction.zrange(keys.openRecords(partition), "0", "-1", "WITHSCORES");
    transaction.zrange(keys.breakers(partition), "0", "-1", "WITHSCORES");
    transaction.xrange(keys.deadLetters(partition), "-", "+");
    transaction.xrange(keys.outbox(partition), "-", "+");
  }

  async function* systemTemplates(withIndexes: boolean): AsyncGenerator<DataRecord> {
    const home = keys.ofOwner(null);
    const indexes = [keys.templates(null), keys.templateNames(null)];
    const plan: CopyPlan = {
      pattern: `${home}:*`,
      isWanted: (key) =>
        key.startsWith(`${home}:`) && key !== keys.restore(null) && (withIndexes || !indexes.includes(key)),
      ownerField: () => null,
      alongside: () => {},
    };
    yield* copyOf(plan, [`${home}:`], (copied) =>
      keyRecord(null, copied.key.slice(keys.prefix.length + 1), copied),
    );
  }

  /** Each of these keys says all that there is to say of its matter, so each may be of an instant of its own. */
  async function* installation(): AsyncGenerator<DataRecord> {
    for (const key of [keys.signingKeys, keys.packages, keys.plans]) {
      const [dump, expiresAtMs] = await Promise.all([
        connection.dumpBuffer(key),
        connection.pexpiretime(key),
      ]);
      if (dump === null) continue;
      yield keyRecord(null, key.slice(keys.prefix.length + 1), { key, dump, expiresAtMs, owner: null });
    }
    yield* systemTemplates(true);
    const [last] = await connection.xrevrange(keys.audit, "+", "-", "COUNT", 1);
    for (let from = "-"; last !== undefined; ) {
      const entries = await connection.xrange(keys.audit, from, last[0], "COUNT", auditStretch);
      for (const [id, fields] of entries) yield { kind: "audit", id, text: fields[1] ?? "" };
      const end = entries.at(-1);
      if (end === undefined || entries.length < auditStretch) break;
      from = `(${end[0]}`;
    }
  }

  async function* copy({ name, partition }: Section, tenantId: string | null): AsyncGenerator<DataRecord> {
    try {
      if (name === "installation") yield* installation();
      else if (name === "system-templates") yield* systemTemplates(false);
      else yield* partitionOrTenant(partition ?? 0, tenantId);
    } catch (error) {
      throw asUnavailable(error);
    }
  }

  return {
    partitions: keys.partitions,
    partitionOf: keys.partitionOf,
    async release() {
      const info = await connection.info("server").catch((error: unknown) => {
        throw asUnavailable(error);
      });
      return /^redis_version:(.*?)\r?$/m.exec(info)?.[1] ?? "unknown";
    },
    copy,
  };
}

function keyRecord(tenant: string | null, key: string, { dump, expiresAtMs }: CopiedKey): KeyRecord {
  const expires = expiresAtMs >= 0 && { expires_at: expiresAtMs };
  return { kind: "key", tenant, key, ...expires, dump: base64(dump) };
}

function base64(bytes: Buffer | null): string | null {
  return bytes === null ? null : bytes.toString("base64");
}

type Entry = [id: string, fields: string[]];

/** What the reads of `readShared` answered, as a backup names it. */
function* sharedWork(replies: readonly unknown[], classes: readonly WorkClass[]): Generator<SharedWork> {
  const scored = replies.slice(0, classes.length + 2) as string[][];
  const [dead = [], outbox = []] = replies.slice(classes.length + 2) as Entry[][];
  const [open = [], breakers = []] = scored.slice(classes.length);
  // First: from then on the reconciler knows of it, whatever becomes of the restore.
  for (const [record, since] of pairs(open)) yield ["open", record, since];
  for (const [index, workClass] of classes.entries()) {
    for (const [member, due] of pairs(scored[index] ?? [])) yield ["delayed", workClass, member, due];
  }
  for (const [entry, fields] of dead) yield ["dead", entry, ...fields];
  for (const [, fields] of outbox) yield ["outbox", ...fields];
  for (const [member, lookAt] of pairs(breakers)) yield ["breaker", member, lookAt];
}

function* pairs(flat: readonly string[]): Generator<[string, string]> {
  for (let i = 0; i + 1 < flat.length; i += 2) yield [flat[i] ?? "", flat[i + 1] ?? ""];
}

/** Whose a piece of shared work is: its record, its member and its facts begin with the tenant's id. */
function tenantOf(work: SharedWork): string {
  const named = { open: work[1], delayed: work[2], dead: work[3], outbox: work[2], breaker: work[1] }[
    work[0]
  ];
  return (named ?? "").slice(0, 36);
}
