import t from "tap";
import { expireEvents } from "../../../src/daemon/tasks/expire-events.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { createEventRetention, createEventStore } from "../../../src/redis/events.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { recordEvents } from "../../support/events.ts";
import { openStore } from "../../support/store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const store = await openStore(t);
const { ids, clock } = store;
const events = createEventStore(store);
const eventRetention = createEventRetention(store);
const task = expireEvents({ eventRetention, eventRetentionMs: 400 * dayMs, clock });
const on = new AbortController().signal;

async function tenantWith(ages: readonly number[]) {
  const tenants = createTenantStore(store);
  const billing = { mode: "prepaid", credits: 0 } as const;
  const { id } = await createTenant({ tenants, ids, clock }, { name: "Example", billing });
  const recorded = ages.map((days) => ({
    id: ids.uuid(),
    type: "pass.viewed" as const,
    occurredAtMs: clock.nowMs() - days * dayMs,
  }));
  for (let i = 0; i < ages.length; i += 250) await recordEvents(store, id, recorded.slice(i, i + 250));
  return async () => (await events.list(id, {}, { page: 1, pageSize: 1 })).total;
}

t.test("of every tenant, whatever partition it is in, the events past the retention go", async (t) => {
  const left = [];
  for (let i = 0; i < 5; i += 1) left.push(await tenantWith([500, 401, 400, 399, 0]));
  left.push(await tenantWith([]));
  left.push(await tenantWith(Array.from({ length: 5000 }, () => 401)));
  t.strictSame(await task.run(on), { events: 5 * 2 + 5000 });
  t.strictSame(await Promise.all(left.map((total) => total())), [3, 3, 3, 3, 3, 0, 0]);
  t.strictSame(await task.run(on), { events: 0 });
});

t.test("every tenant is reached, also where a partition has more than one read of them", async (t) => {
  for (let i = 0; i < 230; i += 1) await tenantWith([]);
  const total = await tenantWith([401]);
  let seen = 0;
  for await (const _ of eventRetention.tenants()) seen += 1;
  t.equal(seen, 7 + 231);
  await task.run(on);
  t.equal(await total(), 0);
});

t.test("a run that is cut short ends after its step, and the next one does the rest", async (t) => {
  await tenantWith(Array.from({ length: 9000 }, () => 401));
  const stopping = new AbortController();
  const stopped = expireEvents({
    eventRetentionMs: 400 * dayMs,
    clock,
    eventRetention: {
      ...eventRetention,
      async expire(tenantId, beforeMs) {
        const step = await eventRetention.expire(tenantId, beforeMs);
        if (step.expired > 0) stopping.abort();
        return step;
      },
    },
  });
  const { events: first = 0 } = await stopped.run(stopping.signal);
  t.ok(first > 0 && first < 9000, String(first));
  t.strictSame(await task.run(on), { events: 9000 - first });
});
