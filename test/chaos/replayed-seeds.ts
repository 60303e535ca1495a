import t from "tap";
import { faultKinds, planFaults } from "./fault-plan.ts";

function firstFaults(seed: number, kinds = faultKinds) {
  const plan = planFaults(seed, kinds, 1000);
  return Array.from({ length: 200 }, () => plan.next().value);
}

t.test("a seed plans the same faults again, and another seed plans others", async (t) => {
  t.strictSame(firstFaults(7), firstFaults(7));
  t.notSame(firstFaults(7), firstFaults(8));
});

t.test("every kind of fault has its turn, and they are as far apart as was asked for", async (t) => {
  const faults = firstFaults(7);
  t.strictSame([...new Set(faults.map(({ kind }) => kind))].sort(), faultKinds.toSorted());
  const averageMs = faults.reduce((sum, { afterMs }) => sum + afterMs, 0) / faults.length;
  t.ok(averageMs > 900 && averageMs < 1100, `${averageMs} ms`);
});

t.test("who asks for some kinds of faults gets no others", async (t) => {
  t.strictSame(new Set(firstFaults(7, ["kill-redis"]).map(({ kind }) => kind)), new Set(["kill-redis"]));
});
