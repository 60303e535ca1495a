import t from "tap";
import { tendSigningKeys } from "../../../src/daemon/tasks/signing-keys.ts";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { dayMs, hourMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

const run = new AbortController().signal;

t.test(
  "it comes every hour, rotates when that is due, and removes what has retired 48 hours ago",
  async (t) => {
    const store = await openStore(t);
    const keys = await openSigningKeys(store);
    const task = tendSigningKeys(keys, 90 * dayMs);
    t.match(task.cron, /^\d+ \* \* \* \*$/);
    const first = await keys.states();
    const facts: Record<string, number>[] = [];
    const runAfter = async (ms: number): Promise<void> => {
      store.clock.forward(ms);
      facts.push(await task.run(run));
    };
    await runAfter(90 * dayMs - hourMs);
    await runAfter(hourMs);
    const second = await keys.states();
    t.equal(second.active, first.next);
    t.strictSame(second.retiring, [first.active]);
    await runAfter(48 * hourMs - 1);
    t.strictSame((await keys.states()).retiring, [first.active]);
    await runAfter(1);
    t.strictSame(await keys.states(), { ...second, retiring: [] });
    t.strictSame(facts, [
      { removed: 0, rotated: 0 },
      { removed: 0, rotated: 1 },
      { removed: 0, rotated: 0 },
      { removed: 1, rotated: 0 },
    ]);
  },
);

t.test("where operators rotate, it only removes", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  await rotateKey(keys, { force: true, dryRun: false });
  const before = await keys.states();
  store.clock.forward(400 * dayMs);
  t.strictSame(await tendSigningKeys(keys, null).run(run), { removed: 1, rotated: 0 });
  t.strictSame(await keys.states(), { ...before, retiring: [] });
});

t.test("what goes makes room for what comes, in one run", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  for (let i = 0; i < 3; i++) await rotateKey(keys, { force: true, dryRun: false });
  t.equal((await keys.signingKeys.list()).length, 5, "as many as there may be");
  store.clock.forward(90 * dayMs);
  t.strictSame(await tendSigningKeys(keys, 90 * dayMs).run(run), { removed: 3, rotated: 1 });
});
