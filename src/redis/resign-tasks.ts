import type { Clock } from "../domain/clock.ts";
import { isRevoked, type PassStatus } from "../domain/passes/pass.ts";
import type {
  PassSurvey,
  RenewedPass,
  ResignCount,
  ResignTask,
  ResignTaskStore,
} from "../domain/resigns/resign-task.ts";
import { asUnavailable } from "./connection.ts";
import { createOperatorTasks } from "./operator-tasks.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";

/** Passes that are looked at in one step: a millisecond or so that others wait. */
const lookedAtOnce = 500;
const mostLookedThrough = 1000;

/** `holder` is this process, as others see it: HOST:PID. */
export function createResignTaskStore(
  { connection, keys, run }: StoreParts,
  { clock, holder }: { clock: Clock; holder: string },
): ResignTaskStore {
  const countKey = ({ id, tenantId }: Pick<ResignTask, "id" | "tenantId">): string =>
    keys.resignCount(keys.partitionOf(tenantId), id);

  const readCount = async (task: Pick<ResignTask, "id" | "tenantId">): Promise<ResignCount> => {
    const [looked, renewed, devices, untold] = await connection.hmget(
      countKey(task),
      ...["looked_at", "renewed", "devices", "untold"],
    );
    return {
      looked_at: Number(looked ?? 0),
      renewed: Number(renewed ?? 0),
      devices: Number(devices ?? 0),
      untold: Number(untold ?? 0),
    };
  };

  const find = async (id: string): Promise<ResignTask | null> => {
    try {
      const task = fromHash(id, await connection.hgetall(keys.resignTask(id)), clock.nowMs());
      if (task === null || task.status !== "running") return task;
      return { ...task, count: await readCount(task) };
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const tasks = createOperatorTasks(
    { connection, run },
    {
      ...{ clock, holder, find },
      keys: {
        task: keys.resignTask,
        tasks: keys.resignTasks,
        active: keys.activeResignTasks,
        audit: keys.audit,
      },
    },
  );

  return {
    ...tasks.holds,
    find,
    cancel: tasks.cancel,
    note: (held, trouble) => tasks.note(held, trouble ?? ""),

    async start({ id, tenantId, rate, requestedBy, passes }, record) {
      const fields = { tenant_id: tenantId, rate: rate ?? "", passes, requested_by: requestedBy };
      const started = await tasks.start({ id, scope: tenantId, fields, isHeld: false }, record);
      return "busy" in started ? started : { task: started.held.task };
    },

    async latest(tenantId) {
      const all = await tasks.list(mostLookedThrough);
      return all.find((task) => task.tenantId === tenantId) ?? null;
    },

    async open({ task, fence }) {
      return (await run("open-task-count", [countKey(task)], [fence, historyRetentionSeconds])) === "open";
    },

    async step({ task, fence }, { most, told }) {
      const { tenantId } = task;
      const reply = (await run(
        "resign-passes",
        [countKey(task), keys.passes(tenantId), keys.pass(tenantId, "")],
        [
          ...[fence, clock.nowMs(), lookedAtOnce, most, task.createdAtMs],
          ...[told?.cursor ?? "", told?.untold ?? 0, historyRetentionSeconds],
        ],
      )) as string[];
      const [outcome, cursor = "", ...passes] = reply;
      if (outcome === "lost" || outcome === "done") return { outcome };
      return { outcome: "more", cursor, passes: inPairs(passes) };
    },

    async count(task) {
      try {
        return await readCount(task);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    finish: (held, { status, count, trouble }, record) =>
      tasks.finish(held, { status, result: { count, trouble } }, record),

    async passes(tenantId) {
      try {
        return await connection.zcard(keys.passes(tenantId));
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async survey(tenantId, onProgress = () => {}) {
      const found: PassSurvey = { passes: 0, inWallet: 0, devices: 0 };
      try {
        for (let start = 0; ; start += lookedAtOnce) {
          const end = start + lookedAtOnce - 1;
          const ids = await connection.zrange(keys.passes(tenantId), String(start), String(end));
          for (const devices of await devicesOf(tenantId, ids)) {
            found.passes += 1;
            if (devices > 0) found.inWallet += 1;
            found.devices += devices;
          }
          onProgress(found.passes);
          if (ids.length < lookedAtOnce) return found;
        }
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };

  /** How many phones have each pass, none where it was revoked. */
  async function devicesOf(tenantId: string, passIds: readonly string[]): Promise<number[]> {
    if (passIds.length === 0) return [];
    const pipeline = connection.pipeline();
    for (const id of passIds) {
      pipeline.scard(keys.passDevices(tenantId, id));
      pipeline.hget(keys.pass(tenantId, id), "status");
    }
    const replies = ((await pipeline.exec()) ?? []).map(([error, reply]) => {
      if (error !== null) throw error;
      return reply;
    });
    return passIds.map((_, index) => {
      const status = replies[2 * index + 1] as PassStatus;
      return isRevoked({ status }) ? 0 : Number(replies[2 * index]);
    });
  }
}

function inPairs(flat: readonly string[]): RenewedPass[] {
  return Array.from({ length: flat.length / 2 }, (_, index) => ({
    passId: flat[2 * index] ?? "",
    change: Number(flat[2 * index + 1]),
  }));
}

const nothing: ResignCount = { looked_at: 0, renewed: 0, devices: 0, untold: 0 };

function fromHash(id: string, hash: Record<string, string>, nowMs: number): ResignTask | null {
  if (hash.status === undefined || hash.tenant_id === undefined) return null;
  const { count, trouble } =
    hash.result === undefined
      ? { count: nothing, trouble: hash.note || null }
      : (JSON.parse(hash.result) as Pick<ResignTask, "count" | "trouble">);
  return {
    id,
    tenantId: hash.tenant_id,
    rate: hash.rate ? Number(hash.rate) : null,
    requestedBy: hash.requested_by ?? "",
    passes: Number(hash.passes),
    status: hash.status as ResignTask["status"],
    createdAtMs: Number(hash.created_at),
    finishedAtMs: hash.finished_at === undefined ? null : Number(hash.finished_at),
    cancelledBy: hash.cancelled_by ?? null,
    heldBy: Number(hash.until ?? 0) > nowMs ? (hash.holder ?? null) : null,
    trouble,
    count,
  };
}
