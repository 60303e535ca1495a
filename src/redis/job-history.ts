import type { JobDetails, JobHistory, JobLane, JobSource, JobStretch } from "../domain/jobs/history.ts";
import type { Job } from "../domain/jobs/job.ts";
import { isWorkClass } from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import { letterId } from "./dead-letters.ts";
import { jobFromHash } from "./jobs.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { jobRecords, recordName } from "./task-names.ts";

/** Entries that are looked at at a time, where nothing says how many are wanted. */
const stretch = 500;
/** Names that are sifted in one step, which takes Redis less than a millisecond. */
const siftedAtOnce = 2000;
const dayMs = 24 * 60 * 60 * 1000;
/** A day that began a month ago, and one that has begun already by another machine's clock. */
const daysBack = historyRetentionSeconds / (dayMs / 1000) + 1;
const bytesOfId = 16;

type Read = { ids: string[]; looked: number };

/** The jobs of a tenant as operators look at them, whatever else is in the store. */
export function createJobHistory(
  { connection, keys, run }: StoreParts,
  clock: { nowMs(): number },
): JobHistory {
  const hashOf = (tenantId: string, jobId: string) => connection.hgetall(keys.record(tenantId, "job", jobId));

  /** Those that are still there. */
  const readJobs = async (tenantId: string, ids: readonly string[]): Promise<Job[]> => {
    const hashes = await Promise.all(ids.map((id) => hashOf(tenantId, id)));
    const jobs = hashes.map((hash, index) => jobFromHash(tenantId, ids[index] ?? "", hash));
    return jobs.filter((job) => job !== null);
  };

  async function* accepted(tenantId: string, size: number): AsyncGenerator<Read> {
    const today = Math.floor(clock.nowMs() / dayMs);
    const lists = Array.from({ length: daysBack + 2 }, (_, back) => keys.jobList(tenantId, today + 1 - back));
    const lengths = await Promise.all(lists.map((list) => connection.strlen(list)));
    for (const [index, list] of lists.entries()) {
      for (let end = lengths[index] ?? 0; end > 0; end -= size * bytesOfId) {
        const start = Math.max(0, end - size * bytesOfId);
        const ids = unpackIds(await connection.getrangeBuffer(list, start, end - 1)).reverse();
        yield { ids, looked: ids.length };
      }
    }
  }

  /** All tenants' are in one index: those of others are passed over where they lie. */
  async function* open(tenantId: string, size: number): AsyncGenerator<Read> {
    const index = keys.openRecords(keys.partitionOf(tenantId));
    const own = jobRecords(tenantId);
    for (let start = 0; ; start += siftedAtOnce) {
      const reply = await run("sift-open", [index], [own, start, siftedAtOnce]);
      const [looked, ...names] = reply as [number, ...string[]];
      const ids = names.map((name) => name.slice(own.length));
      for (let at = 0; at < ids.length; at += size) yield { ids: ids.slice(at, at + size), looked: 0 };
      yield { ids: [], looked };
      if (looked < siftedAtOnce) return;
    }
  }

  async function* failed(tenantId: string): AsyncGenerator<Read> {
    for (let start = 0; ; start += stretch) {
      const ids = await connection.zrevrange(keys.failedJobs(tenantId), start, start + stretch - 1);
      yield { ids, looked: ids.length };
      if (ids.length < stretch) return;
    }
  }

  /** The jobs of a month's batches or messages, by an index of these and where each is. */
  async function* jobsOf(index: string, keyOf: (id: string) => string): AsyncGenerator<Read> {
    const sinceMs = clock.nowMs() - historyRetentionSeconds * 1000;
    for (let start = 0; ; start += stretch) {
      const found = await connection.zrevrangebyscore(index, "+inf", sinceMs, "LIMIT", start, stretch);
      const jobs = await Promise.all(found.map((id) => connection.hget(keyOf(id), "job")));
      yield { ids: jobs.filter((id) => id !== null), looked: found.length };
      if (found.length < stretch) return;
    }
  }

  const read = (tenantId: string, source: JobSource, size: number): AsyncGenerator<Read> => {
    const batch = (id: string): string => keys.batch(tenantId, id);
    switch (source) {
      case "accepted":
        return accepted(tenantId, size);
      case "open":
        return open(tenantId, size);
      case "failed":
        return failed(tenantId);
      case "cancelled":
        return jobsOf(`${keys.batchesByStatus(tenantId)}:cancelled`, batch);
      case "batches":
        return jobsOf(keys.batches(tenantId), batch);
      case "messages":
        return jobsOf(keys.messages(tenantId), (id) => keys.message(tenantId, id));
    }
  };

  return {
    async details(tenantId, jobId) {
      try {
        const hash = await hashOf(tenantId, jobId);
        const job = jobFromHash(tenantId, jobId, hash);
        if (job === null) return null;
        const partition = keys.partitionOf(tenantId);
        const lanes = lanesOf(hash, partition);
        const workClass = hash.class ?? "";
        if (!isWorkClass(workClass)) return { job, lanes };
        const delayed = keys.delayed(partition, workClass);
        const name = recordName({ tenantId, kind: "job", id: jobId });
        const withTimes = lanes.map(async (lane): Promise<JobLane> => {
          if (lane.state !== "retrying") return lane;
          const dueAt = await connection.zscore(delayed, `${name} ${lane.lane}`);
          return { ...lane, nextAttemptAtMs: dueAt === null ? null : Number(dueAt) };
        });
        return { job, lanes: await Promise.all(withTimes) } satisfies JobDetails;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async *stretches(tenantId, source, size = stretch): AsyncGenerator<JobStretch> {
      try {
        for await (const { ids, looked } of read(tenantId, source, size)) {
          yield { jobs: await readJobs(tenantId, ids), looked };
        }
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async bury(tenantId, jobId, code) {
      const letters = keys.deadLetters(keys.partitionOf(tenantId));
      const name = recordName({ tenantId, kind: "job", id: jobId });
      return Number(await run("bury-failed", [keys.record(tenantId, "job", jobId), letters], [name, code]));
    },

    async hasten(tenantId, jobId) {
      const key = keys.record(tenantId, "job", jobId);
      let workClass: string | null;
      try {
        workClass = await connection.hget(key, "class");
      } catch (error) {
        throw asUnavailable(error);
      }
      // A job that is done has none.
      if (workClass === null || !isWorkClass(workClass)) return [];
      const queue = keys.queue(keys.partitionOf(tenantId), workClass);
      const reply = await run("hasten-job", [key, queue], [recordName({ tenantId, kind: "job", id: jobId })]);
      return String(reply)
        .split(" ")
        .filter((lane) => lane !== "");
    },
  };
}

function lanesOf(hash: Record<string, string>, partition: number): JobLane[] {
  const names = (hash.lanes ?? "").split(" ").filter((lane) => lane !== "");
  return names.map((lane) => {
    const letter = hash[`${lane}:dead`];
    return {
      lane,
      state: hash[`${lane}:state`] ?? "",
      attempts: Number(hash[`${lane}:attempts`] ?? 0),
      replays: Number(hash[`${lane}:replays`] ?? 0),
      deadLetterId: letter === undefined ? null : letterId(partition, letter),
      nextAttemptAtMs: null,
    };
  });
}

/** Oldest first. */
function unpackIds(packed: Buffer): string[] {
  return Array.from({ length: packed.length / bytesOfId }, (_, index) => {
    const hex = packed.toString("hex", index * bytesOfId, (index + 1) * bytesOfId);
    return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  });
}
