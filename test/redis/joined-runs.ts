import { randomUUID } from "node:crypto";
import t from "tap";
import { joinRuns } from "../../src/redis/joined-runs.ts";
import type { ScriptArgument } from "../../src/redis/script.ts";
import { openIssuer } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";
import { addJob, completed, openQueue, settle } from "../support/work.ts";

/** Joins runs, and remembers what was sent. Each run is answered with its first argument. */
function recorded(options = { bySlot: false }) {
  const sent: { keys: readonly string[]; args: readonly ScriptArgument[] }[] = [];
  const run = joinRuns(
    async (_name, keys, args) => {
      sent.push({ keys, args });
      return args[0];
    },
    async (_name, keys, args) => {
      sent.push({ keys, args });
      let at = 1;
      return Array.from({ length: Number(args[0]) }, () => {
        const first = args[at + 2];
        at += 2 + Number(args[at + 1]);
        return [1, first] as [1, ScriptArgument];
      });
    },
    options,
  );
  return { run, sent };
}

t.test("runs that are begun together are sent as one, and each gets its own reply", async (t) => {
  const { run, sent } = recorded();
  const replies = await Promise.all([
    run("settle-pass", ["a"], ["one", 2]),
    run("settle-pass", ["b", "c"], ["two"]),
    run("settle-pass", ["d"], ["three"]),
  ]);
  t.strictSame(replies, ["one", "two", "three"]);
  t.strictSame(sent, [{ keys: ["a", "b", "c", "d"], args: [3, 1, 2, "one", 2, 2, 1, "two", 1, 1, "three"] }]);
});

t.test("a run that is alone is sent as it is, and what comes later is not waited for", async (t) => {
  const { run, sent } = recorded();
  t.equal(await run("settle-pass", ["a"], ["one"]), "one");
  t.equal(await run("settle-pass", ["a"], ["two"]), "two");
  t.strictSame(sent.length, 2);
});

t.test("different scripts, and in a cluster different slots, are not mixed", async (t) => {
  for (const bySlot of [false, true]) {
    const { run, sent } = recorded({ bySlot });
    await Promise.all([
      run("settle-pass", ["pw:{p01}:a"], [1]),
      run("settle-pass", ["pw:{p02}:a"], [2]),
      run("settle-pass", ["pw:{p01}:b"], [3]),
      run("create-pass", ["pw:{p01}:a"], [4]),
    ]);
    t.strictSame(
      sent.map(({ keys }) => keys.length),
      bySlot ? [2, 1, 1] : [3, 1],
    );
  }
});

t.test("many runs are sent in portions, so that others get their turn in between", async (t) => {
  const { run, sent } = recorded();
  const replies = await Promise.all(Array.from({ length: 150 }, (_, i) => run("settle-pass", ["a"], [i])));
  t.strictSame(
    replies,
    replies.map((_, i) => i),
  );
  t.strictSame(
    sent.map(({ keys }) => keys.length),
    [64, 64, 22],
  );
});

t.test("a command that fails fails for all who are in it", async (t) => {
  const away = new Error("away");
  const run = joinRuns(
    () => Promise.reject(away),
    () => Promise.reject(away),
    { bySlot: false },
  );
  const outcomes = await Promise.allSettled([run("settle-pass", [], []), run("settle-pass", [], [])]);
  t.match(outcomes, [
    { status: "rejected", reason: away },
    { status: "rejected", reason: away },
  ]);
});

t.test("on a real Redis, what goes wrong in one run is its own affair", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  for (let i = 0; i < 3; i++) await issuer.create();
  const tasks = await queue.claim([0], 10);
  const [, broken] = tasks;
  if (broken === undefined) throw new Error("there is too little work");
  await store.connection.del(store.keys.pass(issuer.tenantId, broken.record.resource_id ?? ""));
  await store.connection.set(store.keys.pass(issuer.tenantId, broken.record.resource_id ?? ""), "no hash");
  const outcomes = await Promise.allSettled(tasks.map((task) => settle(store, task, completed)));
  t.strictSame(
    outcomes.map(({ status }) => status),
    ["fulfilled", "rejected", "fulfilled"],
  );
  t.match(outcomes[1], { reason: /WRONGTYPE/ });
});

t.test("a script that Redis has forgotten is brought along again", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const tenantId = randomUUID();
  for (let i = 0; i < 4; i++) await addJob(store, { tenantId });
  const tasks = await queue.claim([0], 10);
  await store.connection.script("FLUSH");
  const failure = { code: "provider_unavailable", description: "away" };
  const held = await Promise.all(tasks.map((task) => queue.retryLater(task, failure, 1)));
  t.strictSame(held, [true, true, true, true]);
});
