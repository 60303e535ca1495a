import t from "tap";
import { signIn } from "./support/client.ts";
import { nothingLogged } from "./support/logs.ts";
import { createTenant } from "./support/operator.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { startServe } from "./support/serve.ts";
import { deliveries } from "./webhooks/deliveries.ts";
import { endings } from "./webhooks/endings.ts";
import { finishedWork } from "./webhooks/finished-work.ts";
import { foreignTokens } from "./webhooks/foreign-tokens.ts";
import { registration } from "./webhooks/registration.ts";
import { retries } from "./webhooks/retries.ts";
import type { Surroundings } from "./webhooks/surroundings.ts";
import { targets } from "./webhooks/targets.ts";

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s,200ms,200ms",
};
const service = await startPasswright(t, { settings });
const { base_url: baseUrl, tenant_id, application_id, application_secret } = service.announced;
const credentials = { tenant_id, application_id, application_secret };
// As in production, where nothing allows loopback; and under an address of its own, with the same keys.
const [strictUrl, client, stranger, collector] = await Promise.all([
  startServe(t, service, settings),
  signIn(baseUrl, credentials),
  createTenant(service, { name: "Another" }).then((theirs) => signIn(baseUrl, theirs)),
  createTenant(service, { name: "A third", wallets: [] }).then((theirs) => signIn(baseUrl, theirs)),
]);
const surroundings: Surroundings = {
  service,
  baseUrl,
  credentials,
  client,
  stranger,
  collector,
  strict: await signIn(strictUrl, credentials),
  secrets: { plain: "correct horse battery", prefixed: `whsec_${newMasterKey()}` },
};

t.test("registering a webhook", (t) => registration(t, surroundings));
t.test("the addresses that a webhook may have", (t) => targets(t, surroundings));
t.test("deliveries", (t) => deliveries(t, surroundings));
t.test("deliveries that fail", (t) => retries(t, surroundings));
t.test("events of finished work", (t) => finishedWork(t, surroundings));
t.test("webhooks that end, for a while or for good", (t) => endings(t, surroundings));
t.test("tokens of another address under the same keys", (t) => foreignTokens(t, surroundings));

t.test("no secret was logged on the way", async (t) => {
  nothingLogged(t, service, {
    "the master key": settings.PASSWRIGHT_MASTER_KEY,
    "the application's secret": application_secret,
    "a webhook's secret": surroundings.secrets.plain,
    "a webhook's prefixed secret": surroundings.secrets.prefixed,
  });
});
