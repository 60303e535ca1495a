import t from "tap";
import { faultKinds } from "./chaos/fault-plan.ts";
import { figures } from "./chaos/figures.ts";
import { runRound } from "./chaos/round.ts";
import { root } from "./e2e/support/passwright.ts";
import { redisProgram } from "./support/redis-server.ts";

// The short form of `npm run chaos`. PASSWRIGHT_CHAOS_SEED=N repeats a run, PASSWRIGHT_CHAOS_OPERATIONS=N makes it longer
// or shorter.
const seed = Number(process.env.PASSWRIGHT_CHAOS_SEED ?? Math.floor(Math.random() * 1_000_000));
const operations = Number(process.env.PASSWRIGHT_CHAOS_OPERATIONS ?? 20_000);

t.setTimeout(1_200_000);

t.test(`${operations} operations, and about every second something is killed, frozen or cut`, async (t) => {
  const report = await runRound({
    ...{ operations, seed, faults: faultKinds, everyMs: 1000, leaseMs: 2000, patienceMs: 30_000 },
    ...{ redisServer: await redisProgram(), tree: root, progress: () => {} },
  });
  for (const line of figures([report])) t.comment(line);
  t.ok(report.tally.operations >= operations, "all of them were answered for good");
  t.ok(report.deeds.length > 0, "something was done to the service");
  const repeat = `PASSWRIGHT_CHAOS_SEED=${seed}`;
  t.strictSame(report.problems.slice(0, 50), [], "nothing is lost, and nothing too much", { repeat });
});
