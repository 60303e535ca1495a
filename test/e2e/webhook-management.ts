import t from "tap";
import { signIn } from "./support/client.ts";
import { createTenant } from "./support/operator.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { startServe } from "./support/serve.ts";
import { addresses } from "./webhook-management/addresses.ts";
import { events } from "./webhook-management/events.ts";
import { isolation } from "./webhook-management/isolation.ts";
import { records } from "./webhook-management/records.ts";
import type { Surroundings } from "./webhook-management/surroundings.ts";

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s,100ms,100ms",
  PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,50ms,50ms",
  // What a busy machine interrupts is soon tried again.
  PASSWRIGHT_JOB_LEASE: "3s",
};
const service = await startPasswright(t, { settings });
const { base_url: baseUrl, template_id: _, ...credentials } = service.announced;
const newcomer = async (name: string, wallets: ("apple" | "google")[]) =>
  signIn(baseUrl, await createTenant(service, { name, wallets }));
const [client, keeper, collector, unlucky] = await Promise.all([
  signIn(baseUrl, credentials),
  newcomer("Keeper", []),
  newcomer("Collector", []),
  newcomer("Unlucky", ["google"]),
]);
// As in production, where nothing allows loopback.
const strict = await signIn(await startServe(t, service, settings), credentials);
const surroundings: Surroundings = { service, client, keeper, collector, unlucky, strict };

t.test("webhooks, written and read", (t) => records(t, surroundings));
t.test("the addresses of webhooks", (t) => addresses(t, surroundings));
t.test("the seven events", (t) => events(t, surroundings));
t.test("one receiver and another", (t) => isolation(t, surroundings));
