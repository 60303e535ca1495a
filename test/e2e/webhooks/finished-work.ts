import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import { newReference } from "../support/passes.ts";
import { openListener } from "./listener.ts";
import { loyaltyCard, type Surroundings } from "./surroundings.ts";

export async function finishedWork(t: Test, surroundings: Surroundings) {
  t.test("a finished job is an event with the job as its GET shows it, signed and recorded", async (t) => {
    const { passwright, tenantId, event, history } = await openListener(surroundings);
    const job = await passwright.jobs.waitFor(await passwright.passes.create(loyaltyCard(surroundings)));
    const arrived = await event("job.completed", job.id);
    t.strictSame(arrived.event.data, job);
    t.match(arrived.event, { tenant_id: tenantId, created_at: job.finished_at });
    t.match(arrived.signatures, { x_service_signature: { valid: true }, standard_webhooks: { valid: true } });
    const record = await eventually(async () =>
      (await history()).find((one) => one.event_id === arrived.event.id && one.status === "delivered"),
    );
    t.match(record, {
      id: arrived.headers["x-service-delivery"],
      event_type: "job.completed",
      attempts: [{ number: 1, status_code: 200, error: null }],
      next_attempt_at: null,
    });
    t.equal((await history()).length, 2, "the pass's creation and the job's end, once each");
  });

  t.test("a finished batch is an event with the batch as its GET shows it", async (t) => {
    const { passwright, event } = await openListener(surroundings);
    const pass = loyaltyCard(surroundings);
    const { id } = await passwright.batches.create({
      operations: [
        { type: "create", pass },
        { type: "create", pass: { ...pass, external_ref: newReference() } },
        { type: "update", external_ref: "nobody", data: {} },
      ],
    });
    const arrived = await event("batch.completed", id);
    t.strictSame(arrived.event.data, await passwright.batches.get(id));
    t.match(arrived.event.data, { status: "completed", total: 3, succeeded: 2, failed: 1 });
  });
}
