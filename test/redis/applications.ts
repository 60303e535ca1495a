import t from "tap";
import type { Application } from "../../src/domain/applications/application.ts";
import { createApplicationStore } from "../../src/redis/applications.ts";
import { createStandingCheck } from "../../src/redis/standings.ts";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { openStore } from "../support/store.ts";

const store = await openStore(t, { partitions: 16 });
const applications = createApplicationStore(store);
const tenants = createTenantStore(store);

function application(tenantId: string, given: Partial<Application> = {}): Application {
  return {
    id: store.ids.beside(tenantId),
    tenantId,
    name: "Shop",
    type: "backend",
    status: "active",
    secrets: [
      { hash: "$argon2id$v=19$m=1,t=1,p=1$abc$def", hint: "AbCdEfGh", createdAtMs: 1, expiresAtMs: null },
    ],
    createdAtMs: 1_795_243_426_625,
    ...given,
  };
}

t.test("an application is read as it was written, by its id alone", async (t) => {
  const tenantId = store.ids.uuid();
  const written = application(tenantId, { type: "issuer", name: "Kasse «Nord» |1|" });
  await applications.create(written);
  t.strictSame(await applications.find(written.id), written);
  const two = application(tenantId, {
    secrets: [
      { hash: "new", hint: "12345678", createdAtMs: 2, expiresAtMs: null },
      { hash: "old", hint: "87654321", createdAtMs: 1, expiresAtMs: 99 },
    ],
  });
  await applications.create(two);
  t.strictSame(await applications.find(two.id), two);
  t.equal(await applications.find(store.ids.uuid()), null);
});

t.test("an application lives in the partition of its tenant", async (t) => {
  const tenantId = store.ids.uuid();
  const one = application(tenantId);
  await applications.create(one);
  const home = store.keys.partition(store.keys.partitionOf(tenantId));
  t.equal(await store.connection.exists(`${home}:application:${one.id}`), 1);
});

t.test("a tenant's applications are listed newest first, and nobody else's", async (t) => {
  const [mine, others] = [store.ids.uuid(), store.ids.uuid()];
  const first = application(mine, { createdAtMs: 1 });
  const second = application(mine, { createdAtMs: 2 });
  for (const one of [first, second, application(others)]) await applications.create(one);
  t.strictSame(await applications.list(mine, { page: 1, pageSize: 10 }), {
    items: [second, first],
    total: 2,
  });
  t.strictSame(await applications.list(mine, { page: 2, pageSize: 1 }), { items: [first], total: 2 });
});

t.test("who stands well, and who does not", async (t) => {
  const check = createStandingCheck({ tenants, applications });
  const tenant = async (status: "active" | "suspended") => {
    const id = store.ids.uuid();
    const record = { id, name: "T", status, billingMode: "prepaid" as const, createdAtMs: 1 };
    await tenants.create(record, { mode: "prepaid", credits: 0 });
    return id;
  };
  const [good, suspended] = [await tenant("active"), await tenant("suspended")];
  const [active, disabled, blocked] = [
    application(good),
    application(good, { status: "disabled" }),
    application(suspended),
  ];
  for (const one of [active, disabled, blocked]) await applications.create(one);
  const standing = (tenantId: string, { id }: Application) => check({ tenantId, applicationId: id });
  t.equal(await standing(good, active), "good");
  t.equal(await standing(good, disabled), "application_disabled");
  t.equal(await standing(suspended, blocked), "tenant_suspended");
  t.equal(await standing(suspended, active), "gone", "an application of another tenant");
  t.equal(await standing(store.ids.uuid(), active), "gone");
  t.equal(await standing(good, application(good)), "gone");
});
