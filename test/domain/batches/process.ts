import t, { type Test } from "tap";
import type { BatchOperation } from "../../../src/domain/batches/batch.ts";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { processBatch } from "../../../src/domain/batches/process.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { Task } from "../../../src/domain/jobs/work.ts";
import type { PassStore } from "../../../src/domain/passes/pass.ts";
import { createBatchStore, createBatchWork } from "../../../src/redis/batches.ts";
import { openIssuer } from "../../support/issuer.ts";
import { readableLog } from "../../support/log.ts";
import { openStore } from "../../support/store.ts";
import { openQueue, silence } from "../../support/work.ts";

const never = new AbortController().signal;

/** An accepted batch, and a worker that may be given another store of passes. */
async function accepted(t: Test, operations: (templateId: string) => BatchOperation[]) {
  const store = await openStore(t, { partitions: 1 });
  const issuer = await openIssuer(store);
  const queue = await openQueue(store);
  const batches = createBatchStore(store);
  const { tenantId } = issuer;
  const { body } = await createBatch(
    { ...issuer, batches },
    { tenantId, name: null, operations: operations(issuer.templateId), idempotency: null, traceId: "0" },
  );
  const { id } = JSON.parse(body);
  const deps = {
    ...issuer,
    batchWork: createBatchWork(store, store.clock),
    jobRetrySchedule: [0],
    log: readableLog(),
  };
  return {
    store,
    issuer,
    /** The batch's own task, among those of its passes. */
    async take(): Promise<Task> {
      const tasks = await queue.claim([0], 1000, { classes: ["bulk"] });
      const task = tasks.find(({ record }) => record.type === "batch.process");
      if (task === undefined) throw new Error("there is no work");
      return task;
    },
    /** Its worker shows itself no more. */
    async lose(task: Task) {
      await silence(store, task, 120_000);
      await queue.reclaimLost();
    },
    work: (task: Task, passes: Partial<PassStore> = {}, signal = never) =>
      processBatch({ ...deps, passes: { ...issuer.passes, ...passes } }, task, signal),
    read: () => batches.find(tenantId, id),
  };
}

const away: PassStore["change"] = async () => {
  throw new PasswrightError("unavailable", "The store is away.");
};

const createAndUpdate = (templateId: string): BatchOperation[] => [
  { type: "create", templateId, intent: "loyalty_card", externalRef: "a", data: { name: "Ada" } },
  { type: "update", name: { externalRef: "a" }, data: { points: "1" } },
  { type: "update", name: { externalRef: "a" }, data: { points: "2" } },
];

t.test("what was begun is finished by the next, with nothing done twice", async (t) => {
  const { issuer, take, lose, work, read } = await accepted(t, createAndUpdate);
  const first = await take();
  await t.rejects(work(first, { change: away }), { code: "unavailable" });
  t.match(await read(), { status: "processing", succeeded: 0, failed: 0 });
  await lose(first);
  const second = await take();
  t.strictSame(await work(first), { outcome: "lost" }, "the first has no say any more");
  // One attempt is all there is; it moves on because the batch does.
  t.strictSame(await work({ ...second, attempt: 1 }), { outcome: "completed", operations: 3 });
  t.match(await read(), { status: "completed", succeeded: 3, failed: 0 });
  const pass = await issuer.passes.findByExternalRef(issuer.tenantId, "a");
  t.match(pass, { version: 3, data: { name: "Ada", points: "2" } });
  t.match(await issuer.balance(), { credits: 999 });
});

t.test("what no worker survives is given up; what one of them had done stays done", async (t) => {
  const { issuer, take, lose, work, read } = await accepted(t, createAndUpdate);
  const first = await take();
  await t.rejects(work(first, { change: away }), { code: "unavailable" });
  await lose(first);
  const last = await take();
  t.equal(last.attempt, 2, "one more than the schedule has");
  t.strictSame(await work(last), { outcome: "completed", operations: 3 });
  const lost = { code: "worker_lost" };
  t.match(await read(), {
    ...{ status: "completed", succeeded: 1, failed: 2 },
    errors: [
      { index: 1, ...lost },
      { index: 2, ...lost },
    ],
  });
  t.match(await issuer.passes.findByExternalRef(issuer.tenantId, "a"), { version: 1 });
  t.match(await issuer.balance(), { credits: 999 });
});

t.test("an attempt that ends leaves nothing of its step going on", async (t) => {
  const refs = Array.from({ length: 60 }, (_, i) => `ref-${i}`);
  const { issuer, take, work } = await accepted(t, (templateId) =>
    refs.map((externalRef) => ({
      type: "create",
      ...{ templateId, intent: "loyalty_card", externalRef, data: { name: "Ada" } },
    })),
  );
  const end = new AbortController();
  let begun = 0;
  const create: PassStore["create"] = async (creation) => {
    begun += 1;
    if (begun === 10) end.abort();
    return issuer.passes.create(creation);
  };
  await t.rejects(work(await take(), { create }, end.signal), { name: "AbortError" });
  const { total } = await issuer.passes.list(issuer.tenantId, {}, { page: 1, pageSize: 1 });
  t.equal(total, begun, "what had begun has ended");
  t.ok(begun < 20, "and nothing follows");
});
