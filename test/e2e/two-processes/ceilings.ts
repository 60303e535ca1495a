import type { Test } from "tap";
import { atOnce, balanceOf, loyaltyCard, newcomer, type Surroundings } from "./surroundings.ts";

const requests = 500;
const affordable = 37;
const newKey = () => ({ "idempotency-key": crypto.randomUUID() });

export async function ceilings(t: Test, surroundings: Surroundings) {
  for (const { name, funds, error, left } of [
    {
      name: "a balance",
      funds: ["--credits", String(affordable)],
      error: "insufficient_credits",
      left: { credits: 0 },
    },
    {
      name: "a contract's cap",
      funds: ["--contract-cap", String(affordable)],
      error: "contract_cap_reached",
      left: { used: affordable },
    },
  ]) {
    t.test(
      `of ${requests} creates at one moment on ${name} of ${affordable} just as many succeed`,
      async (t) => {
        const caller = await newcomer(surroundings, { name, funds });
        const replies = await atOnce(requests, caller.clients, () => {
          const [body, key] = [loyaltyCard(surroundings), newKey()];
          return (place) => place.post("/api/v1/passes", body, key);
        });
        const made = replies.filter(({ status }) => status === 202);
        t.equal(made.length, affordable);
        t.equal(new Set(made.map(({ json }) => json.id)).size, affordable);
        for (const reply of replies) {
          if (reply.status === 202) continue;
          t.equal(reply.status, 402, reply.text);
          t.match(reply.json, { error });
        }
        t.match(await balanceOf(surroundings, caller), left);
        t.equal((await caller.clients[1].get("/api/v1/passes")).json.total, affordable);
      },
    );
  }

  t.test("batches at one moment reserve no more than there is", async (t) => {
    const caller = await newcomer(surroundings, { name: "Batches", funds: ["--credits", "17"] });
    const replies = await atOnce(20, caller.clients, () => {
      const passes = Array.from({ length: 5 }, () => loyaltyCard(surroundings));
      const body = { operations: passes.map((pass) => ({ type: "create", pass })) };
      const key = newKey();
      return (place) => place.post("/api/v1/batches", body, key);
    });
    const statuses = replies.map(({ status }) => status).sort();
    t.strictSame(statuses, [...Array(3).fill(202), ...Array(17).fill(402)]);
    t.match(await balanceOf(surroundings, caller), { credits: 2 });
  });
}
