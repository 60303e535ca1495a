import t from "tap";
import { createProviderConfigurationStore } from "../../src/redis/provider-configurations.ts";
import { credentials } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";

const store = await openStore(t);
const configurations = createProviderConfigurationStore(store);
const configuration = (tenantId: string, given = {}) => ({
  tenantId,
  wallet: "apple" as const,
  enabled: true,
  sandbox: false,
  summary: { team_identifier: "A1B2C3D4E5", expires_at: "2027-01-01T00:00:00.000Z" },
  updatedAtMs: 1_795_243_426_625,
  ...given,
});

t.test("a configuration is read as it was written, its credentials apart from it", async (t) => {
  const tenantId = store.ids.uuid();
  const apple = configuration(tenantId);
  const google = { ...configuration(tenantId), wallet: "google" as const, sandbox: true, summary: {} };
  await configurations.save(apple, credentials.apple);
  await configurations.save(google, credentials.google);
  t.strictSame(await configurations.list(tenantId), [apple, google]);
  t.strictSame(await configurations.credentials(tenantId, "apple"), credentials.apple);
  t.strictSame(await configurations.credentials(tenantId, "google"), credentials.google);
  t.strictSame(await configurations.enabledWallets(tenantId), ["apple", "google"]);
});

t.test("one tenant's configuration is not another's", async (t) => {
  const [mine, others] = [store.ids.uuid(), store.ids.uuid()];
  await configurations.save(configuration(mine), credentials.apple);
  t.strictSame(await configurations.list(others), []);
  t.strictSame(await configurations.enabledWallets(others), []);
  t.equal(await configurations.credentials(others, "apple"), null);
});

t.test("a configuration that is disabled gives no credentials, here at once", async (t) => {
  const tenantId = store.ids.uuid();
  await configurations.save(configuration(tenantId), credentials.apple);
  t.ok(await configurations.credentials(tenantId, "apple"));
  t.strictSame(await configurations.enabledWallets(tenantId), ["apple"]);
  await configurations.save(configuration(tenantId, { enabled: false }), credentials.apple);
  t.equal(await configurations.credentials(tenantId, "apple"), null);
  t.strictSame(await configurations.enabledWallets(tenantId), []);
  t.match(await configurations.list(tenantId), [{ enabled: false }]);
});

t.test("new credentials replace the old ones, here at once", async (t) => {
  const tenantId = store.ids.uuid();
  const renewed = { ...credentials.apple, keyPassphrase: "secret", certificate: "renewed" };
  await configurations.save(configuration(tenantId), renewed);
  t.strictSame(await configurations.credentials(tenantId, "apple"), renewed);
  await configurations.save(configuration(tenantId), credentials.apple);
  t.strictSame(await configurations.credentials(tenantId, "apple"), credentials.apple);
});

t.test("credentials moved to another tenant's record open nothing", async (t) => {
  const [from, to] = [store.ids.uuid(), store.ids.uuid()];
  await configurations.save(configuration(from), credentials.apple);
  const record = await store.connection.hgetall(store.keys.provider(from, "apple"));
  await store.connection.hset(store.keys.provider(to, "apple"), { ...record, tenant_id: to });
  await t.rejects(configurations.credentials(to, "apple"));
});

t.test("demo mode is noted without the credentials, which bear it then", async (t) => {
  const tenantId = store.ids.uuid();
  const named = { tenantId, wallet: "google" as const };
  const summary = { issuer_id: "1" };
  t.equal(await configurations.setDemoMode(named, true, 5), "gone");
  await configurations.save({ ...configuration(tenantId), ...named, summary }, credentials.google);
  t.equal(await configurations.setDemoMode(named, false, 5), "same");
  t.equal(await configurations.setDemoMode(named, true, 6), "changed");
  t.match(await configurations.find(tenantId, "google"), {
    ...{ summary: { ...summary, demo_mode: "true" }, updatedAtMs: 6 },
  });
  t.strictSame(await configurations.credentials(tenantId, "google"), {
    ...credentials.google,
    demoMode: true,
  });
  t.strictSame(await configurations.openCredentials(tenantId, "google"), {
    ...credentials.google,
    demoMode: true,
  });
  t.equal(await configurations.setDemoMode(named, false, 7), "changed");
  t.strictSame((await configurations.find(tenantId, "google"))?.summary, summary);
  t.strictSame(await configurations.credentials(tenantId, "google"), credentials.google);
});
