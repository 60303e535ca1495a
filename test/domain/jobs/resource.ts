import t from "tap";
import { isFinished, type Job } from "../../../src/domain/jobs/job.ts";
import { jobResource } from "../../../src/domain/jobs/resource.ts";
import { examplePass, instant, instantMs, tenantId } from "../fixtures/examples.ts";

const job: Job = {
  id: examplePass.jobId,
  tenantId,
  type: "pass.create",
  status: "queued",
  resource: { type: "pass", id: examplePass.id },
  attempts: 0,
  progress: { done: 0, total: 2 },
  error: null,
  warnings: [],
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  createdAtMs: instantMs,
  startedAtMs: null,
  finishedAtMs: null,
};

t.test("a job that waits is shown with every member, those that are not yet known as null", async (t) => {
  t.strictSame(jobResource(job), {
    id: examplePass.jobId,
    type: "pass.create",
    status: "queued",
    resource: { type: "pass", id: examplePass.id },
    attempts: 0,
    progress: { done: 0, total: 2 },
    error: null,
    created_at: instant,
    started_at: null,
    finished_at: null,
  });
});

t.test("a job that failed says why and when", async (t) => {
  const error = { code: "provider_rejected", description: "Refused." };
  const failed: Job = {
    ...job,
    status: "failed",
    error,
    startedAtMs: instantMs,
    finishedAtMs: instantMs + 1,
  };
  t.match(jobResource(failed), {
    status: "failed",
    error: { error: "provider_rejected", error_description: "Refused." },
    started_at: instant,
    finished_at: "2026-11-21T06:43:46.626Z",
  });
});

t.test("completed, failed and cancelled are final, the others are not", async (t) => {
  const finished = (["queued", "running", "retrying", "completed", "failed", "cancelled"] as const).filter(
    (status) => isFinished({ status }),
  );
  t.strictSame(finished, ["completed", "failed", "cancelled"]);
});
