import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import type { Surroundings } from "./surroundings.ts";

export async function billing(t: Test, { service, passwright }: Surroundings) {
  const price = { amount: 1900, currency: "eur" };
  const lists = {
    packages: [
      { id: "starter", name: "Starter", credits: 100, price },
      { id: "growth", name: "Growth", credits: 1000, price },
    ],
    plans: [{ id: "monthly", name: "Monthly", monthly_passes: 500, interval: "month", price }],
  };
  const folder = t.testdir();
  await Promise.all(
    Object.entries(lists).map(async ([noun, items]) => {
      const file = join(folder, `${noun}.json`);
      writeFileSync(file, JSON.stringify(items));
      (await service.cli(noun, "set", file, "--json")).json();
    }),
  );

  t.test("packages are listed, and bought at the payment provider's page", async (t) => {
    const ids: string[] = [];
    for await (const { id } of passwright.billing.listPackages({ page_size: 1 })) ids.push(id);
    t.strictSame(ids, ["starter", "growth"]);
    const checkout = await passwright.billing.topup({ package_id: "starter" });
    t.match(checkout, { checkout_url: /^https?:\/\//, session_id: /./, expires_at: /Z$/ });
    const plan = await passwright.billing.subscribe({ plan_id: "monthly" });
    t.not(plan.session_id, checkout.session_id);
  });

  t.test("what is not on sale is refused with problem details", async (t) => {
    await t.rejects(passwright.billing.topup({ package_id: "nothing" }), {
      name: "PasswrightError",
      status: 400,
      code: "invalid_request",
      traceId: /^[0-9a-f]{32}$/,
      details: [{ path: "/package_id" }],
      problem: { title: "Invalid request", status: 400, instance: "/api/v1/billing/topup" },
    });
  });
}
