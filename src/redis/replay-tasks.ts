import type { Clock } from "../domain/clock.ts";
import type { LetterRange } from "../domain/deadletters/plan.ts";
import type {
  HeldReplay,
  ReplayCount,
  ReplayTask,
  ReplayTaskStore,
} from "../domain/deadletters/replay-task.ts";
import type { DeadLetterFilter } from "../domain/deadletters/select.ts";
import { auditText } from "./audit.ts";
import { asUnavailable } from "./connection.ts";
import { placeOf } from "./dead-letters.ts";
import { countOf } from "./replay-counts.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";

/** A driver that was not heard of for so long is taken for dead. Several renewals go into it. */
const holdMs = 5000;

/** `holder` is this process, as others see it: HOST:PID. */
export function createReplayTaskStore(
  { connection, keys, run }: StoreParts,
  { clock, holder }: { clock: Clock; holder: string },
): ReplayTaskStore {
  const untilMs = (): number => clock.nowMs() + holdMs;

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

  const inHand = async (id: string, reply: unknown): Promise<HeldReplay | null> => {
    const fence = Number(reply);
    const task = Number.isNaN(fence) ? null : await find(id);
    return task === null ? null : { task, fence };
  };

  return {
    renewMs: holdMs / 5,

    async start({ id, tenantId, rate, replayLimit, requestedBy, plan }, record) {
      const named = plan.filter.ids === null ? null : new Set(plan.filter.ids).size;
      const fields = {
        request: JSON.stringify({ filter: keptFilter(plan.filter), named, ranges: plan.ranges, replayLimit }),
        tenant_id: tenantId ?? "",
        rate: rate ?? "",
        matched: plan.matched,
        requested_by: requestedBy,
      };
      const reply = await run(
        "start-replay-task",
        [keys.replayTask(id), keys.replayTaskIds(id), keys.replayTasks, keys.activeReplayTasks, keys.audit],
        [
          id,
          tenantId ?? "*",
          clock.nowMs(),
          untilMs(),
          holder,
          plan.ids === null ? "" : JSON.stringify(plan.ids),
          auditText(record),
          historyRetentionSeconds * 1000,
          ...Object.entries(fields).flat(),
        ],
      );
      if (reply !== "started") return { busy: String(reply) };
      const held = await inHand(id, 1);
      if (held === null) throw new Error(`the replay task ${id} is gone as soon as it was written`);
      return { held };
    },

    find,

    async list(limit) {
      try {
        const ids = await connection.zrevrange(keys.replayTasks, 0, limit - 1);
        const tasks = await Promise.all(ids.map(find));
        return tasks.filter((task) => task !== null);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async running() {
      try {
        return await connection.hvals(keys.activeReplayTasks);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async take(id) {
      return inHand(
        id,
        await run("take-replay-task", [keys.replayTask(id)], [clock.nowMs(), untilMs(), holder]),
      );
    },

    async cancel(id, by, record) {
      const reply = await run(
        "cancel-replay-task",
        [keys.replayTask(id), keys.audit],
        [clock.nowMs(), untilMs(), holder, by, auditText(record)],
      );
      return inHand(id, reply);
    },

    async renew({ task, fence }) {
      return (await run("hold-replay-task", [keys.replayTask(task.id)], [fence, untilMs()])) === "yours";
    },

    async letGo({ task, fence }) {
      await run("hold-replay-task", [keys.replayTask(task.id)], [fence, clock.nowMs()]);
    },

    async open({ task, fence }) {
      const replies = await Promise.all(
        partitionsOf(task).map((partition) =>
          run("open-replay", [keys.replayCount(partition, task.id)], [fence, historyRetentionSeconds]),
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

    async finish({ task, fence }, { status, count }, record) {
      const reply = await run(
        "finish-replay-task",
        [keys.replayTask(task.id), keys.replayTaskIds(task.id), keys.activeReplayTasks, keys.audit],
        [fence, status, clock.nowMs(), JSON.stringify(count), auditText(record), historyRetentionSeconds],
      );
      return reply === "finished";
    },
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
