import t, { type Test } from "tap";
import { carryReplay } from "../../../src/domain/deadletters/carry-replay.ts";
import type { StoreParts } from "../../../src/redis/store.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { never, openReplays } from "../../support/replays.ts";
import { openStore, type TestStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

/** Dead letters: so many deliveries of one tenant. */
async function deadDeliveries(t: Test, count: number, store?: TestStore) {
  const within = store ?? (await openStore(t, { partitions: 2 }));
  const dead = openDeadLetters(within);
  const subscriber = openSubscriber(within);
  const webhook = await subscriber.subscribe();
  for (let each = 0; each < count; each += 1) await dead.killDelivery(subscriber);
  const { tenantId } = subscriber;
  const forget = (recordId: string) =>
    within.connection.del(within.keys.record(tenantId, "delivery", recordId));
  return {
    store: within,
    dead,
    subscriber,
    tenantId,
    webhook,
    forget,
    letters: await dead.list({ tenantId }),
  };
}

t.test(
  "a replay keeps to its rate, counts what became of each letter, and says so in its record",
  async (t) => {
    const { store, subscriber, letters, forget } = await deadDeliveries(t, 3);
    await forget(letters[0]?.recordId ?? "");
    const pauses: number[] = [];
    const replays = openReplays(store, { meanwhile: async (ms) => pauses.push(ms) });
    const startedAtMs = store.clock.nowMs();
    const held = await replays.start({}, { rate: 4 });
    t.match(held.task, { status: "running", matched: 3, heldBy: "host:1", count: { replayed: 0 } });
    t.equal(await replays.drive(held), "finished");
    t.strictSame(pauses, [250, 250]);
    t.match(await replays.look(held.task.id), {
      status: "completed",
      heldBy: null,
      rate: 4,
      matched: 3,
      startedAtMs,
      finishedAtMs: startedAtMs + 500,
      count: {
        replayed: 2,
        overtaken: 0,
        already_gone: 0,
        refused: { record_gone: 1 },
        refused_ids: [{ id: letters[0]?.id, reason: "record_gone" }],
      },
    });
    t.equal((await subscriber.take()).length, 2);
    t.strictSame(await replays.said(), [
      "ada@host deadletter.replay started",
      "ada@host deadletter.replay done",
    ]);
  },
);

t.test("a rate that could not be kept for a while is not made up for at once", async (t) => {
  const { store } = await deadDeliveries(t, 4);
  const pauses: number[] = [];
  const replays = openReplays(store, {
    async meanwhile(ms) {
      pauses.push(ms);
      // The process stood still.
      if (pauses.length === 1) store.clock.forward(10_000);
    },
  });
  t.equal(await replays.drive(await replays.start({}, { rate: 2 })), "finished");
  t.strictSame(pauses, [500, 400, 500], "it catches up with a tenth of a second, and no more");
});

/** Scripts as a process runs them that dies at one of its calls: before it, or after Redis has done it. */
function dyingAt(store: TestStore, call: number, when: "before" | "after") {
  const at = { calls: 0 };
  const through: StoreParts = {
    ...store,
    async run(...script) {
      at.calls += 1;
      if (at.calls > call || (at.calls === call && when === "before")) throw new Error("killed");
      const reply = await store.run(...script);
      if (at.calls === call) throw new Error("killed");
      return reply;
    },
  };
  return through;
}

t.test(
  "wherever a driver is killed, the next one goes on: nothing is lost, nothing counted twice",
  async (t) => {
    const store = await openStore(t, { partitions: 2 });
    const next = openReplays(store, { holder: "host:2" });
    let isSurvived = false;
    for (let call = 1; !isSurvived; call += 1) {
      for (const when of ["before", "after"] as const) {
        // Three can be delivered, one has lost its record, one was dealt with by somebody else, one job is overtaken.
        const { dead, subscriber, letters, forget } = await deadDeliveries(t, 5, store);
        await dead.killJob(store.ids.uuid());
        await forget(letters[1]?.recordId ?? "");
        const first = openReplays(store, { through: dyingAt(store, call, when) });
        const said = (await next.said()).length;
        const held = await first.start().catch(() => null);
        const [purged] = letters.slice(3);
        if (purged !== undefined) await dead.deadLetters.purge(purged);
        const outcome = held === null ? "killed" : await first.drive(held).catch(() => "killed");
        store.clock.forward(5000);

        const where = `${when} call ${call}`;
        const [id = held?.task.id] = await next.replayTasks.running();
        if (id === undefined) {
          t.strictSame([call, when], [1, "before"], "only what was never written down is not gone on with");
          t.equal((await dead.list()).length, 5, "and has done nothing");
          for (const letter of await dead.list()) await dead.deadLetters.purge(letter);
          continue;
        }
        const task = await carryReplay(next.deps, id, { signal: never });
        t.match(
          [task.status, task.matched, task.count],
          ["completed", 6, { replayed: 3, overtaken: 1, already_gone: 1, refused: { record_gone: 1 } }],
          where,
        );
        const ids = (await subscriber.take()).map((delivery) => delivery.id);
        t.strictSame(ids.sort(), [0, 2, 4].map((index) => letters[index]?.recordId).sort(), where);
        t.equal((await next.said()).length - said, 2, `${where}: one record of the begin, one of the end`);
        for (const letter of await dead.list()) await dead.deadLetters.purge(letter);
        isSurvived = outcome === "finished";
      }
    }
  },
);

t.test("who was thought dead and wakes up can move no letter any more", async (t) => {
  const { store, dead } = await deadDeliveries(t, 4);
  const second = openReplays(store, { holder: "host:2" });
  const first = openReplays(store, {
    holder: "host:1",
    // In its first pause it stands still for so long that another one takes the task to its end.
    async meanwhile() {
      store.clock.forward(5000);
      const [id = ""] = await second.replayTasks.running();
      const held = await second.replayTasks.take(id);
      if (held !== null) t.equal(await second.drive(held), "finished");
      await dead.killJob(store.ids.uuid());
    },
  });
  const held = await first.start({}, { rate: 1000 });
  t.equal(await first.drive(held), "lost");
  t.match(await first.look(held.task.id), { status: "completed", count: { replayed: 4 } });
  t.equal(await first.replayTasks.renew(held), false);
  t.equal((await dead.list()).length, 1, "what died meanwhile is no part of it");
});

t.test("a replay that is cancelled stops at once, whoever drives it, and its letters stay", async (t) => {
  const { store, dead, subscriber } = await deadDeliveries(t, 5);
  const second = openReplays(store, { holder: "host:2" });
  let pauses = 0;
  const first = openReplays(store, {
    async meanwhile() {
      pauses += 1;
      if (pauses < 2) return;
      const [id = ""] = await second.replayTasks.running();
      t.match(await second.cancel(id), {
        status: "cancelled",
        cancelledBy: "eve@host",
        count: { replayed: 2 },
      });
    },
  });
  const held = await first.start({}, { rate: 10 });
  t.equal(await first.drive(held), "lost");
  t.equal(pauses, 2);
  t.match(await first.look(held.task.id), {
    status: "cancelled",
    matched: 5,
    count: { replayed: 2, already_gone: 0 },
  });
  t.equal((await dead.list()).length, 3);
  t.equal((await subscriber.take()).length, 2);
  t.strictSame(await first.said(), [
    "ada@host deadletter.replay started",
    "eve@host deadletter.cancel done",
    "eve@host deadletter.replay cancelled",
  ]);
  await t.rejects(second.cancel(held.task.id), { code: "invalid_state", detail: /cancelled/ });
  await t.rejects(second.cancel(store.ids.uuid()), { code: "not_found" });
});

t.test("who takes a replay whose cancelling was interrupted ends it", async (t) => {
  const { store, dead } = await deadDeliveries(t, 2);
  const first = openReplays(store);
  const { id } = (await first.start()).task;
  // The command that cancels dies at its second script.
  const dying = openReplays(store, { through: dyingAt(store, 1, "after") });
  await t.rejects(dying.cancel(id), /killed/);
  store.clock.forward(5000);
  t.match(await carryReplay(first.deps, id, { signal: never }), {
    status: "cancelled",
    count: { replayed: 0 },
  });
  t.equal((await dead.list()).length, 2);
});

t.test("a driver that is told to leave lets others go on at once", async (t) => {
  const { store } = await deadDeliveries(t, 3);
  const stop = new AbortController();
  const first = openReplays(store, { meanwhile: async () => stop.abort() });
  const held = await first.start({}, { rate: 1 });
  t.equal(await first.drive(held, stop.signal), "left");
  t.match(await first.look(held.task.id), { status: "running", heldBy: null, count: { replayed: 1 } });
  const second = openReplays(store, { holder: "host:2" });
  const taken = await second.replayTasks.take(held.task.id);
  t.match(taken, { task: { heldBy: "host:2" }, fence: 2 });
  if (taken !== null) t.equal(await second.drive(taken), "finished");
  t.match(await second.look(held.task.id), { status: "completed", count: { replayed: 3 } });
});

t.test("a replay means the letters that matched when it was given", async (t) => {
  const { store, dead, subscriber, letters } = await deadDeliveries(t, 4);
  const replays = openReplays(store);
  const [first, second] = letters;
  if (first === undefined || second === undefined) throw new Error("there are no letters");

  const limited = await replays.start({ limit: 2 });
  await dead.deadLetters.purge(first);
  await dead.killDelivery(subscriber);
  t.equal(await replays.drive(limited), "finished");
  t.match(
    (await replays.look(limited.task.id))?.count,
    { replayed: 1, already_gone: 1 },
    "no other takes its place",
  );

  const rest = (await dead.list()).map(({ id }) => id);
  t.equal(rest.length, 3);
  const named = await replays.start({ ids: [...rest.slice(0, 2), "00-5-0"] });
  t.match(named.task, { named: 3, matched: 2, tenantId: subscriber.tenantId });
  t.equal(await replays.drive(named), "finished");
  t.match((await replays.look(named.task.id))?.count, { replayed: 2 });
  t.match(await dead.list(), [{ id: rest[2] }]);
});

t.test("of replays whose letters may be the same only one runs, and the other names it", async (t) => {
  const { store, dead, tenantId } = await deadDeliveries(t, 1);
  await dead.killJob(store.ids.uuid());
  const replays = openReplays(store);
  const mine = await replays.start({ tenantId });
  const refused = {
    code: "invalid_state",
    detail: new RegExp(`${mine.task.id}.*deadletter cancel ${mine.task.id}`),
  };
  await t.rejects(replays.start({ tenantId }), refused);
  await t.rejects(replays.start(), refused, "all tenants' are this tenant's, too");
  const other = await replays.start({
    kind: "job",
    ids: (await dead.list({ kind: "job" })).map(({ id }) => id),
  });
  t.not(other.task.tenantId, tenantId, "another tenant's do not");
  await t.rejects(replays.start({ tenantId: other.task.tenantId }), { code: "invalid_state" });
  t.equal((await replays.said()).length, 2, "what was refused did not begin");
  for (const held of [mine, other]) t.equal(await replays.drive(held), "finished");
  await dead.killJob(tenantId);
  t.equal(await replays.drive(await replays.start()), "finished", "afterwards the next one may");
});

t.test("a letter that was replayed too often stays, unless the limit is lifted", async (t) => {
  const { store, dead, subscriber } = await deadDeliveries(t, 1);
  const replays = openReplays(store);
  let from = "";
  for (let round = 0; round < 2; round += 1) {
    const [letter] = await dead.list();
    from = letter?.id ?? "";
    t.match(letter?.facts, { replays: round });
    t.equal(await replays.drive(await replays.start({}, { limit: 2 })), "finished");
    for (const task of await subscriber.take()) {
      const attempt = { number: round + 2, atMs: 1, statusCode: 503, durationMs: 1, error: "answered 503" };
      const failure = { code: "http_503", description: "answered 503" };
      await subscriber.deliveries.settle(task, attempt, { dueAtMs: null, failure });
    }
  }
  const [task] = await replays.replayTasks.list(1);
  const at = store.clock.nowMs();
  t.match(await dead.list(), [
    { facts: { replays: 2, replayedFrom: { id: from, atMs: at, taskId: task?.id } } },
  ]);

  const refused = await replays.start({}, { limit: 2 });
  await replays.drive(refused);
  t.match((await replays.look(refused.task.id))?.count, { replayed: 0, refused: { replay_limit: 1 } });
  t.equal((await dead.list()).length, 1);
  const beyond = await replays.start({}, { limit: null });
  await replays.drive(beyond);
  t.match((await replays.look(beyond.task.id))?.count, { replayed: 1, refused: {} });
});
