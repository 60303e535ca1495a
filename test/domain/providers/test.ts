import t from "tap";
import { systemClock } from "../../../src/domain/clock.ts";
import { testProvider } from "../../../src/domain/providers/test.ts";
import { checkAppleCredentials } from "../../../src/providers/apple/credentials.ts";
import { createProviderConfigurationStore } from "../../../src/redis/provider-configurations.ts";
import { createAuthority } from "../../providers/apple/fixtures/authority.ts";
import { never } from "../../support/replays.ts";
import { openStore } from "../../support/store.ts";

const dayMs = 24 * 60 * 60 * 1000;
const authority = createAuthority(t.testdir());
const leaf = authority.leaf("leaf", { days: 100 });

/** A tenant with such a certificate, looked at so many days from now. */
async function tested(given: { wwdr?: string; days?: number; enabled?: boolean; otherKey?: boolean } = {}) {
  const store = await openStore(t);
  const providerConfigurations = createProviderConfigurationStore(store);
  const tenantId = store.ids.uuid();
  const credentials = await checkAppleCredentials(
    { clock: systemClock },
    { ...leaf, wwdr: authority.intermediate },
  );
  const expiresAtMs = Math.floor(Date.now() / 1000) * 1000 + 100 * dayMs;
  await providerConfigurations.save(
    {
      ...{ tenantId, wallet: "apple", enabled: given.enabled ?? true, sandbox: false, updatedAtMs: 1 },
      summary: { expires_at: new Date(expiresAtMs).toISOString() },
    },
    { ...credentials, wwdr: given.wwdr ?? credentials.wwdr },
  );
  if (given.otherKey) {
    await store.connection.hset(store.keys.provider(tenantId, "apple"), "credentials", "v1.other.aa.bb");
  }
  const clock = { nowMs: () => Date.now() + (given.days ?? 0) * dayMs };
  const credentialChecks = {
    async apple(stored: typeof credentials) {
      await checkAppleCredentials({ clock }, stored);
    },
    async google() {},
  };
  return testProvider(
    { providerConfigurations, credentialChecks, clock },
    { tenantId, wallet: "apple", signal: never },
  );
}

t.test("credentials that work pass, also where they are disabled", async (t) => {
  t.match(await tested(), { failure: null, warning: null });
  t.match(await tested({ enabled: false }), { configuration: { enabled: false }, failure: null });
});

t.test("a certificate that is about to expire works, with a warning", async (t) => {
  t.match(await tested({ days: 80 }), { failure: null, warning: /expires on \d{4}-.*cannot be updated/ });
});

t.test("what is wrong is said in a sentence, with what to do", async (t) => {
  const remedy = /passwright providers set apple --tenant/;
  t.match(await tested({ days: 101 }), {
    failure: { error: "invalid_configuration", description: /^The certificate expired on/, remedy },
    warning: null,
  });
  t.match(await tested({ wwdr: leaf.certificate }), {
    failure: { description: /^The WWDR certificate is not the issuer/, remedy },
  });
  t.match(await tested({ otherKey: true }), {
    failure: { error: "invalid_configuration", description: /PASSWRIGHT_MASTER_KEY/ },
  });
});
