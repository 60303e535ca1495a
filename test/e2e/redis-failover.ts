import t, { type Test } from "tap";
import { command, startSentinels } from "../support/sentinels.ts";
import { eventually } from "./support/eventually.ts";
import { openOutage } from "./support/outage.ts";
import { type Accepted, type Succession, succession } from "./support/succession.ts";

// A pair of stores and three Sentinels, as deploy/redis has them. Whatever becomes of the master, serve and workers go to
// its successor by themselves. Copies are made after the answer, so what was accepted in the last moments before may be
// lost, and nothing else.

t.setTimeout(300_000);
const pair = await startSentinels(t);
const outage = await openOutage(t, pair.url, { storesAt: pair.stores.map(({ url }) => url) });
const succeeds = (t: Test, act: Succession) => succession(t, { stores: pair, outage }, act);

/** The replica of this machine is no further behind than this. */
const lagMs = 1000;

const theLastMoments = ({ atMs }: Accepted, endedAtMs: number) => Math.abs(atMs - endedAtMs) < lagMs;

t.test("the master is killed, and comes back as a replica", (t) =>
  succeeds(t, {
    end: (master) => master.crash(),
    afterwards: (master) => master.start(),
    mayLose: theLastMoments,
  }),
);

t.test("the master hangs, and wakes when another reigns", (t) =>
  succeeds(t, {
    end: (master) => master.signal("SIGSTOP"),
    afterwards: (master) => master.signal("SIGCONT"),
    mayLose: theLastMoments,
  }),
);

t.test("an operator has the master replaced, having told it to accept nothing more", (t) =>
  succeeds(t, {
    async end(master) {
      await command(master.url, "CLIENT", "PAUSE", "15000", "WRITE");
      await pair.failover();
    },
  }),
);

t.test("a Sentinel that hangs is passed over, and so is one that is gone", (t) => {
  const [first, second] = pair.sentinels;
  return succeeds(t, {
    async end(master) {
      await master.crash();
      await eventually(async () => ((await pair.master()) === master ? undefined : true));
      // All that is left to ask is the last one.
      first?.signal("SIGSTOP");
      await second?.crash();
    },
    async afterwards(master) {
      first?.signal("SIGCONT");
      await second?.start();
      await master.start();
    },
    mayLose: theLastMoments,
  });
});
