import t, { type Test } from "tap";
import { removeKey } from "../../../src/domain/signing-keys/remove.ts";
import { retireExpiredKeys } from "../../../src/domain/signing-keys/retire-expired.ts";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { accessTokenLifetimeSeconds } from "../../../src/domain/tokens/token.ts";
import { dayMs, hourMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

/** A store whose first key retires now. */
async function afterRotation(t: Test) {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  store.clock.forward(2 * dayMs);
  await rotateKey(keys, { force: false, dryRun: false });
  const states = await keys.states();
  return { clock: store.clock, keys, states, retiring: states.retiring[0] ?? "" };
}

t.test("the active and the next key cannot be removed", async (t) => {
  const { keys, states, clock } = await afterRotation(t);
  clock.forward(365 * dayMs);
  for (const kid of [states.active, states.next]) {
    await t.rejects(removeKey(keys, kid), {
      code: "invalid_state",
      detail: new RegExp(`rotate --compromised ${kid}`),
    });
  }
  t.strictSame(await keys.states(), states);
});

t.test("a retiring key can be removed when its last token has expired, and not before", async (t) => {
  const { keys, clock, retiring } = await afterRotation(t);
  const lastTokenExpiresAtMs = clock.nowMs() + accessTokenLifetimeSeconds * 1000;
  let refusal = { detail: "" };
  await removeKey(keys, retiring).catch((error) => {
    refusal = error;
  });
  t.match(refusal, { code: "invalid_state" });
  const namedAtMs = Date.parse(/valid until (\S+Z)/.exec(refusal.detail)?.[1] ?? "");
  t.ok(namedAtMs >= lastTokenExpiresAtMs, "not before a token of this moment expires");
  t.ok(namedAtMs <= lastTokenExpiresAtMs + 10 * 60_000, "and not much later");
  clock.setTo(namedAtMs - 1);
  await t.rejects(removeKey(keys, retiring), { code: "invalid_state" });
  clock.setTo(namedAtMs);
  t.match(await removeKey(keys, retiring), { kid: retiring });
  t.strictSame((await keys.states()).retiring, []);
  await t.rejects(removeKey(keys, retiring), { code: "not_found" });
});

t.test("the scheduler removes a retiring key 48 hours after it signed last, and no other", async (t) => {
  const { keys, clock, retiring, states } = await afterRotation(t);
  clock.forward(48 * hourMs - 1);
  t.equal(await retireExpiredKeys(keys), 0);
  t.strictSame((await keys.states()).retiring, [retiring]);
  clock.forward(1);
  t.equal(await retireExpiredKeys(keys), 1);
  t.strictSame(await keys.states(), { ...states, retiring: [] });
  t.equal(await retireExpiredKeys(keys), 0);
});
