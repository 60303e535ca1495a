import t from "tap";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { findTenant } from "../../../src/domain/tenants/find.ts";
import type { Billing } from "../../../src/domain/tenants/tenant.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";
import { refusalOf, violationsOf } from "../fixtures/refusal.ts";

const store = await openStore(t);
const tenants = createTenantStore(store);
const deps = { tenants, ids: store.ids, clock: store.clock };
const create = (name: string, billing: Billing = { mode: "prepaid", credits: 5 }) =>
  createTenant(deps, { name, billing });

t.test("a tenant is active, with its opening balance, and found by its id", async (t) => {
  const tenant = await create("  Kettle & Wren  ");
  t.match(tenant, {
    name: "Kettle & Wren",
    status: "active",
    billingMode: "prepaid",
    createdAtMs: store.clock.nowMs(),
  });
  t.strictSame(await findTenant(deps, tenant.id), tenant);
  t.strictSame(await tenants.balance(tenant.id, store.clock.nowMs()), { mode: "prepaid", credits: 5 });
});

t.test("a contract tenant has a cap for the calendar month", async (t) => {
  const { id } = await create("Contract", { mode: "contract", monthlyCap: 0 });
  t.match(await tenants.balance(id, store.clock.nowMs()), {
    mode: "contract",
    monthlyCap: 0,
    usedThisMonth: 0,
  });
});

t.test(
  "a name of 1 to 100 characters and a whole amount from 0 are asked for, else nothing is written",
  async (t) => {
    const before = await keySpace(store);
    for (const name of ["", " \t", "n".repeat(101)]) {
      t.strictSame(await violationsOf(() => create(name)), ["name must be 1 to 100 characters"]);
    }
    for (const amount of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53]) {
      t.strictSame(await violationsOf(() => create("x", { mode: "prepaid", credits: amount })), [
        "credits must be a whole number, 0 or more",
      ]);
      t.strictSame(await violationsOf(() => create("x", { mode: "contract", monthlyCap: amount })), [
        "contract-cap must be a whole number, 0 or more",
      ]);
    }
    t.strictSame(await keySpace(store), before);
    t.equal((await create("🎟".repeat(100))).name.length, 200, "characters, not UTF-16 units");
  },
);

t.test("an id that names no tenant, or cannot, is not found", async (t) => {
  for (const id of [store.ids.uuid(), "", "x", "*", "__proto__"]) {
    t.equal((await refusalOf(() => findTenant(deps, id))).code, "not_found", id);
  }
});
