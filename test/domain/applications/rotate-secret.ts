import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { createSecretHasher } from "../../../src/crypto/secret-hasher.ts";
import { createApplication } from "../../../src/domain/applications/create.ts";
import { rotateSecret } from "../../../src/domain/applications/rotate-secret.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { issueToken } from "../../../src/domain/tokens/issue.ts";
import { createApplicationStore } from "../../../src/redis/applications.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { dayMs, hourMs } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

const hasher = createSecretHasher();
const peppers: [Buffer] = [randomBytes(32)];

/** An application with a secret, and what shows whether a secret is good for a token. */
async function opened(t: Test) {
  const store = await openStore(t);
  const deps = {
    tenants: createTenantStore(store),
    applications: createApplicationStore(store),
    hasher,
    peppers,
    ids: store.ids,
    clock: store.clock,
    accessTokens: { sign: async () => "token", verify: () => Promise.reject(new Error("not asked")) },
  };
  const { id: tenantId } = await createTenant(deps, { name: "A", billing: { mode: "prepaid", credits: 0 } });
  const { application, secret } = await createApplication(deps, { tenantId, name: "shop", type: "backend" });
  const named = { tenantId, id: application.id };
  return {
    store,
    deps,
    named,
    secret,
    clock: store.clock,
    rotate: (graceMs = dayMs) => rotateSecret(deps, { ...named, graceMs }),
    isGood: (candidate: string): Promise<boolean> =>
      issueToken(deps, { tenantId, applicationId: application.id, secret: candidate, scope: null }).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== "invalid_client") throw error;
          return false;
        },
      ),
  };
}

t.test("the new secret is good at once, the old one for the grace period and not longer", async (t) => {
  const { rotate, isGood, secret: old, clock } = await opened(t);
  const { secret, previous, ended } = await rotate(24 * hourMs);
  t.match(secret, /^pws_[0-9A-Za-z]{51}$/);
  t.not(secret, old);
  t.equal(previous?.expiresAtMs, clock.nowMs() + 24 * hourMs);
  t.equal(ended, 0);
  t.ok(await isGood(secret));
  t.ok(await isGood(old));
  clock.forward(24 * hourMs - 1);
  t.ok(await isGood(old));
  clock.forward(1);
  t.notOk(await isGood(old));
  t.ok(await isGood(secret));
});

t.test("without a grace period the old secret ends at once", async (t) => {
  const { rotate, isGood, secret: old } = await opened(t);
  const { secret, previous, ended } = await rotate(0);
  t.equal(previous, null);
  t.equal(ended, 1);
  t.ok(await isGood(secret));
  t.notOk(await isGood(old));
});

t.test("there are two at most: a third ends the oldest, and says so", async (t) => {
  const { rotate, isGood, secret: first, deps, named } = await opened(t);
  const second = await rotate();
  const third = await rotate();
  t.equal(third.ended, 1);
  t.notOk(await isGood(first));
  t.ok(await isGood(second.secret));
  t.ok(await isGood(third.secret));
  t.equal((await deps.applications.find(named.id))?.secrets.length, 2);
});

t.test("a secret that has expired is not counted among those that end", async (t) => {
  const { rotate, isGood, clock } = await opened(t);
  const second = await rotate(hourMs);
  clock.forward(hourMs);
  const third = await rotate(hourMs);
  t.equal(third.ended, 0);
  t.ok(await isGood(second.secret));
});

t.test("two who rotate at the same moment get a secret each, and both are good", async (t) => {
  const { rotate, isGood, secret: first } = await opened(t);
  const [one, other] = await Promise.all([rotate(), rotate()]);
  t.ok(await isGood(one.secret));
  t.ok(await isGood(other.secret));
  t.notOk(await isGood(first), "that was the oldest of three");
});

t.test("an application of another tenant, an unknown one, and what is no id are not found", async (t) => {
  const { deps, named, store } = await opened(t);
  const billing = { mode: "prepaid", credits: 0 } as const;
  const stranger = await createTenant(deps, { name: "B", billing });
  for (const wrong of [
    { ...named, tenantId: stranger.id },
    { ...named, id: store.ids.uuid() },
    { ...named, id: "x" },
  ]) {
    await t.rejects(rotateSecret(deps, { ...wrong, graceMs: 0 }), { code: "not_found" });
  }
  for (const graceMs of [-1, Number.NaN, 31 * dayMs]) {
    await t.rejects(rotateSecret(deps, { ...named, graceMs }), { code: "invalid_request" });
  }
});

t.test("neither secret is in the store", async (t) => {
  const { rotate, store, named, secret: old } = await opened(t);
  const { secret } = await rotate();
  const stored = JSON.stringify(await store.connection.hgetall(store.keys.application(named.id)));
  t.match(stored, /\$argon2id\$.*\$argon2id\$/);
  for (const text of [old, secret]) t.notOk(stored.includes(text.slice(4, 47)));
});
