import t from "tap";
import { requestsAMinute } from "../../src/domain/tenants/request-rate.ts";
import { createRequestCounter } from "../../src/redis/request-counter.ts";
import { createTenantFigures } from "../../src/redis/tenant-figures.ts";
import { keysOf, openStore } from "../support/store.ts";

t.test("requests of several processes add up, each tenant's apart", async (t) => {
  const store = await openStore(t);
  const counters = [createRequestCounter(store, store.clock), createRequestCounter(store, store.clock)];
  const [one, other] = [store.ids.uuid(), store.ids.uuid()];
  for (const counter of counters) {
    for (let each = 0; each < 5; each += 1) counter.count(one);
    counter.count(other);
    await counter.write();
  }
  const figures = createTenantFigures(store);
  t.match(await figures(one, store.clock.nowMs()), { requests: 10 });
  t.match(await figures(other, store.clock.nowMs()), { requests: 2 });
});

t.test("what was written is not written again, and without requests nothing is", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const counter = createRequestCounter(store, store.clock);
  const tenantId = store.ids.uuid();
  await counter.write();
  t.strictSame(await keysOf(store), []);
  counter.count(tenantId);
  await counter.write();
  await counter.write();
  const [hash = ""] = await keysOf(store);
  t.strictSame(await store.connection.hgetall(hash), { [tenantId]: "1" });
  t.ok((await store.connection.ttl(hash)) <= 180, "it goes by itself");
});

t.test("a rate is of the last sixty seconds, over the turn of the minute", async (t) => {
  const minute = 60_000 * 29_900_000;
  t.equal(requestsAMinute({ thisMinute: 0, before: 60 }, minute), 60);
  t.equal(requestsAMinute({ thisMinute: 10, before: 60 }, minute + 15_000), 55);
  t.equal(requestsAMinute({ thisMinute: 60, before: 0 }, minute + 59_999), 60);
});
