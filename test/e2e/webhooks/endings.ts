import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import { deliveriesTo, instruct } from "../support/sandbox.ts";
import { openListener } from "./listener.ts";
import { loyaltyCard, type Surroundings } from "./surroundings.ts";

export async function endings(t: Test, surroundings: Surroundings) {
  const { service } = surroundings;
  t.test("a webhook that is switched off gets nothing, and goes on when it is switched on", async (t) => {
    const { passwright, received, event, change } = await openListener(surroundings);
    const create = () => passwright.passes.create(loyaltyCard(surroundings));
    t.equal((await change({ is_active: false })).is_active, false);
    await passwright.jobs.waitFor(await create());
    t.equal((await change({ is_active: true })).is_active, true);
    const second = await create();
    await event("pass.created", second.id);
    const created = (await received()).filter(({ event }) => event.type === "pass.created");
    t.strictSame(
      created.map(({ event }) => event.data.id),
      [second.id],
    );
  });

  t.test(
    "a delivery that nobody takes is tried as often as the schedule says, and then shown as dead",
    async (t) => {
      const { passwright, receiver, history, change } = await openListener(surroundings);
      await change({ events: ["pass.created"] });
      await instruct(service, receiver, { status: 500 });
      await passwright.passes.create(loyaltyCard(surroundings));
      const [record] = await eventually(async () => {
        const records = await history();
        return records[0]?.status === "dead_lettered" ? records : undefined;
      });
      t.match(record, {
        attempts: [1, 2, 3].map((number) => ({ number, status_code: 500, error: "answered 500" })),
        next_attempt_at: null,
      });
      const deliveries = await deliveriesTo(service, receiver);
      t.equal(new Set(deliveries.map(({ headers }) => headers["x-service-delivery"])).size, 1);
    },
  );

  t.test("a deleted webhook gets nothing more", async (t) => {
    const { passwright, receiver, id, change } = await openListener(surroundings);
    await change({ events: ["pass.created"] });
    await passwright.webhooks.delete(id);
    await passwright.jobs.waitFor(await passwright.passes.create(loyaltyCard(surroundings)));
    t.strictSame(await deliveriesTo(service, receiver), []);
    await t.rejects(passwright.webhooks.listDeliveries(id), { code: "not_found" });
  });
}
