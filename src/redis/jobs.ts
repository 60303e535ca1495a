import {
  isFinished,
  type Job,
  type JobStatus,
  type JobStore,
  type JobType,
  type Warning,
  type WarningCode,
  warningOf,
} from "../domain/jobs/job.ts";
import type { Failure } from "../domain/jobs/work.ts";
import { asUnavailable, type Connection } from "./connection.ts";
import type { StoreParts } from "./store.ts";

/** A lost notice costs a waiting caller at most this much. */
const recheckMs = 1000;

export function createJobStore(
  { connection, keys }: StoreParts,
  /** A connection of its own that hears of finished jobs; only needed by who waits for them. */
  subscriber: () => Connection,
): JobStore {
  const find = async (tenantId: string, jobId: string): Promise<Job | null> => {
    try {
      return jobFromHash(tenantId, jobId, await connection.hgetall(keys.record(tenantId, "job", jobId)));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const notices = finishNotices(keys.finishedJobs, subscriber);

  return {
    find,
    async awaitFinish(tenantId, jobId, timeoutMs, signal) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        // Listen first, look afterwards: a job that finishes in between is not missed.
        const notice = notices.listen(jobId);
        try {
          const job = await find(tenantId, jobId);
          const leftMs = deadline - performance.now();
          if (job === null || isFinished(job) || leftMs <= 0 || signal.aborted) return job;
          await notice.within(Math.min(leftMs, recheckMs), signal);
          notices.probe();
        } finally {
          notice.stop();
        }
      }
    },
  };
}

function finishNotices(channel: string, open: () => Connection) {
  const waiting = new Map<string, Set<() => void>>();
  let started = false;
  let subscriber: Connection | undefined;
  let probedAtMs = 0;
  const start = (): void => {
    if (started) return;
    started = true;
    subscriber = open();
    subscriber.on("message", (_channel: string, jobId: string) => {
      for (const wake of waiting.get(jobId) ?? []) wake();
    });
    const subscribe = (): void => {
      subscriber?.subscribe(channel).catch(() => {});
    };
    if (subscriber.status === "ready") subscribe();
    subscriber.on("ready", subscribe);
  };
  /** Who only listens is owed nothing, and does not notice that nobody is there any more; so it asks. */
  const probe = (): void => {
    const nowMs = performance.now();
    if (nowMs - probedAtMs < recheckMs) return;
    probedAtMs = nowMs;
    subscriber?.ping().catch(() => {});
  };
  return {
    probe,
    listen(jobId: string) {
      start();
      const woken = Promise.withResolvers<void>();
      const wake = (): void => woken.resolve();
      const listeners = waiting.get(jobId) ?? new Set();
      waiting.set(jobId, listeners.add(wake));
      return {
        async within(timeoutMs: number, signal: AbortSignal): Promise<void> {
          const timer = setTimeout(wake, timeoutMs);
          signal.addEventListener("abort", wake, { once: true });
          await woken.promise;
          clearTimeout(timer);
          signal.removeEventListener("abort", wake);
        },
        stop(): void {
          listeners.delete(wake);
          if (listeners.size === 0) waiting.delete(jobId);
        },
      };
    },
  };
}

/** A warning as a job's record has it: short, as every value of it, and its text is the release's. */
export function packWarning(code: WarningCode): string {
  return JSON.stringify({ code });
}

/** Earlier releases wrote the text as well. */
function unpackWarning(packed: string): Warning {
  const { code } = JSON.parse(packed) as Pick<Warning, "code">;
  return warningOf(code);
}

/** Null of a hash that there is not. */
export function jobFromHash(tenantId: string, id: string, hash: Record<string, string>): Job | null {
  if (hash.type === undefined) return null;
  // A job that is done has shed its lanes.
  const attempts = (hash.lanes ?? "").split(" ").map((lane) => Number(hash[`${lane}:attempts`] ?? 0));
  const error = hash.error;
  return {
    id,
    tenantId,
    type: hash.type as JobType,
    status: hash.status as JobStatus,
    resource: { type: hash.resource_type as Job["resource"]["type"], id: hash.resource_id ?? "" },
    attempts: Number(hash.attempts ?? Math.max(...attempts)),
    progress: { done: Number(hash.done), total: Number(hash.total) },
    error: error === undefined || hash.status === "completed" ? null : (JSON.parse(error) as Failure),
    warnings: Object.entries(hash)
      .filter(([name]) => name.endsWith(":warning"))
      .map(([, warning]) => unpackWarning(warning)),
    traceId: hash.trace ?? "",
    createdAtMs: Number(hash.created_at),
    startedAtMs: hash.started_at === undefined ? null : Number(hash.started_at),
    finishedAtMs: hash.finished_at === undefined ? null : Number(hash.finished_at),
  };
}
