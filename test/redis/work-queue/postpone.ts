import { randomUUID } from "node:crypto";
import t from "tap";
import { openStore } from "../../support/store.ts";
import { addJob, completed, depth, openQueue, settle } from "../../support/work.ts";

const tenantId = randomUUID();

t.test("work that is postponed comes back when it is due, and its attempt does not count", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const id = await addJob(store, { tenantId, workClass: "webhooks" });
  const queue = await openQueue(store);
  const [task] = await queue.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await queue.postpone(task, 2000.4);
  t.strictSame(await depth(store, 0), { entries: 0, pending: 0 }, "it does not stand in the way");
  t.equal(await settle(store, task, completed), false, "and is in nobody's hands");
  store.clock.forward(2000);
  t.match(await queue.promoteDue(store.clock.nowMs()), { promoted: 0 });
  store.clock.forward(1);
  t.match(await queue.promoteDue(store.clock.nowMs()), { promoted: 1 });
  const [again] = await queue.claim([0], 1);
  t.match(again, { id, attempt: 1, workClass: "webhooks", lane: task.lane });
});

t.test("who has lost a lease postpones nothing", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await addJob(store, { tenantId });
  const queue = await openQueue(store);
  const [task] = await queue.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await queue.handBack([task]);
  await queue.postpone(task, 1000);
  t.strictSame(await depth(store, 0), { entries: 1, pending: 0 });
  t.match((await queue.claim([0], 1))[0], { attempt: 1 });
});
