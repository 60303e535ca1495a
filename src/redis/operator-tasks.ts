import type { AuditEntry } from "../domain/audit/entry.ts";
import type { Clock } from "../domain/clock.ts";
import type { Held, TaskHolds } from "../domain/operator-tasks/held-task.ts";
import { auditText } from "./audit.ts";
import { asUnavailable } from "./connection.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";

/** Who was not heard of for so long is taken for dead. Several renewals go into it. */
const holdMs = 5000;

/** Where the tasks of one kind lie, all in the operators' slot. */
export type TaskKeys = {
  task(id: string): string;
  /** Where tasks of the kind may name what they are about. */
  ids?(id: string): string;
  tasks: string;
  active: string;
  audit: string;
};

type NewTask = {
  id: string;
  /** A tenant's id, or `*` for all of them: one task of a scope runs at a time, and none beside one of all. */
  scope: string;
  ids?: readonly string[] | null;
  fields: Record<string, string | number>;
  /** False: whoever takes it first does it. */
  isHeld: boolean;
};

/** Long work of operators: written down, held by one process at a time, cancelled, ended. `holder` is this process: HOST:PID. */
export function createOperatorTasks<Task extends { id: string }>(
  { connection, run }: Pick<StoreParts, "connection" | "run">,
  options: { clock: Clock; holder: string; keys: TaskKeys; find(id: string): Promise<Task | null> },
) {
  const { clock, holder, keys, find } = options;
  const untilMs = (): number => clock.nowMs() + holdMs;

  const inHand = async (id: string, reply: unknown): Promise<Held<Task> | null> => {
    const fence = Number(reply);
    const task = Number.isNaN(fence) ? null : await find(id);
    return task === null ? null : { task, fence };
  };

  const holds: TaskHolds<Task> = {
    renewMs: holdMs / 5,
    async running() {
      try {
        return await connection.hvals(keys.active);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
    async take(id) {
      return inHand(id, await run("take-operator-task", [keys.task(id)], [clock.nowMs(), untilMs(), holder]));
    },
    async renew({ task, fence }) {
      return (await run("hold-operator-task", [keys.task(task.id)], [fence, untilMs()])) === "yours";
    },
    async letGo({ task, fence }) {
      await run("hold-operator-task", [keys.task(task.id)], [fence, clock.nowMs()]);
    },
  };

  return {
    holds,

    /** `busy`: the id of the task that stands in the way. */
    async start(
      { id, scope, ids = null, fields, isHeld }: NewTask,
      record: AuditEntry,
    ): Promise<{ held: Held<Task> } | { busy: string }> {
      const reply = await run(
        "start-operator-task",
        [keys.task(id), keys.tasks, keys.active, keys.audit, ...(keys.ids ? [keys.ids(id)] : [])],
        [
          id,
          scope,
          clock.nowMs(),
          isHeld ? untilMs() : clock.nowMs(),
          holder,
          ids === null ? "" : JSON.stringify(ids),
          auditText(record),
          historyRetentionSeconds * 1000,
          ...Object.entries(fields).flat(),
        ],
      );
      if (reply !== "started") return { busy: String(reply) };
      const held = await inHand(id, 1);
      if (held === null) throw new Error(`the task ${id} is gone as soon as it was written`);
      return { held };
    },

    /** The latest, newest first. */
    async list(limit: number): Promise<Task[]> {
      try {
        const ids = await connection.zrevrange(keys.tasks, 0, limit - 1);
        const tasks = await Promise.all(ids.map(find));
        return tasks.filter((task) => task !== null);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    /** Takes it from whoever holds it, to end it. Null where it has ended. */
    async cancel(id: string, by: string, record: AuditEntry): Promise<Held<Task> | null> {
      const reply = await run(
        "cancel-operator-task",
        [keys.task(id), keys.audit],
        [clock.nowMs(), untilMs(), holder, by, auditText(record)],
      );
      return inHand(id, reply);
    },

    /** Writes down what it waits for, '' for nothing; which also renews the hold. */
    async note({ task, fence }: Held<Task>, text: string): Promise<void> {
      await run("hold-operator-task", [keys.task(task.id)], [fence, untilMs(), text]);
    },

    /** False: it was lost. */
    async finish(
      { task, fence }: Held<Task>,
      end: { status: string; result: unknown },
      record: AuditEntry,
    ): Promise<boolean> {
      const reply = await run(
        "finish-operator-task",
        [keys.task(task.id), keys.active, keys.audit, ...(keys.ids ? [keys.ids(task.id)] : [])],
        [
          fence,
          end.status,
          clock.nowMs(),
          JSON.stringify(end.result),
          auditText(record),
          historyRetentionSeconds,
        ],
      );
      return reply === "finished";
    },
  };
}
