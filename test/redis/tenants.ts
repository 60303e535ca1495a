import t from "tap";
import type { Tenant } from "../../src/domain/tenants/tenant.ts";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { openStore } from "../support/store.ts";

/** A tenant as it is written; the number tells several apart. */
function tenant(id: string, number: number, billingMode: Tenant["billingMode"] = "prepaid"): Tenant {
  return {
    id,
    name: `Tenant ${number}`,
    status: "active",
    billingMode,
    createdAtMs: 1_795_243_426_625 + number,
  };
}

t.test("a tenant is read as it was written", async (t) => {
  const store = await openStore(t, { partitions: 16 });
  const tenants = createTenantStore(store);
  const names = ["Zoë & Söhne 🎟", "true", "42", 'a"b\\c', "|", "null", " ".repeat(3).concat("x")];
  for (const [number, name] of names.entries()) {
    const written = { ...tenant(store.ids.uuid(), number), name };
    await tenants.create(written, { mode: "prepaid", credits: 0 });
    t.strictSame(await tenants.find(written.id), written);
  }
  t.equal(await tenants.find(store.ids.uuid()), null);
});

t.test("a tenant's opening balance is there with it", async (t) => {
  const store = await openStore(t);
  const tenants = createTenantStore(store);
  const [prepaid, contract] = [tenant(store.ids.uuid(), 1), tenant(store.ids.uuid(), 2, "contract")];
  await tenants.create(prepaid, { mode: "prepaid", credits: 25 });
  await tenants.create(contract, { mode: "contract", monthlyCap: 100 });
  const now = store.clock.nowMs();
  t.strictSame(await tenants.balance(prepaid.id, now), { mode: "prepaid", credits: 25 });
  t.strictSame(await tenants.balance(contract.id, now), {
    mode: "contract",
    monthlyCap: 100,
    usedThisMonth: 0,
  });
  t.equal(await tenants.balance(store.ids.uuid(), now), null);
});

t.test("tenants are listed newest first over all partitions, page by page", async (t) => {
  const store = await openStore(t, { partitions: 4 });
  const tenants = createTenantStore(store);
  const made = Array.from({ length: 7 }, (_, number) => tenant(store.ids.uuid(), number));
  await Promise.all(made.map((one) => tenants.create(one, { mode: "prepaid", credits: 0 })));
  const newest = made.toReversed();
  t.strictSame(await tenants.list({ page: 1, pageSize: 3 }), { items: newest.slice(0, 3), total: 7 });
  t.strictSame(await tenants.list({ page: 3, pageSize: 3 }), { items: newest.slice(6), total: 7 });
  t.strictSame(await tenants.list({ page: 4, pageSize: 3 }), { items: [], total: 7 });
});
