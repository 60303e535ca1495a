import t from "tap";
import { cancelJob } from "../../../src/domain/jobs/cancel.ts";
import { passOf } from "../../support/issuer.ts";
import { openJobs } from "../../support/jobs.ts";
import { openStore } from "../../support/store.ts";

t.test("a batch that no worker has begun is cancelled with its job", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 1 }));
  const { tenantId } = jobs;
  const jobId = await jobs.createBatch();
  const { job } = await cancelJob(jobs, { tenantId, jobId });
  t.match(job, { status: "cancelled", finishedAtMs: jobs.clock.nowMs() });
  t.match(await jobs.batches.find(tenantId, job.resource.id), { status: "cancelled" });
  t.strictSame(await jobs.take(), []);
  await t.rejects(cancelJob(jobs, { tenantId, jobId }), {
    ...{ code: "invalid_state", detail: /is cancelled: there is nothing left/ },
  });
});

t.test("what a worker has begun goes on", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 1 }));
  const jobId = await jobs.createBatch();
  t.equal((await jobs.take()).length, 1);
  await t.rejects(cancelJob(jobs, { tenantId: jobs.tenantId, jobId }), {
    ...{ code: "invalid_state", detail: /A worker has begun the batch/ },
  });
});

t.test("passes and messages cannot be taken back, and the refusal says what can be done", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 1 }));
  const { tenantId } = jobs;
  const pass = passOf(await jobs.issuer.create());
  await t.rejects(cancelJob(jobs, { tenantId, jobId: pass.job_id }), {
    ...{ code: "invalid_state", detail: new RegExp(`PATCH or DELETE of /api/v1/passes/${pass.id}`) },
  });
  const jobId = await jobs.sendMessage(pass.id);
  await t.rejects(cancelJob(jobs, { tenantId, jobId }), { code: "invalid_state", detail: /message/ });
  t.match((await jobs.jobHistory.details(tenantId, jobId))?.job, { status: "queued" });
});

t.test("another tenant's job is none", async (t) => {
  const jobs = await openJobs(await openStore(t, { partitions: 1 }));
  const jobId = await jobs.createBatch();
  for (const named of [
    { tenantId: jobs.store.ids.uuid(), jobId },
    { tenantId: jobs.tenantId, jobId: "nonsense" },
  ]) {
    await t.rejects(cancelJob(jobs, named), { code: "not_found" });
  }
});
