import { type Check, counted, failed, ok, spanOf, warning } from "./check.ts";
import type { Installation } from "./ports.ts";

/** Names that are told one by one. */
const told = 5;

export const dataFormat: Check<Pick<Installation, "layout">> = {
  name: "data-format",
  expects: "this release reads the format that the data in Redis has",
  async look({ layout }) {
    const { format, refusal } = await layout.dataFormat();
    return [refusal === null ? ok(`Format ${format}.`) : failed(refusal.trouble, refusal.remedy)];
  },
};

export const partitions: Check<Pick<Installation, "layout">> = {
  name: "partitions",
  expects: "the store knows its number of partitions, and tenants lie where that number leads to",
  async look({ layout }) {
    const stored = await layout.partitions();
    if (stored === null) {
      return [
        warning(
          "Nothing was ever stored under this key prefix.",
          "Start `passwright serve` and a worker; if they have run before, PASSWRIGHT_KEY_PREFIX or PASSWRIGHT_REDIS_URL is another.",
        ),
      ];
    }
    if (!/^[1-9]\d?$/.test(stored)) {
      return [
        failed(
          `The number of partitions in the store is «${stored}».`,
          "Somebody changed it: put back the number that a backup has (hash PREFIX:meta, field partitions).",
        ),
      ];
    }
    const { lookedAt, misplaced } = await layout.listedTenants();
    if (misplaced.length === 0) {
      return [ok(`${stored} partitions; ${counted(lookedAt, "tenant")} looked for, each where it must be.`)];
    }
    return [
      failed(
        `With ${stored} partitions ${misplaced.length} of ${counted(lookedAt, "tenant")} cannot be found, such as ${misplaced[0]}.`,
        "The number was changed after they were made. Stop all processes, and put the old one back (hash PREFIX:meta, field partitions).",
      ),
    ];
  },
};

export const tenantRecords: Check<Pick<Installation, "layout">> = {
  name: "tenant-records",
  expects: "every tenant that is listed has its record",
  async look({ layout }) {
    const { lookedAt, withoutRecord } = await layout.listedTenants();
    if (withoutRecord.length === 0)
      return [ok(`${counted(lookedAt, "tenant")} looked for, each has its record.`)];
    return withoutRecord
      .slice(0, told)
      .map((id) =>
        failed(
          `The tenant ${id} is listed and has no record: somebody deleted it, and its tokens are refused.`,
          "Restore the hash of the tenant from a backup (docs/redis.md). Its other records may be there all the same.",
        ),
      );
  },
};

export const groups: Check<Pick<Installation, "layout" | "queue" | "workers">> = {
  name: "queue-groups",
  expects: "every queue has its stream and its consumer group",
  fixes: "makes what is missing, as a worker does",
  async look({ layout, queue, workers }) {
    const { queues, missing } = await layout.queuesWithoutGroup();
    if (missing.length === 0) return [ok(`All ${queues} queues have their group.`)];
    const fix = {
      does: "make missing consumer groups",
      async apply() {
        await queue.ensureGroups();
        return `The groups of ${counted(missing.length, "queue")} were made.`;
      },
    };
    const remedy = "`passwright doctor --fix` makes them; so does a worker that starts.";
    if (missing.length === queues && (await workers.lastRoundMs()) === null) {
      const message = "No queue has its group yet: no worker has ever run.";
      // Where nothing was ever stored, the key prefix may be a mistake, which nothing should be made under.
      const isLaidOut = (await layout.partitions()) !== null;
      return [
        warning(
          message,
          isLaidOut ? remedy : "A worker makes them when it starts.",
          isLaidOut ? fix : undefined,
        ),
      ];
    }
    return [
      failed(
        `${missing.length} of ${queues} queues lack their group (${missing.slice(0, told).join(", ")}${missing.length > told ? ", …" : ""}): somebody deleted keys.`,
        `${remedy} Find out who runs DEL or XGROUP DESTROY.`,
        fix,
      ),
    ];
  },
};

export const consumers: Check<Pick<Installation, "consumers" | "queue">> = {
  name: "consumers",
  expects: "no queue keeps the names of workers that are long gone",
  fixes: "forgets those that hold nothing, as a worker does",
  async look({ consumers: census, queue }) {
    const { silentForMs, names, holding } = await census.silent();
    const findings = [];
    if (names > 0) {
      findings.push(
        warning(
          `${counted(names, "name")} of workers have been silent for ${spanOf(silentForMs)} or more, and hold nothing.`,
          "`passwright doctor --fix` forgets them; so does a worker, every ten minutes.",
          {
            does: "forget consumers that are gone",
            apply: async () => `${counted(await queue.forgetConsumers(), "name")} were forgotten.`,
          },
        ),
      );
    }
    if (holding.names > 0) {
      findings.push(
        failed(
          `${counted(holding.names, "name")} of workers that are long gone still hold ${counted(holding.work, "piece")} of work.`,
          "Start a worker: it takes the work of the dead over within a lease. Never delete these consumers by hand.",
        ),
      );
    }
    return findings.length > 0 ? findings : [ok("No names of workers that are long gone.")];
  },
};

export const scripts: Check<Pick<Installation, "layout">> = {
  name: "scripts",
  expects: "Redis takes every script",
  async look({ layout }) {
    const { scripts: count, refused } = await layout.unloadableScripts();
    if (refused.length === 0) return [ok(`All ${count} scripts can be loaded.`)];
    const [first] = refused;
    return [
      failed(
        `Redis refuses ${refused.length} of ${count} scripts: ${first?.name}: ${first?.reason}`,
        "The user needs +@all -@dangerous +info (docs/redis.md); the server must know Lua scripts.",
      ),
    ];
  },
};
