import t from "tap";
import { scopesOf } from "../../src/domain/applications/application.ts";
import { createApplication } from "../../src/domain/applications/create.ts";
import { createTenant } from "../../src/domain/tenants/create.ts";
import { ask } from "../e2e/support/requests.ts";
import { openApi } from "../support/api.ts";

const api = await openApi(t, { settings: { PASSWRIGHT_TOKEN_RATE_LIMIT: "100000/1m" } });
const tenant = await createTenant(api, { name: "Example", billing: { mode: "prepaid", credits: 0 } });
const [application, other] = await Promise.all(
  ["backend", "backend"].map((type) => createApplication(api, { tenantId: tenant.id, name: "x", type })),
);

/** A token that nobody has verified yet, so that its signature has to be. */
function freshToken(): Promise<string> {
  const issuedAt = Math.floor(api.clock.nowMs() / 1000);
  return api.accessTokens.sign({
    tenantId: tenant.id,
    applicationId: application?.application.id ?? "",
    scopes: scopesOf.backend,
    issuedAt,
    expiresAt: issuedAt + 3600,
    id: api.ids.uuid(),
  });
}

t.test("while bad secrets come in a flood, a call that bears a token overtakes them", async (t) => {
  const tokens = await Promise.all(Array.from({ length: 5 }, freshToken));
  // Well formed, of another application: each costs a hash, or is turned away because of the others.
  const body = {
    tenant_id: tenant.id,
    application_id: application?.application.id,
    application_secret: other?.secret,
    grant_type: "client_credentials",
  };
  let unanswered = 33;
  const bad = async (): Promise<number> => {
    const reply = await ask(`${api.url}/api/v1/auth/token`, { body });
    unanswered--;
    return reply.status;
  };
  const flood = Array.from({ length: unanswered }, bad);
  // By now the others are being hashed, or wait for it.
  await Promise.race(flood);
  const calls = tokens.map(async (token) => {
    const reply = await ask(`${api.url}/api/v1/templates`, { headers: { authorization: `Bearer ${token}` } });
    return { status: reply.status, overtaken: unanswered };
  });
  for (const { status, overtaken } of await Promise.all(calls)) {
    t.equal(status, 200);
    t.ok(overtaken >= 11, `answered before ${overtaken} of the flood`);
  }
  for (const status of await Promise.all(flood)) t.ok([401, 503].includes(status), String(status));
});
