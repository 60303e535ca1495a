import type { QueueLook, WorkerPresence } from "../../domain/jobs/queue-look.ts";
import { workClasses } from "../../domain/jobs/work.ts";
import { mostRows, type Page, type Place } from "../page.ts";
import { count, duration } from "../shown.ts";

/** Workers show themselves every 2 s: who has not for so long is busy with something else, or gone. */
const silentMs = 10_000;

/** Which workers there are; of one of them, what it has in hand and how long its leases last. */
export function createWorkers(deps: {
  queueLook: Pick<QueueLook, "workers" | "held">;
  leaseMs: number;
  nowMs(): number;
}): (place: Place) => Promise<Page> {
  return async ({ path: [name] }) => {
    const workers = await deps.queueLook.workers();
    if (name === undefined) return list(workers);
    const worker = workers.find((each) => each.name === name);
    const held = await deps.queueLook.held(name, mostRows);
    return {
      facts: [
        { name: "Worker", text: name },
        worker === undefined
          ? { name: "Last beat", text: "more than an hour ago", tone: "bad" }
          : { name: "Last beat", text: `${duration(deps.nowMs() - worker.lastBeatMs)} ago` },
        { name: "In hand", text: `${held.length}${held.length === mostRows ? " or more" : ""}` },
      ],
      columns: [
        { title: "class" },
        { title: "kind" },
        { title: "lane" },
        { title: "lease left", align: "right" },
        { title: "in hand for", align: "right" },
        { title: "tenant", isLong: true },
        { title: "id", isLong: true },
      ],
      rows: held.map(({ workClass, kind, lane, tenantId, id, atMs, silentMs: silent }) => ({
        id: `${tenantId}:${kind}:${id} ${lane}`,
        cells: [
          workClass,
          kind,
          lane,
          leaseLeft(silent),
          duration(deps.nowMs() - (atMs ?? deps.nowMs())),
          tenantId,
          id,
        ],
        ...(silent > deps.leaseMs && { tone: "bad" as const }),
      })),
      empty: "It has nothing in hand.",
    };
  };

  function leaseLeft(renewedMs: number): string {
    return renewedMs > deps.leaseMs ? "lost" : duration(deps.leaseMs - renewedMs);
  }

  function list(workers: readonly WorkerPresence[]): Page {
    const silentFor = (worker: WorkerPresence): number => deps.nowMs() - worker.lastBeatMs;
    const alive = workers.filter((worker) => silentFor(worker) < silentMs);
    return {
      facts: [{ name: "Alive", text: String(alive.length), tone: alive.length === 0 ? "bad" : "good" }],
      columns: [
        { title: "host", isLong: true },
        { title: "pid", align: "right" },
        { title: "last beat", align: "right" },
        ...workClasses.map((title) => ({ title, align: "right" as const })),
        { title: "lease left", align: "right" },
      ],
      rows: workers.map((worker) => {
        const [, host = worker.name, pid = ""] = /^(.*):(\d+):[^:]*$/.exec(worker.name) ?? [];
        const silent = silentFor(worker);
        return {
          id: worker.name,
          cells: [
            ...[host, pid, duration(silent)],
            ...workClasses.map((one) => count(worker.busy[one])),
            worker.renewedMs === null ? "-" : leaseLeft(worker.renewedMs),
          ],
          opens: true,
          ...(silent >= silentMs && { tone: "bad" as const }),
        };
      }),
      empty: "No worker has been there for an hour. `passwright worker` starts one.",
    };
  }
}
