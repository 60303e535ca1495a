import { rmSync } from "node:fs";
import t, { type Test } from "tap";
import { root } from "../e2e/support/passwright.ts";
import { redisProgram } from "../support/redis-server.ts";
import type { FaultKind } from "./fault-plan.ts";
import { figures } from "./figures.ts";
import { type PlantName, withPlants } from "./plants.ts";
import { type RoundReport, runRound } from "./round.ts";

// A suite that never finds anything proves nothing: what it must find is planted here, in a copy of the built tree.

const seed = 6;
t.setTimeout(600_000);

async function roundOf(
  t: Test,
  { plants, faults }: { plants: PlantName[]; faults: FaultKind[] },
): Promise<RoundReport> {
  const redisServer = await redisProgram();
  const report = await withPlants(root, plants, (tree) =>
    runRound({
      ...{ operations: 500, seed, faults, everyMs: 1000, leaseMs: 2000, patienceMs: 5000 },
      ...{ redisServer, tree, progress: () => {} },
    }),
  );
  for (const line of figures([report])) t.comment(line);
  // What is kept as evidence of something wrong, which was expected here.
  if (plants.length > 0 && report.folder !== null) rmSync(report.folder, { recursive: true });
  return report;
}

function found({ problems }: RoundReport, what: RegExp): boolean {
  return problems.some((problem) => what.test(problem));
}

t.test("without a fault nothing is lost, and nothing is done or delivered twice", async (t) => {
  const report = await roundOf(t, { plants: [], faults: [] });
  t.strictSame(report.problems, []);
  t.equal(report.deliveries.duplicates, 0);
  t.equal(report.ends.beganAgain, 0);
  t.ok(report.deliveries.deadLetters > 0, "what one receiver refused was buried");
});

t.test("work that is acknowledged before it is done is found to be lost when workers die", async (t) => {
  const report = await roundOf(t, { plants: ["ack-before-work"], faults: ["kill-worker"] });
  t.ok(found(report, /the job .* is lost/), "jobs that never end");
  t.ok(found(report, /the event .* is lost/), "events that never arrive");
});

t.test(
  "credits that come back twice, and events that are dropped, are found without any fault",
  async (t) => {
    const report = await roundOf(t, { plants: ["credit-twice", "event-dropped"], faults: [] });
    t.ok(found(report, /credits were taken for/), "the money does not add up");
    t.ok(found(report, /the event .* is lost/), "events that never arrive");
  },
);
