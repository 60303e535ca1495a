import type { Clock } from "../domain/clock.ts";
import type { LetterRange } from "../domain/deadletters/plan.ts";
import type { ReplayCount, ReplayTask, ReplayTaskStore } from "../domain/deadletters/replay-task.ts";
import type { DeadLetterFilter } from "../domain/deadletters/select.ts";
import { asUnavailable } from "./connection.ts";
import { placeOf } from "./dead-letters.ts";
import type { Keys } from "./keys.ts";
import { createOperatorTasks, type TaskKeys } from "./operator-tasks.ts";
import { countOf } from "./replay-counts.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";

/** `holder` is this process, as others see it: HOST:PID. */
export function createReplayTaskStore(
  { connection, keys, run }: StoreParts,
  { clock, holder }: { clock: Clock; holder: string },
): ReplayTaskStore {
  const partitionsOf = (task: Pick<ReplayTask, "ranges">): number[] =>
    task.ranges.map(({ first }) => placeOf(first).partition);

  const readCount = async (task: Pick<ReplayTask, "id" | "ranges">) => {
    const parts = await Promise.all(
      partitionsOf(task).map(async (partition) => ({
        partition,
        fields: await connection.hgetall(keys.replayCount(partition, task.id)),
      })),
    );
    return countOf(parts);
  };

  const find = async (id: string): Promise<ReplayTask | null> => {
    try {
      const task = fromHash(id, await connection.hgetall(keys.replayTask(id)), clock.nowMs());
      if (task === null || task.status !== "running") return task;
      return { ...task, count: (await readCount(task)).count };
    } catch (error) {
      throw asUnavailable(error);
    }
  };

  const tasks = createOperatorTasks({ connection, run }, { clock, holder, find, keys: keysOfTasks(keys) });

  return {
    ...tasks.holds,
    list: tasks.list,
    cancel: tasks.cancel,

    async start({ id, tenantId, rate, replayLimit, requestedBy, plan }, record) {
      const named = plan.filter.ids === null ? null : new Set(plan.filter.ids).size;
      const fields = {
        request: JSON.stringify({ filter: keptFilter(plan.filter), named, ranges: plan.ranges, replayLimit }),
        tenant_id: tenantId ?? "",
        rate: rate ?? "",
        matched: plan.matched,
        requested_by: requestedBy,
      };
      return tasks.start({ id, scope: tenantId ?? "*", ids: plan.ids, fields, isHeld: true }, record);
    },

    find,

    async open({ task, fence }) {
      const replies = await Promise.all(
        partitionsOf(task).map((partition) =>
          run("open-task-count", [keys.replayCount(partition, task.id)], [fence, historyRetentionSeconds]),
        ),
      );
      if (replies.includes("lost")) return null;
      try {
        const ids = task.named === null ? null : await connection.get(keys.replayTaskIds(task.id));
        // With the ids goes the task's end, which somebody else has written.
        if (task.named !== null && ids === null) return null;
        return { ...(await readCount(task)), ids: ids === null ? null : (JSON.parse(ids) as string[]) };
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async count(task) {
      try {
        return (await readCount(task)).count;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    finish: (held, { status, count }, record) => tasks.finish(held, { status, result: count }, record),
  };
}

function keysOfTasks(keys: Keys): TaskKeys {
  return {
    task: keys.replayTask,
    ids: keys.replayTaskIds,
    tasks: keys.replayTasks,
    active: keys.activeReplayTasks,
    audit: keys.audit,
  };
}

type Request = {
  filter: KeptFilter;
  named: number | null;
  ranges: LetterRange[];
  replayLimit: number | null;
};
type KeptFilter = Omit<DeadLetterFilter, "limit" | "ids" | "after"> & { limit: number | null };

/** Without what the ranges and the list of ids say already. JSON knows no infinity. */
function keptFilter({ ids: _, after: __, limit, ...filter }: DeadLetterFilter): KeptFilter {
  return { ...filter, limit: Number.isFinite(limit) ? limit : null };
}

const nothing: ReplayCount = { replayed: 0, overtaken: 0, already_gone: 0, refused: {}, refused_ids: [] };

function fromHash(id: string, hash: Record<string, string>, nowMs: number): ReplayTask | null {
  if (hash.status === undefined || hash.request === undefined) return null;
  const { filter, named, ranges, replayLimit } = JSON.parse(hash.request) as Request;
  return {
    id,
    tenantId: hash.tenant_id || null,
    filter: { ...filter, limit: filter.limit ?? Number.POSITIVE_INFINITY, ids: null, after: null },
    named,
    ranges,
    rate: hash.rate ? Number(hash.rate) : null,
    replayLimit,
    requestedBy: hash.requested_by ?? "",
    matched: Number(hash.matched),
    status: hash.status as ReplayTask["status"],
    createdAtMs: Number(hash.created_at),
    startedAtMs: Number(hash.started_at),
    finishedAtMs: hash.finished_at === undefined ? null : Number(hash.finished_at),
    cancelledBy: hash.cancelled_by ?? null,
    heldBy: Number(hash.until ?? 0) > nowMs ? (hash.holder ?? null) : null,
    count: hash.result === undefined ? nothing : (JSON.parse(hash.result) as ReplayCount),
  };
}
