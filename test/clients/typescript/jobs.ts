import t from "tap";
import { PasswrightJobError } from "../../../clients/typescript/src/index.ts";
import { refusal, startService } from "./fixtures/service.ts";

const job = (status: string, more = {}) => ({
  status: 200,
  body: { id: "a-job", status, error: null, ...more },
});

t.test("the service is asked to hold its answer, until the job is finished", async (t) => {
  const service = await startService(t, (_, count) => job(count === 1 ? "running" : "completed"));
  const seen: string[] = [];
  const done = await service
    .client()
    .jobs.waitFor("a-job", { onProgress: ({ status }) => seen.push(status) });
  t.match(done, { id: "a-job", status: "completed" });
  t.strictSame(
    service.asked.map(({ path }) => path),
    ["/api/v1/jobs/a-job?wait=20", "/api/v1/jobs/a-job?wait=20"],
  );
  t.strictSame(seen, ["running"]);
});

t.test("what names a job will do: a pass, a batch, a message", async (t) => {
  const service = await startService(t, () => job("completed"));
  await service.client().jobs.waitFor({ job_id: "a-job" });
  t.equal(service.asked[0]?.path, "/api/v1/jobs/a-job?wait=20");
});

t.test("a job that failed is thrown, with why", async (t) => {
  const error = { error: "provider_rejected", error_description: "Google refused the class." };
  const service = await startService(t, () => job("failed", { error }));
  const reason = await service
    .client()
    .jobs.waitFor("a-job")
    .catch((thrown) => thrown);
  t.ok(reason instanceof PasswrightJobError);
  t.match(reason, {
    code: "provider_rejected",
    description: "Google refused the class.",
    status: undefined,
    job: { id: "a-job", status: "failed" },
  });
});

t.test("a job that was cancelled is thrown too", async (t) => {
  const service = await startService(t, () => job("cancelled"));
  await t.rejects(service.client().jobs.waitFor("a-job"), { code: "job_cancelled" });
});

t.test("the time that the service may hold an answer does not count as silence", async (t) => {
  const service = await startService(t, () => "silence");
  const client = service.client({ timeoutMs: 100, maxRetries: 0 });
  await t.rejects(client.jobs.waitFor("a-job", { holdSeconds: 1 }), { message: /within 1100 ms/ });
});

t.test("a service that stops meanwhile is asked again", async (t) => {
  const service = await startService(t, (_, count) =>
    count === 1 ? refusal(503, "unavailable") : job("completed"),
  );
  t.match(await service.client().jobs.waitFor("a-job"), { status: "completed" });
});

t.test("an abort ends the waiting", async (t) => {
  const controller = new AbortController();
  const service = await startService(t, () => {
    setImmediate(() => controller.abort(new Error("no time")));
    return job("running");
  });
  await t.rejects(service.client().jobs.waitFor("a-job", { signal: controller.signal }), {
    message: "no time",
  });
});
