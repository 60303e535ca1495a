import t from "tap";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { Task } from "../../../src/domain/jobs/work.ts";
import { exceptOfGoneTenants } from "../../../src/domain/tenants/gone-work.ts";

const task: Task = {
  ...{ lease: "1-0", partition: 0, workClass: "webhooks", tenantId: "tenant", kind: "delivery", id: "id" },
  ...{ lane: "send", attempt: 1, record: {} },
};

/** Answers only the third time. */
function afterAnOutage<Answer>(answer: Answer): () => Promise<Answer> {
  let asked = 0;
  return async () => {
    asked += 1;
    if (asked < 3) throw new PasswrightError("unavailable", "The store does not answer.");
    return answer;
  };
}

const never = new AbortController().signal;

t.test(
  "work begins when the store can say that its tenant is there, and no attempt is lost before",
  async (t) => {
    const carryOut = exceptOfGoneTenants(
      { tenantIsGone: afterAnOutage(false), dropTask: async () => t.fail("it is dropped") },
      async () => ({ outcome: "delivered" }),
    );
    t.strictSame(await carryOut(task, never), { outcome: "delivered" });
  },
);

t.test("work of a tenant that is gone is dropped as soon as the store can do it", async (t) => {
  const carryOut = exceptOfGoneTenants(
    { tenantIsGone: async () => true, dropTask: afterAnOutage(true) },
    async () => t.fail("it is carried out") as never,
  );
  t.strictSame(await carryOut(task, never), { outcome: "gone" });
});

t.test("who has lost the work does not wait for the store", async (t) => {
  const carryOut = exceptOfGoneTenants(
    { tenantIsGone: afterAnOutage(false), dropTask: async () => true },
    async () => ({ outcome: "delivered" }),
  );
  await t.rejects(carryOut(task, AbortSignal.abort()), { code: "unavailable" });
});
