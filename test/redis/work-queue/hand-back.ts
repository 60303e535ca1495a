import { randomUUID } from "node:crypto";
import t from "tap";
import { openStore } from "../../support/store.ts";
import { addJob, completed, depth, openQueue, settle } from "../../support/work.ts";

const tenantId = randomUUID();

t.test("work that is handed back waits again at once, and its attempt does not count", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const ids = [await addJob(store, { tenantId }), await addJob(store, { tenantId, workClass: "bulk" })];
  const [leaving, staying] = [await openQueue(store), await openQueue(store)];
  const taken = await leaving.claim([0], 10);
  await leaving.handBack(taken);
  t.strictSame(await depth(store, 0), { entries: 2, pending: 0 });
  const again = await staying.claim([0], 10);
  t.strictSame(
    again.map(({ id, attempt, workClass }) => [id, attempt, workClass]),
    [
      [ids[0], 1, "interactive"],
      [ids[1], 1, "bulk"],
    ],
  );
  for (const [index, task] of taken.entries()) t.not(again[index]?.lease, task.lease, "under a new lease");
});

t.test("who handed work back cannot settle it any more", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  await addJob(store, { tenantId });
  const queue = await openQueue(store);
  const [task] = await queue.claim([0], 1);
  if (task === undefined) throw new Error("there is no work");
  await queue.handBack([task]);
  await queue.handBack([task]);
  t.equal(await settle(store, task, completed), false);
  t.strictSame(await depth(store, 0), { entries: 1, pending: 0 }, "a second time changes nothing");
});
