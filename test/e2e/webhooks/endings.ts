import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import { finished } from "../support/passes.ts";
import { deliveriesTo, instruct } from "../support/sandbox.ts";
import { openListener } from "./listener.ts";
import { loyaltyCard, type Surroundings } from "./surroundings.ts";

export async function endings(t: Test, surroundings: Surroundings) {
  const { service } = surroundings;
  t.test("a webhook that is switched off gets nothing, and goes on when it is switched on", async (t) => {
    const { client, receiver, event, change } = await openListener(surroundings);
    const create = async () => client.post("/api/v1/passes", loyaltyCard(surroundings));
    t.match(await change({ is_active: false }), { status: 200, json: { is_active: false } });
    await finished(client, await create());
    t.match(await change({ is_active: true }), { status: 200, json: { is_active: true } });
    const second = await create();
    await event("pass.created", second.json.id);
    const created = (await deliveriesTo(service, receiver))
      .map(({ body }) => JSON.parse(body))
      .filter(({ type }) => type === "pass.created");
    t.strictSame(
      created.map(({ data }) => data.id),
      [second.json.id],
    );
  });

  t.test(
    "a delivery that nobody takes is tried as often as the schedule says, and then shown as dead",
    async (t) => {
      const { client, receiver, history, change } = await openListener(surroundings);
      await change({ events: ["pass.created"] });
      await instruct(service, receiver, { status: 500 });
      await client.post("/api/v1/passes", loyaltyCard(surroundings));
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
    const { client, receiver, path, change } = await openListener(surroundings);
    await change({ events: ["pass.created"] });
    t.equal((await client.ask(path, { method: "DELETE" })).status, 204);
    await finished(client, await client.post("/api/v1/passes", loyaltyCard(surroundings)));
    t.strictSame(await deliveriesTo(service, receiver), []);
    t.equal((await client.get(`${path}/deliveries`)).status, 404);
  });
}
