import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import { judgeDelivery, judgeList } from "../support/judgements.ts";
import { deliveriesTo, instruct } from "../support/sandbox.ts";
import { loyaltyCard, type Surroundings, subscribe } from "./surroundings.ts";

export async function isolation(t: Test, surroundings: Surroundings) {
  const { service, client } = surroundings;

  t.test("receivers that never answer or only fail delay no other, and end as dead letters", async (t) => {
    const subscribed = () => subscribe(surroundings, client, ["pass.created"]);
    const [silent, failing, alive] = [await subscribed(), await subscribed(), await subscribed()];
    await instruct(service, silent.receiver, { delay_ms: 28_000 });
    await instruct(service, failing.receiver, { status: 500 });
    const passes = [];
    for (let n = 0; n < 15; n++) passes.push(await client.post("/api/v1/passes", loyaltyCard(surroundings)));
    for (const { status, text } of passes) t.equal(status, 202, text);
    await eventually(async () => {
      const all = await deliveriesTo(service, alive.receiver);
      return all.length === passes.length ? true : undefined;
    });

    const waiting = await client.get(`${silent.at}/deliveries?page_size=100`);
    judgeList(t, waiting, judgeDelivery);
    t.equal(waiting.json.total, passes.length);
    const answered = waiting.json.data.filter(({ status }: { status: string }) => status === "delivered");
    t.strictSame(answered, [], "all of that happened before the silent one answered once");

    const list = await eventually(async () => {
      const reply = await client.get(`${failing.at}/deliveries?page_size=100`);
      const dead = reply.json.data.filter(({ status }: { status: string }) => status === "dead_lettered");
      return dead.length === passes.length ? reply : undefined;
    });
    judgeList(t, list, judgeDelivery);
    for (const { attempts, next_attempt_at } of list.json.data) {
      t.equal(attempts.at(-1).number, 3, "as many as the schedule has");
      for (const { status_code, error } of attempts) {
        t.equal(status_code, 500);
        t.type(error, "string");
      }
      t.equal(next_attempt_at, null);
    }
  });
}
