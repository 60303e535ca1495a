import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import { createVault } from "../../../src/crypto/vault.ts";
import { systemClock } from "../../../src/domain/clock.ts";
import { rewrapSecrets } from "../../../src/domain/secrets/rewrap.ts";
import { countUnopened } from "../../../src/domain/secrets/unopened.ts";
import type { SigningKey } from "../../../src/domain/signing-keys/signing-key.ts";
import { createProviderConfigurationStore } from "../../../src/redis/provider-configurations.ts";
import { createSealedSecrets } from "../../../src/redis/sealed-secrets.ts";
import { createSigningKeyStore } from "../../../src/redis/signing-keys.ts";
import type { StoreParts } from "../../../src/redis/store.ts";
import { createWebhookStore } from "../../../src/redis/webhooks.ts";
import { credentials, type Issuer, openIssuer } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";

const going = { dryRun: false, signal: new AbortController().signal };

function signingKey(kid: string, state: SigningKey["state"]): SigningKey {
  const publicJwk = { kty: "RSA", n: "modulus", e: "AQAB", kid, alg: "RS256", use: "sig" } as const;
  return {
    kid,
    state,
    publicJwk,
    privateKey: `private ${kid}`,
    publishedAtMs: 1,
    activatedAtMs: 1,
    retiredAtMs: null,
  };
}

/** Some tenants with secrets under an old master key, and the store as it is with a new one: beside the old, and alone. */
async function sealedUnderOld(t: Test, tenantCount = 3) {
  const store = await openStore(t);
  const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
  const old = { ...store, vault: createVault([oldKey]) };
  const both = { ...store, vault: createVault([newKey, oldKey]) };
  const alone = { ...store, vault: createVault([newKey]) };
  await createSigningKeyStore(old).seed([signingKey("one", "active"), signingKey("two", "next")]);
  const issuers: { issuer: Issuer; webhooks: string[] }[] = [];
  for (let i = 0; i < tenantCount; i += 1) {
    const issuer = await openIssuer(old);
    issuers.push({
      issuer,
      webhooks: [await issuer.subscribe("pass.created"), await issuer.subscribe("job.failed")],
    });
  }
  const deps = (parts: StoreParts) => ({
    secrets: createSealedSecrets(parts),
    tenants:
      issuers[0]?.issuer.tenants ??
      (() => {
        throw new Error("there is a tenant");
      })(),
    vault: parts.vault,
  });
  return { store, old, both, alone, issuers, deps };
}

t.test("every secret is sealed anew, opens with the new key alone, and says what it said", async (t) => {
  const { both, alone, issuers, deps } = await sealedUnderOld(t);
  t.equal(await countUnopened(deps(alone)), 14);
  const result = await rewrapSecrets(deps(both), going);
  t.strictSame(result, {
    ...{ dry_run: false, complete: true, secrets: 14, current: 0, rewrapped: 14, gone: 0, unopened: 0 },
    unopened_secrets: [],
  });
  t.equal(await countUnopened(deps(alone)), 0);
  t.strictSame(
    (await createSigningKeyStore(alone).list()).map(({ kid, privateKey }) => [kid, privateKey]),
    [
      ["one", "private one"],
      ["two", "private two"],
    ],
  );
  for (const { issuer, webhooks } of issuers) {
    const { tenantId } = issuer;
    const configurations = createProviderConfigurationStore(alone);
    t.strictSame(await configurations.openCredentials(tenantId, "apple"), credentials.apple);
    t.strictSame(await configurations.openCredentials(tenantId, "google"), credentials.google);
    for (const id of webhooks) {
      t.match(await createWebhookStore(alone).target(tenantId, id), { secret: "correct horse battery" });
    }
  }
  t.match(
    await rewrapSecrets(deps(both), going),
    { current: 14, rewrapped: 0 },
    "the next one finds nothing to do",
  );
});

t.test("a dry run counts, and changes nothing", async (t) => {
  const { store, both, deps } = await sealedUnderOld(t, 1);
  const before = await keySpace(store);
  t.match(await rewrapSecrets(deps(both), { ...going, dryRun: true }), { dry_run: true, rewrapped: 6 });
  t.strictSame(await keySpace(store), before);
});

t.test("what is interrupted goes on with the next call", async (t) => {
  const { both, alone, deps } = await sealedUnderOld(t);
  const stop = new AbortController();
  const first = await rewrapSecrets(deps(both), { dryRun: false, signal: stop.signal }, ({ secrets }) => {
    if (secrets === 5) stop.abort();
  });
  t.match(first, { complete: false, secrets: 5, rewrapped: 5 });
  t.match(await rewrapSecrets(deps(both), going), { complete: true, current: 5, rewrapped: 9 });
  t.equal(await countUnopened(deps(alone)), 0);
});

t.test("a secret under a key that nobody has is named, and stays as it is", async (t) => {
  const { store, both, issuers, deps } = await sealedUnderOld(t, 1);
  const [tenant] = issuers;
  if (tenant === undefined) throw new Error("there is a tenant");
  const { tenantId } = tenant.issuer;
  const lost = createVault([randomBytes(32)]).seal("{}", { tenantId, type: "provider", id: "apple" });
  await store.connection.hset(store.keys.provider(tenantId, "apple"), "credentials", lost);
  t.match(await rewrapSecrets(deps(both), going), {
    ...{ complete: true, secrets: 6, rewrapped: 5, unopened: 1 },
    unopened_secrets: [{ kind: "provider", tenant_id: tenantId, id: "apple" }],
  });
  t.equal(await store.connection.hget(store.keys.provider(tenantId, "apple"), "credentials"), lost);
});

t.test("changes of the same moment win, by whomever, and end up under the new key, too", async (t) => {
  const { both, alone, issuers, deps } = await sealedUnderOld(t, 6);
  const webhookStore = createWebhookStore(both);
  const configurations = createProviderConfigurationStore(both);
  const keys = createSigningKeyStore(both);
  const wanted = new Map<string, string>();
  let isOver = false;
  let changes = 0;
  const changeWebhooks = async (): Promise<void> => {
    for (let i = 0; !isOver; i += 1) {
      for (const { issuer, webhooks } of issuers) {
        for (const id of webhooks) {
          const before = await webhookStore.find(issuer.tenantId, id);
          if (before === null) throw new Error("there is a webhook");
          const secret = `secret ${i} of the webhook`;
          const after = { ...before, secretPrefix: `s${i}` };
          const change = { before, after, secret, closesBreaker: false, idempotency: null, response: "{}" };
          const { outcome } = await webhookStore.update(change);
          if (outcome === "updated") wanted.set(id, secret);
          changes += 1;
        }
      }
    }
  };
  const setProviders = async (): Promise<void> => {
    for (let i = 0; !isOver; i += 1) {
      for (const { issuer } of issuers) {
        const { tenantId } = issuer;
        const configuration = {
          tenantId,
          wallet: "google",
          enabled: true,
          sandbox: true,
          summary: {},
          updatedAtMs: i,
        } as const;
        await configurations.save(configuration, { ...credentials.google, issuerId: String(i) });
        wanted.set(tenantId, String(i));
      }
    }
  };
  const rotateKeys = async (): Promise<void> => {
    for (let i = 0; !isOver; i += 1) {
      const [active, next] = await keys.list();
      const change = { activeKid: active?.kid ?? "", nextKid: next?.kid ?? "", nowMs: systemClock.nowMs() };
      await keys.rotate({ ...change, successor: signingKey(`turn-${i}`, "next") });
      const retiring = (await keys.list()).filter(({ state }) => state === "retiring");
      await keys.remove(retiring.map(({ kid }) => kid));
    }
  };
  const traffic = Promise.all([changeWebhooks(), setProviders(), rotateKeys()]);
  let rounds = 0;
  do {
    t.match(await rewrapSecrets(deps(both), going), { complete: true, unopened: 0 });
    rounds += 1;
  } while (changes < 50);
  isOver = true;
  await traffic;
  t.comment(`${rounds} rounds, ${changes} changes of webhooks`);
  t.equal(await countUnopened(deps(alone)), 0);
  for (const { issuer, webhooks } of issuers) {
    for (const id of webhooks) {
      t.match(await createWebhookStore(alone).target(issuer.tenantId, id), { secret: wanted.get(id) });
    }
    const opened = await createProviderConfigurationStore(alone).openCredentials(issuer.tenantId, "google");
    t.equal(opened?.issuerId, wanted.get(issuer.tenantId));
  }
  for (const { kid, privateKey } of await createSigningKeyStore(alone).list())
    t.equal(privateKey, `private ${kid}`);
});
