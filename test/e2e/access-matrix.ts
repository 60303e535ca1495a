import t from "tap";
import { routes } from "../../src/http/routes.ts";
import { signingSecret } from "../support/stripe-events.ts";
import { credentialsOf } from "./access-matrix/credentials.ts";
import { operations } from "./access-matrix/operations.ts";
import { otherTenants, otherTenantsInBatches } from "./access-matrix/other-tenants.ts";
import { otherTenantsKeys } from "./access-matrix/other-tenants-keys.ts";
import { rulesForAll, withoutRedis } from "./access-matrix/rules.ts";
import { takeIn } from "./access-matrix/surroundings.ts";
import { newMasterKey, startPasswright } from "./support/passwright.ts";

// Every operation of the service, asked by everybody who may not and by everybody who may. What there is to ask comes
// from the table of routes: an operation that this matrix does not know fails it.

const nameOf = ({ method, path }: { method: string; path: string }): string => `${method} ${path}`;

// A busy machine takes its time over so many processes and requests.
t.setTimeout(300_000);
const masterKey = newMasterKey();
const service = await startPasswright(t, {
  settings: {
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_MASTER_KEY: masterKey,
    PASSWRIGHT_STRIPE_WEBHOOK_SECRET: signingSecret,
  },
});
const surroundings = await takeIn(t, service, masterKey);

t.test("the matrix has a row for every route, and no other", async (t) => {
  t.strictSame(Object.keys(operations).sort(), routes.map(nameOf).sort());
});

t.test("every operation needs what the interface says", async (t) => {
  for (const route of routes) t.equal(route.access, operations[nameOf(route)]?.needs, nameOf(route));
});

t.test("what another tenant has", (t) => otherTenants(t, surroundings));
t.test("Idempotency-Keys of another tenant", (t) => otherTenantsKeys(t, surroundings));
t.test("rules for every request", (t) => rulesForAll(t, surroundings));
t.test("credentials", (t) => credentialsOf(t, surroundings));
t.test("batches that name what another tenant has", (t) => otherTenantsInBatches(t, surroundings));
t.test("without Redis", (t) => withoutRedis(t, surroundings));
