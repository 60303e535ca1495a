import type { Test } from "tap";
import { newReference } from "../support/passes.ts";
import { filledSample, issuePass } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

export async function broadcasts(t: Test, { passwright, templateId }: Surroundings) {
  t.test("a batch does what it can, and says what it could not", async (t) => {
    const pass = await filledSample(passwright, templateId);
    const external_ref = newReference();
    const accepted = await passwright.batches.create({
      name: "nightly",
      operations: [
        { type: "create", pass: { ...pass, external_ref } },
        { type: "update", external_ref, data: { points: "99" } },
        { type: "revoke", external_ref: "nobody's" },
      ],
    });
    t.match(accepted, { name: "nightly", total: 3 });
    const job = await passwright.jobs.waitFor(accepted);
    t.match(job, { type: "batch.process", progress: { done: 3, total: 3 } });
    const batch = await passwright.batches.get(accepted.id);
    t.match(batch, { status: "completed", succeeded: 2, failed: 1 });
    t.match(batch.errors, [{ index: 2, error: "not_found" }]);
    const found = await passwright.passes.list({ external_ref });
    t.match(found.data, [{ version: 2, data: { points: "99" } }]);
    await t.rejects(passwright.batches.cancel(accepted.id), { status: 409, code: "invalid_state" });
    const batches = await passwright.batches.list({ status: "completed" });
    t.ok(batches.data.some(({ id }) => id === accepted.id));
  });

  t.test("a message to one pass, and one to all of a template", async (t) => {
    const pass = await issuePass(passwright, await filledSample(passwright, templateId));
    const words = { header: "Hello", body: "Your table is ready." };
    const single = await passwright.messages.send({ pass_id: pass.id, ...words });
    t.match(single, { pass_id: pass.id, ...words, status: "pending", affected_passes: 1 });
    t.match(await passwright.jobs.waitFor(single), { type: "message.send", status: "completed" });
    t.equal((await passwright.messages.get(single.id)).status, "sent");
    const ofPass = await passwright.passes.listMessages(pass.id);
    t.strictSame(
      ofPass.data.map(({ id }) => id),
      [single.id],
    );

    const broadcast = await passwright.messages.send({ template_id: templateId, ...words });
    t.ok(broadcast.affected_passes > 1);
    await passwright.jobs.waitFor(broadcast);
    const listed: string[] = [];
    for await (const { id } of passwright.messages.list({ template_id: templateId })) listed.push(id);
    t.strictSame(listed, [broadcast.id]);
  });

  t.test("what happened to a pass can be read, one by one and counted", async (t) => {
    const pass = await issuePass(passwright, await filledSample(passwright, templateId));
    const types: string[] = [];
    for await (const event of passwright.analytics.listEvents({ pass_id: pass.id, page_size: 1 })) {
      types.push(event.event_type);
    }
    t.strictSame(types, ["pass.activated", "pass.created"], "newest first");
    const today = `${pass.created_at.slice(0, 10)}T00:00:00.000Z`;
    const summary = await passwright.analytics.summarize({ from: today });
    t.equal(summary.from, today);
    t.ok(summary.active_passes > 0);
    t.ok(Number(summary.totals["pass.created"]) > 1);
    t.equal(summary.days.at(-1)?.date, pass.created_at.slice(0, 10));
  });
}
