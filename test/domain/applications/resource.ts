import t from "tap";
import { scopes, scopesOf } from "../../../src/domain/applications/application.ts";
import { applicationResource } from "../../../src/domain/applications/resource.ts";
import { applicationId, exampleApplication, instant, tenantId } from "../fixtures/examples.ts";

t.test("an application is shown with its scopes and without its secrets", async (t) => {
  const secrets = [{ hash: "$argon2id$secret", hint: "hinthint", createdAtMs: 0, expiresAtMs: null }];
  t.strictSame(applicationResource({ ...exampleApplication, type: "reporting", secrets }), {
    id: applicationId,
    tenant_id: tenantId,
    name: "shop",
    type: "reporting",
    status: "active",
    scope: "passes:read templates:read messages:read analytics:read",
    created_at: instant,
  });
});

t.test(
  "a backend may all eight scopes, an issuer what passes and messages take, reporting only reads",
  async (t) => {
    t.strictSame([...scopesOf.backend].sort(), [
      "analytics:read",
      "messages:read",
      "messages:write",
      "passes:read",
      "passes:write",
      "templates:read",
      "templates:write",
      "webhooks:write",
    ]);
    t.strictSame([...scopesOf.issuer].sort(), [
      "messages:read",
      "messages:write",
      "passes:read",
      "passes:write",
      "templates:read",
    ]);
    t.ok(scopesOf.reporting.every((scope) => scope.endsWith(":read")));
    t.strictSame(
      Object.values(scopesOf)
        .flat()
        .filter((scope) => !scopes.includes(scope)),
      [],
    );
  },
);
