import type { JobDetails, JobHistory, JobLane, JobSource, JobStretch } from "../domain/jobs/history.ts";
import type { Job } from "../domain/jobs/job.ts";
import { isWorkClass } from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import { letterId } from "./dead-letters.ts";
import { jobFromHash } from "./jobs.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { jobRecords, recordName } from "./task-names.ts";

/** Entries that are looked at at a time. */
const stretch = 500;
/** As lua/parts/packed-array.lua has it. */
const idsPerString = 296;

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

  async function* accepted(tenantId: string): AsyncGenerator<Read> {
    const count = Number((await connection.get(keys.jobCount(tenantId))) ?? 0);
    for (let number = Math.floor((count - 1) / idsPerString); number >= 0; number -= 1) {
      const packed = await connection.getBuffer(keys.jobList(tenantId, number));
      // Those before it have expired earlier.
      if (packed === null) return;
      const ids = unpackIds(packed).reverse();
      yield { ids, looked: ids.length };
    }
  }

  async function* open(tenantId: string): AsyncGenerator<Read> {
    const index = keys.openRecords(keys.partitionOf(tenantId));
    const own = jobRecords(tenantId);
    for (let start = 0; ; start += stretch) {
      const names = await connection.zrevrange(index, start, start + stretch - 1);
      const ids = names.filter((name) => name.startsWith(own)).map((name) => name.slice(own.length));
      yield { ids, looked: names.length };
      if (names.length < stretch) return;
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

  const read = (tenantId: string, source: JobSource): AsyncGenerator<Read> => {
    const batch = (id: string): string => keys.batch(tenantId, id);
    switch (source) {
      case "accepted":
        return accepted(tenantId);
      case "open":
        return open(tenantId);
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

    async *stretches(tenantId, source): AsyncGenerator<JobStretch> {
      try {
        for await (const { ids, looked } of read(tenantId, source)) {
          yield { jobs: await readJobs(tenantId, ids), looked };
        }
      } catch (error) {
        throw asUnavailable(error);
      }
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

/** Oldest first. A string that came anew after its earlier ones had expired begins with zeros. */
function unpackIds(packed: Buffer): string[] {
  const ids: string[] = [];
  for (let at = 0; at + 16 <= packed.length; at += 16) {
    const hex = packed.toString("hex", at, at + 16);
    if (/^0+$/.test(hex)) continue;
    ids.push(hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
  }
  return ids;
}
