import { randomBytes } from "node:crypto";
import argon2 from "argon2";
import t from "tap";
import { createSecretHasher } from "../../../src/crypto/secret-hasher.ts";
import { createApplication } from "../../../src/domain/applications/create.ts";
import { isWellFormedSecret, secretHint } from "../../../src/domain/applications/secret.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { createApplicationStore } from "../../../src/redis/applications.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";
import { refusalOf, violationsOf } from "../fixtures/refusal.ts";

const store = await openStore(t, { partitions: 16 });
const deps = {
  tenants: createTenantStore(store),
  applications: createApplicationStore(store),
  hasher: createSecretHasher(),
  peppers: [randomBytes(32), randomBytes(32)] as [Buffer, Buffer],
  ids: store.ids,
  clock: store.clock,
};
const tenant = await createTenant(deps, { name: "Example", billing: { mode: "prepaid", credits: 0 } });
const input = { tenantId: tenant.id, name: " shop ", type: "issuer" };

t.test("an application is active, found by its own id, and lives beside its tenant", async (t) => {
  const { application } = await createApplication(deps, input);
  t.match(application, { tenantId: tenant.id, name: "shop", type: "issuer", status: "active" });
  t.strictSame(await deps.applications.find(application.id), application);
  t.equal(store.keys.partitionOf(application.id), store.keys.partitionOf(tenant.id));
});

t.test(
  "its secret is well formed under the first pepper, and only its Argon2id hash is stored",
  async (t) => {
    const { application, secret } = await createApplication(deps, input);
    t.ok(isWellFormedSecret(secret, [deps.peppers[0]]));
    t.equal(application.secrets.length, 1);
    const [stored] = application.secrets;
    t.match(stored, { hint: secretHint(secret), createdAtMs: store.clock.nowMs(), expiresAtMs: null });
    t.ok(await argon2.verify(stored?.hash ?? "", secret));
    t.notMatch(JSON.stringify(await keySpace(store)), new RegExp(secret.slice(4, 20)));
  },
);

t.test("an unknown type, an empty and a long name are refused, and nothing is written", async (t) => {
  const before = await keySpace(store);
  t.strictSame(await violationsOf(() => createApplication(deps, { ...input, type: "admin" })), [
    "type must be one of backend, issuer, reporting",
  ]);
  for (const name of ["", "  ", "n".repeat(101)]) {
    t.strictSame(await violationsOf(() => createApplication(deps, { ...input, name })), [
      "name must be 1 to 100 characters",
    ]);
  }
  t.strictSame(await keySpace(store), before);
  await createApplication(deps, { ...input, name: "🎟".repeat(100) });
});

t.test("an unknown tenant is not found", async (t) => {
  for (const tenantId of [store.ids.uuid(), "no-uuid"]) {
    t.equal((await refusalOf(() => createApplication(deps, { ...input, tenantId }))).code, "not_found");
  }
});
