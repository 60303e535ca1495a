import t from "tap";
import { openDeadLetters } from "../support/dead-letters.ts";
import { openReplays } from "../support/replays.ts";
import { openStore } from "../support/store.ts";

t.test("of several processes that take a task at once, one gets it", async (t) => {
  const store = await openStore(t);
  await openDeadLetters(store).killJob(store.ids.uuid());
  const first = openReplays(store);
  const { id } = (await first.start()).task;
  const others = await Promise.all(
    [2, 3, 4, 5].map(async (pid) =>
      openReplays(store, { through: await store.another(), holder: `host:${pid}` }),
    ),
  );
  const taken = () => Promise.all(others.map(({ replayTasks }) => replayTasks.take(id)));
  t.strictSame(await taken(), [null, null, null, null], "who began it holds it");
  store.clock.forward(4999);
  t.strictSame(await taken(), [null, null, null, null]);
  store.clock.forward(1);
  const holds = (await taken()).filter((held) => held !== null);
  t.match(holds, [{ fence: 2 }]);
  t.equal(holds.length, 1);
});

t.test("a hold that is renewed in time goes on, and ends with another's", async (t) => {
  const store = await openStore(t);
  await openDeadLetters(store).killJob(store.ids.uuid());
  const [one, other] = [openReplays(store, { holder: "host:1" }), openReplays(store, { holder: "host:2" })];
  const held = await one.start();
  store.clock.forward(4000);
  t.equal(await one.replayTasks.renew(held), true);
  store.clock.forward(4000);
  t.equal(await other.replayTasks.take(held.task.id), null);
  store.clock.forward(1000);
  t.match(await one.look(held.task.id), { status: "running", heldBy: null });
  const taken = await other.replayTasks.take(held.task.id);
  if (taken === null) return t.fail("it is not taken");
  t.match(await other.replayTasks.open(taken), { cursors: [] });
  t.equal(await one.replayTasks.renew(held), false);
  await one.replayTasks.letGo(held);
  t.match(await one.look(held.task.id), { heldBy: "host:2" }, "nor does it let go what is another's");
  t.equal(await one.replayTasks.open(held), null);
  const end = { status: "completed", count: held.task.count } as const;
  const record = {
    who: "ada",
    action: "a.b",
    tenant_id: null,
    target: null,
    result: "done",
    details: {},
  } as const;
  t.equal(await one.replayTasks.finish(held, end, record), false);
  t.match(await one.look(held.task.id), { status: "running" });
  return;
});

t.test("tasks are listed newest first, and are kept for 30 days after their end", async (t) => {
  const store = await openStore(t);
  const dead = openDeadLetters(store);
  const replays = openReplays(store);
  const ids: string[] = [];
  for (let each = 0; each < 3; each += 1) {
    await dead.killJob(store.ids.uuid());
    const held = await replays.start();
    t.equal(
      await store.connection.ttl(store.keys.replayTask(held.task.id)),
      -1,
      "a running one does not expire",
    );
    await replays.drive(held);
    ids.unshift(held.task.id);
    store.clock.forward(1000);
  }
  t.strictSame(
    (await replays.replayTasks.list(10)).map(({ id }) => id),
    ids,
  );
  t.strictSame(
    (await replays.replayTasks.list(2)).map(({ id }) => id),
    ids.slice(0, 2),
  );
  t.strictSame(await replays.replayTasks.running(), []);
  for (const id of ids) {
    const left = await store.connection.ttl(store.keys.replayTask(id));
    t.ok(left > 30 * 86_400 - 60 && left <= 30 * 86_400, `${left} s`);
  }
  await store.connection.del(store.keys.replayTask(ids[1] ?? ""));
  t.strictSame(
    (await replays.replayTasks.list(10)).map(({ id }) => id),
    [ids[0], ids[2]],
    "one that expired is left out",
  );
  t.equal(await replays.look(ids[1] ?? ""), null);
});

t.test("the first hundred refused letters are named, the oldest of all partitions", async (t) => {
  const store = await openStore(t, { partitions: 3 });
  const replays = openReplays(store);
  for (let ms = 1; ms <= 330; ms += 1) {
    const facts = ["r", `tenant:job:${ms}`, "l", "apple", "reason", "internal_error"];
    await store.connection.xadd(store.keys.deadLetters(ms % 3), `${ms}-0`, ...facts);
  }
  const held = await replays.start();
  await replays.drive(held);
  const count = (await replays.look(held.task.id))?.count;
  t.match(count, { refused: { record_gone: 330 } });
  const named = (count?.refused_ids ?? []).map(({ id }) => Number(id.split("-")[1]));
  t.strictSame(
    named,
    Array.from({ length: 100 }, (_, index) => index + 1),
  );
});
