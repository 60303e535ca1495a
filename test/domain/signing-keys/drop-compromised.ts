import t from "tap";
import { dropCompromisedKey } from "../../../src/domain/signing-keys/drop-compromised.ts";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { dayMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

const forReal = { dryRun: false };

t.test("a leaked active key is gone at once; the next one signs, and has a new next beside it", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  store.clock.forward(2 * dayMs);
  const rotation = await dropCompromisedKey(keys, { kid: before.active, ...forReal });
  const after = await keys.states();
  t.strictSame(after, { active: before.next, next: rotation.next, retiring: [] });
  t.match(rotation, { active: before.next, removed: before.active, retiring: null });
  const until = new Date(store.clock.nowMs() + dayMs + 5000).toISOString();
  t.equal(rotation.warnings.length, 1);
  t.match(rotation.warnings[0], new RegExp(`${before.active}.*may believe forged ones until ${until}`));
});

t.test("it does not wait until the next key is known, and says whom that breaks", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const { active, next } = await keys.states();
  const { warnings } = await dropCompromisedKey(keys, { kid: active, ...forReal });
  t.equal(warnings.length, 2);
  t.match(warnings[1], new RegExp(`do not know ${next}`));
});

t.test("a leaked next key makes place for another, and the active one goes on", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  store.clock.forward(2 * dayMs);
  const rotation = await dropCompromisedKey(keys, { kid: before.next, ...forReal });
  const after = await keys.states();
  t.strictSame(after, { active: before.active, next: rotation.next, retiring: [] });
  t.not(after.next, before.next);
  t.strictSame(rotation.warnings, [], "it has signed nothing");
  await t.rejects(
    rotateKey(keys, { force: false, dryRun: false }),
    { code: "invalid_state" },
    "the new one has to become known first",
  );
});

t.test("a leaked retiring key goes, and nothing else changes", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  store.clock.forward(2 * dayMs);
  await rotateKey(keys, { force: false, dryRun: false });
  const before = await keys.states();
  const [kid = ""] = before.retiring;
  const rotation = await dropCompromisedKey(keys, { kid, ...forReal });
  t.strictSame(await keys.states(), { ...before, retiring: [] });
  t.match(rotation, { active: before.active, next: before.next, removed: kid });
});

t.test("a dry run warns and changes nothing; an unknown key is not found", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const before = await keys.states();
  const plan = await dropCompromisedKey(keys, { kid: before.active, dryRun: true });
  t.match(plan, { active: before.next, next: null, removed: before.active });
  t.equal(plan.warnings.length, 2);
  await t.rejects(dropCompromisedKey(keys, { kid: "unknown", ...forReal }), { code: "not_found" });
  t.strictSame(await keys.states(), before);
});
