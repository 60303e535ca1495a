import t from "tap";
import { signIn } from "./support/client.ts";
import { nothingLogged } from "./support/logs.ts";
import { createApplication, createTenant } from "./support/operator.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { accessTokens } from "./tokens/access-tokens.ts";
import { bearerChallenges } from "./tokens/bearer-challenges.ts";
import { forgedTokens } from "./tokens/forged-tokens.ts";
import { formRequests } from "./tokens/form-requests.ts";
import { jsonRequests } from "./tokens/json-requests.ts";
import { keySet } from "./tokens/key-set.ts";
import { scopesOfRoutes } from "./tokens/scopes-of-routes.ts";
import { stockClients } from "./tokens/stock-clients.ts";
import type { Surroundings } from "./tokens/surroundings.ts";

const masterKey = newMasterKey();
const service = await startPasswright(t, {
  settings: { ...metricsAnywhere, PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m", PASSWRIGHT_MASTER_KEY: masterKey },
});
const { tenant_id, application_id, application_secret, base_url: baseUrl } = service.announced;
const [issuer, reporting, stranger] = await Promise.all([
  createApplication(service, tenant_id, "issuer"),
  createApplication(service, tenant_id, "reporting"),
  createTenant(service, { name: "Another", wallets: [] }),
]);
const surroundings: Surroundings = {
  service,
  masterKey,
  baseUrl,
  credentials: { tenant_id, application_id, application_secret },
  issuer,
  reporting,
  stranger,
};

t.test("the token endpoint, asked in JSON", (t) => jsonRequests(t, surroundings));
t.test("the token endpoint, asked as OAuth 2.0 has it", (t) => formRequests(t, surroundings));
t.test("access tokens", (t) => accessTokens(t, surroundings));
t.test("the key set", (t) => keySet(t, surroundings));
t.test("clients and verifiers that are not ours", (t) => stockClients(t, surroundings));
t.test("challenges", (t) => bearerChallenges(t, surroundings));
t.test("tokens that are not ours", (t) => forgedTokens(t, surroundings));
t.test("scopes", (t) => scopesOfRoutes(t, surroundings));

t.test("no secret was logged on the way", async (t) => {
  const { token } = await signIn(baseUrl, surroundings.credentials);
  nothingLogged(t, service, {
    "the application's secret": application_secret,
    "another application's secret": issuer.application_secret,
    "the master key": masterKey,
    "the access token": token,
  });
});
