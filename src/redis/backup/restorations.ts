import type { ApplicationRecord, KeyRecord } from "../../domain/backups/record.ts";
import type { Restorations, SectionRestoration } from "../../domain/backups/restorations.ts";
import type { Section } from "../../domain/backups/snapshots.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { workClasses } from "../../domain/jobs/work.ts";
import { asUnavailable } from "../connection.ts";
import { fromPieces } from "../long-values.ts";
import { packIds } from "../packed-ids.ts";
import type { ScriptArgument, ScriptName } from "../script.ts";
import type { StoreParts } from "../store.ts";
import { notPermitted } from "./change-watch.ts";

const passKey = /^pass:([0-9a-f-]{36})$/;

/** `holder` is of one process; whoever takes a section takes it from all others. */
export function createRestorations(
  { connection, keys, run }: Pick<StoreParts, "connection" | "keys" | "run">,
  { holder }: { holder: string },
): Restorations {
  const markers = [null, ...keys.allPartitions].map((partition) => keys.restore(partition));
  const restoreAt = async (marker: string): Promise<string | null> => {
    try {
      return await connection.hget(marker, "restore");
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const isThere = async (tenantId: string): Promise<boolean> => {
    try {
      return (await connection.exists(keys.tenant(tenantId))) === 1;
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  /** A step of a section; its script answers with a word. */
  const step = async (name: ScriptName, names: readonly string[], args: readonly ScriptArgument[]) => {
    const reply = await run(name, names, args).catch((error: unknown) => {
      throw notPermitted(error, "+restore") ?? error;
    });
    if (reply === "lost") {
      throw new PasswrightError(
        "invalid_state",
        "Another process has taken the restore over. Nothing more is done here.",
      );
    }
    if (reply !== "restored") {
      throw new PasswrightError(
        "invalid_backup",
        `Redis does not take a value of the backup (${String(reply).slice("refused ".length)}). It must be of the same or a newer release than the one that the backup was made of.`,
      );
    }
  };

  const placeOf = (record: KeyRecord | ApplicationRecord): string => {
    if (record.kind === "application") return keys.application(record.id);
    return record.tenant === null
      ? `${keys.prefix}:${record.key}`
      : `${keys.ofTenant(record.tenant)}:${record.key}`;
  };
  const argumentsOf = (record: KeyRecord | ApplicationRecord): ScriptArgument[] => [
    (record.kind === "key" && record.expires_at) || 0,
    record.dump === null ? "" : Buffer.from(record.dump, "base64"),
  ];

  /** The address of a pass's page is kept in the pass, and so made from it. */
  async function writePages(records: readonly (KeyRecord | ApplicationRecord)[]): Promise<void> {
    const passes = records.flatMap((record) => {
      const id = record.kind === "key" && record.dump !== null ? passKey.exec(record.key)?.[1] : undefined;
      return id === undefined || record.tenant === null ? [] : [{ tenantId: record.tenant, id }];
    });
    await Promise.all(
      passes.map(async ({ tenantId, id }) => {
        const fixed = fromPieces(await connection.hgetallBuffer(keys.pass(tenantId, id)), "fixed");
        if (fixed === undefined) return;
        const [, , pageToken] = JSON.parse(fixed.toString()) as string[];
        if (pageToken !== undefined) await connection.set(keys.page(pageToken), packIds(tenantId, id));
      }),
    );
  }

  function sectionOf({ name, partition }: Section, position: number): SectionRestoration {
    const marker = keys.restore(partition);
    const home = partition ?? 0;
    return {
      position,
      async write(records, before) {
        if (partition === null) {
          // Of no partition: these lie in several slots.
          for (const record of records) await writeAlone(record, name === "installation");
          this.position = before;
          return;
        }
        await step(
          "restore-keys",
          [marker, ...records.map(placeOf)],
          [holder, before, ...records.flatMap(argumentsOf)],
        );
        this.position = before;
        try {
          await writePages(records);
        } catch (error) {
          throw asUnavailable(error);
        }
      },
      async publish(tenantId, record) {
        await step(
          "publish-tenant",
          [marker, keys.tenant(tenantId), keys.tenants(home)],
          [holder, tenantId, Buffer.from(record.dump ?? "", "base64")],
        );
      },
      async resumeWork(work, to) {
        await step(
          "restore-work",
          [
            ...[
              marker,
              keys.openRecords(home),
              keys.deadLetters(home),
              keys.outbox(home),
              keys.breakers(home),
            ],
            ...workClasses.map((workClass) => keys.queue(home, workClass)),
          ],
          [holder, this.position, to, keys.partition(home), ...workClasses, JSON.stringify(work)],
        );
        this.position = to;
      },
      async keepAudit(entries, isLast) {
        try {
          const added = entries.map(({ id, text }) =>
            connection.xadd(keys.restoredAudit, id, "record", text).catch((error: Error) => {
              // There already, from an earlier attempt.
              if (!error.message.includes("equal or smaller")) throw error;
            }),
          );
          await Promise.all(added);
        } catch (error) {
          throw asUnavailable(error);
        }
        if (isLast) await run("adopt-audit", [keys.audit, keys.restoredAudit], []);
      },
    };
  }

  /** What is there already stays, unless it `replaces` that. */
  async function writeAlone(record: KeyRecord | ApplicationRecord, replaces: boolean): Promise<void> {
    const place = placeOf(record);
    const [expires = 0, dump = ""] = argumentsOf(record);
    try {
      const options = replaces ? ["REPLACE", "ABSTTL"] : ["ABSTTL"];
      if (dump !== "") await connection.call("RESTORE", place, expires as number, dump as Buffer, ...options);
      else if (replaces) await connection.unlink(place);
    } catch (error) {
      if (error instanceof Error && error.message.startsWith("BUSYKEY")) return;
      throw notPermitted(error, "+restore") ?? asUnavailable(error);
    }
  }

  return {
    partitions: keys.partitions,
    partitionOf: keys.partitionOf,
    isThere,
    async obstacle(tenantId, restore) {
      const marked = await restoreAt(keys.restore(keys.partitionOf(tenantId)));
      if (marked === restore) return null;
      if (await isThere(tenantId)) return "there";
      try {
        // Without the tenant's record, these are what a restore writes early.
        return (await connection.exists(keys.credits(tenantId), keys.applications(tenantId))) > 0
          ? "left_over"
          : null;
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async isInUse(restore) {
      if ((await restoreAt(keys.restore(null))) === restore) return false;
      try {
        const own = [keys.signingKeys, keys.packages, keys.plans, keys.templates(null)];
        const found = await Promise.all(own.map((key) => connection.exists(key)));
        return found.some((count) => count > 0);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async clearInstallation() {
      const home = keys.ofOwner(null);
      try {
        for (const node of "nodes" in connection ? connection.nodes("master") : [connection]) {
          let cursor = "0";
          do {
            const [next, found] = await node.scan(cursor, "MATCH", `${home}:*`, "COUNT", 1000);
            for (const key of found) if (key !== keys.restore(null)) await connection.unlink(key);
            cursor = next;
          } while (cursor !== "0");
        }
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async begin(section, restore) {
      const reply = await run("begin-restore", [keys.restore(section.partition)], [restore, holder]);
      return sectionOf(section, reply as number);
    },
    async forget(restore) {
      for (const marker of markers) {
        if ((await restoreAt(marker)) === restore) await connection.unlink(marker);
      }
    },
  };
}
