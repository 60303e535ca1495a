import t from "tap";
import { tenantResource } from "../../../src/domain/tenants/resource.ts";
import { exampleTenant, instant, tenantId } from "../fixtures/examples.ts";

const shown = { id: tenantId, name: "Kettle & Wren", status: "active", billing: "prepaid" };

t.test("a prepaid tenant is shown with its credits, also when there are none", async (t) => {
  t.strictSame(tenantResource(exampleTenant, { mode: "prepaid", credits: 0 }), {
    ...shown,
    credits: 0,
    created_at: instant,
  });
});

t.test("a contract tenant is shown with its cap and what it used", async (t) => {
  const tenant = { ...exampleTenant, billingMode: "contract" as const };
  t.strictSame(tenantResource(tenant, { mode: "contract", monthlyCap: 100, usedThisMonth: 7 }), {
    ...shown,
    billing: "contract",
    contract_cap: 100,
    used_this_month: 7,
    created_at: instant,
  });
});

t.test("without a balance the rest is shown", async (t) => {
  t.strictSame(tenantResource(exampleTenant, null), { ...shown, created_at: instant });
});
