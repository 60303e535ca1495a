import t from "tap";
import type { Package, Plan } from "../../../src/domain/billing/catalog.ts";
import { createCatalogStore } from "../../../src/redis/billing.ts";
import { keysOf, openStore } from "../../support/store.ts";

const price = { amount: 4900, currency: "EUR" };
const packages: Package[] = ["b", "a"].map((id) => ({ id, name: `Zoë “${id}” | 🎟`, credits: 5, price }));
const plan: Plan = { id: "a", name: "Plan", monthlyPasses: 5, interval: "month", price };

t.test("lists are read as they were set, and replaced whole", async (t) => {
  const catalog = createCatalogStore(await openStore(t));
  t.strictSame([await catalog.packages(), await catalog.plans()], [[], []], "nothing is on sale at first");
  await catalog.setPackages(packages);
  await catalog.setPlans([plan]);
  t.strictSame([await catalog.packages(), await catalog.plans()], [packages, [plan]]);
  await catalog.setPackages(packages.slice(1));
  t.strictSame(await catalog.packages(), packages.slice(1));
  await catalog.setPackages([]);
  t.strictSame([await catalog.packages(), await catalog.plans()], [[], [plan]]);
});

t.test("a reader sees one list or the other, never parts of both", async (t) => {
  const store = await openStore(t);
  const [writer, reader] = [createCatalogStore(store), createCatalogStore(await store.another())];
  const lists = [1, 2].map((credits) =>
    Array.from({ length: 50 }, (_, index): Package => ({ id: `p-${index}`, name: "P", credits, price })),
  );
  await writer.setPackages(lists[0] ?? []);
  const writing = Promise.all(
    Array.from({ length: 40 }, (_, turn) => writer.setPackages(lists[turn % 2] ?? [])),
  );
  const seen = await Promise.all(Array.from({ length: 40 }, () => reader.packages()));
  await writing;
  for (const list of seen) {
    t.equal(list.length, 50);
    t.equal(new Set(list.map(({ credits }) => credits)).size, 1);
  }
  t.equal((await keysOf(store)).length, 1);
});
