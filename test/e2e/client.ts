import t from "tap";
import { billing } from "./client/billing.ts";
import { broadcasts } from "./client/broadcasts.ts";
import { connections } from "./client/connections.ts";
import { deliveries } from "./client/deliveries.ts";
import { passes } from "./client/passes.ts";
import { refusals } from "./client/refusals.ts";
import type { Surroundings } from "./client/surroundings.ts";
import { tokens } from "./client/tokens.ts";
import { nothingLogged } from "./support/logs.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { typedClient } from "./support/typed-client.ts";

// The whole API as a developer meets it: by the typed client alone.

const settings = {
  ...metricsAnywhere,
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  // Small, so that the limit can be reached and waited for.
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10/8s",
};
const service = await startPasswright(t, { settings });
const { base_url: baseUrl, template_id: templateId, ...credentials } = service.announced;
const surroundings: Surroundings = {
  service,
  baseUrl,
  templateId,
  credentials,
  passwright: typedClient(baseUrl, credentials),
};

t.test("templates and passes", (t) => passes(t, surroundings));
t.test("batches, messages and what is told of them", (t) => broadcasts(t, surroundings));
t.test("webhooks and their deliveries", (t) => deliveries(t, surroundings));
t.test("billing", (t) => billing(t, surroundings));
t.test("refusals", (t) => refusals(t, surroundings));
t.test("connections that break", (t) => connections(t, surroundings));
t.test("tokens", (t) => tokens(t, surroundings));

t.test("no secret was logged on the way", async (t) => {
  nothingLogged(t, service, { "the application's secret": credentials.application_secret });
});
