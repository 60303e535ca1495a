import t from "tap";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { rotateKeyWhenDue } from "../../../src/domain/signing-keys/rotate-when-due.ts";
import { dayMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

t.test("a key that has signed for the interval is followed by the next, each time anew", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  for (let quarter = 0; quarter < 2; quarter++) {
    const before = await keys.states();
    store.clock.forward(90 * dayMs - 1);
    t.equal(await rotateKeyWhenDue(keys, 90 * dayMs), false);
    store.clock.forward(1);
    t.equal(await rotateKeyWhenDue(keys, 90 * dayMs), true);
    t.equal((await keys.states()).active, before.next);
    t.equal(await rotateKeyWhenDue(keys, 90 * dayMs), false);
  }
});

t.test("an operator's rotation begins the interval anew", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  store.clock.forward(89 * dayMs);
  await rotateKey(keys, { force: false, dryRun: false });
  store.clock.forward(2 * dayMs);
  t.equal(await rotateKeyWhenDue(keys, 90 * dayMs), false);
});

t.test("a rotation that is due waits until verifiers know the next key", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  store.clock.forward(dayMs);
  t.equal(await rotateKeyWhenDue(keys, dayMs), false, "24 hours, and not yet everywhere");
  store.clock.forward(5000);
  t.equal(await rotateKeyWhenDue(keys, dayMs), true);
});

t.test("on an empty store, and while five keys are published, it does nothing", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  for (let i = 0; i < 3; i++) await rotateKey(keys, { force: true, dryRun: false });
  store.clock.forward(100 * dayMs);
  t.equal(await rotateKeyWhenDue(keys, 90 * dayMs), false);
  await store.connection.del(store.keys.signingKeys);
  t.equal(await rotateKeyWhenDue(keys, 90 * dayMs), false);
});
