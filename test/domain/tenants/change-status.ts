import t, { type Test } from "tap";
import { activateTenant, suspendTenant } from "../../../src/domain/tenants/change-status.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { findTenant, findTenantEvenDeleting } from "../../../src/domain/tenants/find.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { openStore } from "../../support/store.ts";

async function opened(t: Test) {
  const store = await openStore(t);
  const tenants = createTenantStore(store);
  const billing = { mode: "prepaid", credits: 5 } as const;
  const tenant = await createTenant({ ...store, tenants }, { name: "Acme", billing });
  return { store, tenants, tenant, id: tenant.id };
}

t.test("a tenant is suspended and activated, and doing it again changes nothing", async (t) => {
  const { tenants, tenant, id } = await opened(t);
  for (const [change, status] of [
    [suspendTenant, "suspended"],
    [activateTenant, "active"],
  ] as const) {
    t.strictSame(await change({ tenants }, id), { tenant: { ...tenant, status }, changed: true });
    t.strictSame(await change({ tenants }, id), { tenant: { ...tenant, status }, changed: false });
  }
  t.strictSame(await tenants.find(id), tenant);
});

t.test("an unknown tenant is not found, and none is made of it", async (t) => {
  const { store, tenants } = await opened(t);
  const unknown = store.ids.uuid();
  for (const id of [unknown, "x"]) {
    await t.rejects(suspendTenant({ tenants }, id), { code: "not_found" });
    await t.rejects(activateTenant({ tenants }, id), { code: "not_found" });
  }
  t.equal(await store.connection.exists(store.keys.tenant(unknown)), 0);
});

t.test("a tenant that is being deleted cannot be saved, nor used for anything new", async (t) => {
  const { tenants, id } = await opened(t);
  t.equal(await tenants.setStatus(id, "deleting"), "changed");
  t.equal(await tenants.setStatus(id, "deleting"), "same");
  const refusal = { code: "invalid_state", detail: /tenants delete/ };
  await t.rejects(activateTenant({ tenants }, id), refusal);
  await t.rejects(suspendTenant({ tenants }, id), refusal);
  await t.rejects(findTenant({ tenants }, id), refusal);
  t.match(await findTenantEvenDeleting({ tenants }, id), { status: "deleting" });
});
