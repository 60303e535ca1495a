import t from "tap";
import { requireGoodStanding, type Standing } from "../../../src/domain/tokens/standing.ts";
import { applicationId, tenantId } from "../fixtures/examples.ts";
import { refusalOf } from "../fixtures/refusal.ts";

const claims = { tenantId, applicationId, scopes: [], expiresAt: 0 };
const stand = (standing: Standing) => () => requireGoodStanding(async () => standing, claims);

t.test("who is in good standing passes", async (t) => {
  t.equal(await stand("good")(), undefined);
});

t.test("a live token ends with the standing of its tenant or application", async (t) => {
  const expected = {
    tenant_suspended: ["invalid_client", "unauthorized"],
    application_disabled: ["unauthorized_client", "forbidden"],
    gone: ["invalid_token", "unauthorized"],
  } as const;
  for (const [standing, [code, kind]] of Object.entries(expected)) {
    t.match(await refusalOf(stand(standing as Standing)), { code, kind }, standing);
  }
});

t.test("it is the token's own tenant and application that are looked up", async (t) => {
  const seen: unknown[] = [];
  await requireGoodStanding(async ({ tenantId, applicationId }) => {
    seen.push(tenantId, applicationId);
    return "good";
  }, claims);
  t.strictSame(seen, [tenantId, applicationId]);
});
