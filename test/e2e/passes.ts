import t from "tap";
import { dataRules } from "./passes/data-rules.ts";
import { externalReferences } from "./passes/external-references.ts";
import { idempotencyKeys } from "./passes/idempotency-keys.ts";
import { otherTenants } from "./passes/other-tenants.ts";
import { reading } from "./passes/reading.ts";
import { refusals } from "./passes/refusals.ts";
import { requestBodies } from "./passes/request-bodies.ts";
import { takeIn } from "./passes/surroundings.ts";
import { templates } from "./passes/templates.ts";
import { bodies } from "./rules/bodies.ts";
import { orderOfChecks } from "./rules/order-of-checks.ts";
import { paging } from "./rules/paging.ts";
import { pathsAndMethods } from "./rules/paths-and-methods.ts";
import { traceIds } from "./rules/trace-ids.ts";
import { nothingLogged } from "./support/logs.ts";
import { newMasterKey, startPasswright } from "./support/passwright.ts";

const masterKey = newMasterKey();
const service = await startPasswright(t, {
  settings: { PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m", PASSWRIGHT_MASTER_KEY: masterKey },
});
const surroundings = await takeIn(service);

t.test("paths and methods", (t) => pathsAndMethods(t, surroundings));
t.test("trace ids", (t) => traceIds(t, surroundings));
t.test("bodies", (t) => bodies(t, surroundings));
t.test("the order of checks", (t) => orderOfChecks(t, surroundings));
t.test("lists and their pages", (t) => paging(t, surroundings));

t.test("templates", (t) => templates(t, surroundings));
t.test("the body of a new pass", (t) => requestBodies(t, surroundings));
t.test("the data of a new pass", (t) => dataRules(t, surroundings));
t.test("passes that cannot be made", (t) => refusals(t, surroundings));
t.test("Idempotency-Key", (t) => idempotencyKeys(t, surroundings));
t.test("external_ref as a key", (t) => externalReferences(t, surroundings));
t.test("passes and their jobs, read", (t) => reading(t, surroundings));
t.test("other tenants", (t) => otherTenants(t, surroundings));

t.test("no secret was logged on the way", async (t) => {
  nothingLogged(t, service, {
    "the application's secret": service.announced.application_secret,
    "the master key": masterKey,
    "the access token": surroundings.client.token,
  });
});
