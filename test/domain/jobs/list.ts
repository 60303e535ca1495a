import t from "tap";
import type { JobSource, JobStretch } from "../../../src/domain/jobs/history.ts";
import type { Job, JobStatus, JobType } from "../../../src/domain/jobs/job.ts";
import { listJobs, mostLookedAt } from "../../../src/domain/jobs/list.ts";

function jobOf(id: string, status: JobStatus = "completed", type: JobType = "pass.create"): Job {
  return {
    ...{ id, tenantId: "acme", type, status, resource: { type: "pass", id: "pass" }, attempts: 1 },
    ...{ progress: { done: 1, total: 1 }, error: null, warnings: [], traceId: "" },
    ...{ createdAtMs: 0, startedAtMs: null, finishedAtMs: null },
  };
}

/** A history of such stretches; what was asked for is written down. */
function historyOf(stretches: readonly JobStretch[]) {
  const asked: JobSource[] = [];
  let read = 0;
  return {
    asked,
    read: () => read,
    jobHistory: {
      async *stretches(_tenantId: string, source: JobSource) {
        asked.push(source);
        for (const stretch of stretches) {
          read += 1;
          yield stretch;
        }
      },
    },
  };
}

const everything = { tenantId: "acme", status: null, type: null, limit: 10 };

t.test("each status is looked for where there is least to look at", async (t) => {
  const history = historyOf([]);
  for (const status of [null, "completed", "queued", "running", "retrying", "failed", "cancelled"] as const) {
    await listJobs(history, { ...everything, status });
  }
  t.strictSame(history.asked, ["accepted", "accepted", "open", "open", "open", "failed", "cancelled"]);
  history.asked.length = 0;
  for (const type of ["pass.update", "batch.process", "message.send"] as const) {
    await listJobs(history, { ...everything, type });
  }
  await listJobs(history, { ...everything, status: "failed", type: "batch.process" });
  t.strictSame(history.asked, ["accepted", "batches", "messages", "failed"]);
});

t.test("status and type sift, and a list that is long enough reads no further", async (t) => {
  const jobs = [
    jobOf("1", "running"),
    jobOf("2", "queued"),
    jobOf("3", "queued", "batch.process"),
    jobOf("4", "queued"),
    jobOf("4", "queued"),
  ];
  const history = historyOf([
    { jobs, looked: 5 },
    { jobs: [jobOf("5", "queued"), jobOf("6", "queued")], looked: 2 },
    { jobs: [jobOf("7", "queued")], looked: 1 },
  ]);
  const { jobs: found, isWhole } = await listJobs(history, {
    ...{ tenantId: "acme", status: "queued", type: "pass.create", limit: 3 },
  });
  t.strictSame(
    found.map(({ id }) => id),
    ["2", "4", "5"],
  );
  t.ok(isWhole);
  t.equal(history.read(), 2);
});

t.test("a search for what hardly ever occurs ends after so many, and says so", async (t) => {
  const none = { jobs: [], looked: mostLookedAt / 2 };
  const history = historyOf([{ ...none, jobs: [jobOf("1")] }, none, none]);
  const { jobs, isWhole } = await listJobs(history, everything);
  t.match([jobs, isWhole], [[{ id: "1" }], false]);
  t.equal(history.read(), 2);
  t.match(await listJobs(historyOf([none]), everything), { jobs: [], isWhole: true });
});
