import t, { type Test } from "tap";
import { createTurns } from "../../src/redis/turns.ts";
import { openStore } from "../support/store.ts";

async function processes(t: Test, count: number) {
  const store = await openStore(t);
  const turns = await Promise.all(
    Array.from({ length: count }, async () => createTurns(await store.another(), store.clock)),
  );
  return { store, turns };
}

t.test("of all processes one gets a due run, even when they ask at the same moment", async (t) => {
  const { store, turns } = await processes(t, 5);
  const dueAtMs = store.clock.nowMs();
  const taken = await Promise.all(turns.map((one) => one.take("count", dueAtMs)));
  t.equal(taken.filter((turn) => turn !== null).length, 1);
  for (const turn of taken) await turn?.end();
  const late = await Promise.all(turns.map((one) => one.take("count", dueAtMs)));
  t.ok(
    late.every((turn) => turn === null),
    "nor does anybody who comes later, with a slow clock",
  );
});

t.test("the next run is for whoever asks first, when the one before has ended", async (t) => {
  const { store, turns } = await processes(t, 2);
  const [one, other] = turns;
  const dueAtMs = store.clock.nowMs();
  const turn = await one?.take("count", dueAtMs);
  t.equal(await other?.take("count", dueAtMs + 60_000), null, "while it runs nobody begins another");
  t.equal(await turn?.renew(), true);
  await turn?.end();
  t.ok(await other?.take("count", dueAtMs + 120_000));
  t.ok(await one?.take("other task", dueAtMs), "tasks do not wait for each other");
});

t.test("a turn whose process died is free after its lease, and then lost to who held it", async (t) => {
  const { store, turns } = await processes(t, 2);
  const [one, other] = turns;
  const dueAtMs = store.clock.nowMs();
  const turn = await one?.take("count", dueAtMs);
  store.clock.forward(59_999);
  t.equal(await other?.take("count", dueAtMs + 1), null);
  t.equal(await turn?.renew(), true, "renewed in time it goes on");
  store.clock.forward(59_999);
  t.equal(await other?.take("count", dueAtMs + 1), null);
  store.clock.forward(1);
  const next = await other?.take("count", dueAtMs + 1);
  t.ok(next);
  t.equal(await turn?.renew(), false);
  await turn?.end();
  t.equal(await one?.take("count", dueAtMs + 2), null, "its end does not end the other's turn");
  t.equal(await next?.renew(), true);
});

t.test("what is remembered of a task goes a day after its last run", async (t) => {
  const { store, turns } = await processes(t, 1);
  await turns[0]?.take("count", store.clock.nowMs());
  const left = await store.connection.pttl(store.keys.turn("count"));
  t.ok(left > 23 * 3_600_000 && left <= 24 * 3_600_000, `${left} ms`);
});
