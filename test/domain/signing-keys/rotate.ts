import t from "tap";
import { retireExpiredKeys } from "../../../src/domain/signing-keys/retire-expired.ts";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { dayMs, hourMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

const asked = { force: false, dryRun: false };
/** What it takes until every process serves a new key. */
const spreadMs = 5000;

t.test("the next key signs from now on, the active one retires, and a new next is published", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  store.clock.forward(dayMs + spreadMs);
  const rotation = await rotateKey(keys, asked);
  const after = await keys.states();
  t.strictSame(after, { active: before.next, next: rotation.next, retiring: [before.active] });
  t.strictSame(rotation, {
    active: before.next,
    next: after.next,
    retiring: before.active,
    removed: null,
    warnings: [],
  });
  t.notOk(Object.values(before).includes(after.next), "the new one is new");
  const now = store.clock.nowMs();
  t.match(await keys.signingKeys.list(), [
    { state: "active", activatedAtMs: now, retiredAtMs: null },
    { state: "next", publishedAtMs: now, activatedAtMs: null, retiredAtMs: null },
    { state: "retiring", retiredAtMs: now },
  ]);
});

t.test("it refuses until the next key has been public for 24 hours, and names the time", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  const safeAtMs = store.clock.nowMs() + dayMs + spreadMs;
  const refusal = {
    code: "invalid_state",
    detail: new RegExp(`safe at ${new Date(safeAtMs).toISOString()}`),
  };
  await t.rejects(rotateKey(keys, asked), refusal);
  store.clock.setTo(safeAtMs - 1);
  await t.rejects(rotateKey(keys, asked), refusal);
  t.strictSame(await keys.states(), before, "nothing has changed");
  store.clock.setTo(safeAtMs);
  t.match(await rotateKey(keys, asked), { active: before.next });
  await t.rejects(rotateKey(keys, asked), { code: "invalid_state" }, "and the same holds for the new next");
});

t.test("force rotates at once, and says whom that breaks and until when", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  const safeAt = new Date(store.clock.nowMs() + dayMs + spreadMs).toISOString();
  const { active, warnings } = await rotateKey(keys, { force: true, dryRun: false });
  t.equal(active, before.next);
  t.equal(warnings.length, 1);
  t.match(warnings[0], new RegExp(`do not know ${before.next}.*at the latest at ${safeAt}`));
  store.clock.forward(2 * dayMs);
  t.strictSame(
    (await rotateKey(keys, { force: true, dryRun: false })).warnings,
    [],
    "nobody when it is safe",
  );
});

t.test("a dry run says the same and changes nothing", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  await t.rejects(rotateKey(keys, { force: false, dryRun: true }), { code: "invalid_state" });
  const plan = await rotateKey(keys, { force: true, dryRun: true });
  t.match(plan, { active: before.next, next: null, retiring: before.active });
  t.equal(plan.warnings.length, 1);
  t.strictSame(await keys.states(), before);
});

t.test("at most five keys are published: a sixth is refused until one has gone", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const forced = { force: true, dryRun: false };
  const firstRetiredAtMs = store.clock.nowMs();
  for (let i = 0; i < 3; i++) {
    await rotateKey(keys, forced);
    store.clock.forward(hourMs);
  }
  t.equal((await keys.signingKeys.list()).length, 5);
  const goesAt = new Date(firstRetiredAtMs + 48 * hourMs).toISOString();
  await t.rejects(rotateKey(keys, forced), {
    code: "invalid_state",
    detail: new RegExp(`goes at ${goesAt}`),
  });
  store.clock.setTo(goesAt);
  t.equal(await retireExpiredKeys(keys), 1);
  await rotateKey(keys, forced);
  t.equal((await keys.signingKeys.list()).length, 5);
});

t.test("rotating every day for two weeks never needs a sixth key", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  for (let day = 0; day < 14; day++) {
    store.clock.forward(dayMs + spreadMs);
    await retireExpiredKeys(keys);
    await rotateKey(keys, asked);
    t.ok((await keys.signingKeys.list()).length <= 5);
  }
});

t.test("of operators who rotate at the same moment one does, and the others are refused", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  store.clock.forward(2 * dayMs);
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => rotateKey(keys, asked)));
  t.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  for (const outcome of outcomes) {
    if (outcome.status === "rejected") t.match(outcome.reason, { code: "invalid_state" });
  }
  t.equal((await keys.signingKeys.list()).length, 3);
});

t.test("without any keys there is nothing to rotate", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  await store.connection.del(store.keys.signingKeys);
  await t.rejects(rotateKey(keys, asked), { code: "invalid_state" });
});
