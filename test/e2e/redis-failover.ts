import t, { type Test } from "tap";
import type { RedisServer } from "../support/redis-server.ts";
import { command, startSentinels } from "../support/sentinels.ts";
import { eventually } from "./support/eventually.ts";
import { carriesOn, openOutage } from "./support/outage.ts";

// A pair of stores and three Sentinels, as deploy/redis has them. Whatever becomes of the master, serve and workers go to
// its successor by themselves. Copies are made after the answer, so what was accepted in the last moments before may be
// lost, and nothing else.

t.setTimeout(300_000);
const pair = await startSentinels(t);
const outage = await openOutage(t, pair.url, { storesAt: pair.stores.map(({ url }) => url) });
const { customers } = outage;
const processes = outage.processes();

type Accepted = { atMs: number };

/** The replica of this machine is no further behind than this. */
const lagMs = 1000;

/** Ends the master's reign under load, and expects everything to go on with its successor. */
async function succession(
  t: Test,
  act: {
    end(master: RedisServer): unknown;
    afterwards?(old: RedisServer): unknown;
    /** Without it, all that was accepted is there. */
    mayLose?(accepted: Accepted, endedAtMs: number): boolean;
  },
): Promise<void> {
  await pair.inStep();
  const old = await pair.master();
  const { endedAtMs, times } = await customers.during(async () => {
    const endedAtMs = performance.now();
    await act.end(old);
    await pair.promoted(old);
    return { endedAtMs, times: await carriesOn(t, outage, performance.now(), processes) };
  });
  const mayBeLost = (accepted: Accepted) => act.mayLose?.(accepted, endedAtMs) ?? false;
  const lost = await outage.nothingLost(t, mayBeLost);
  t.comment(
    `from promotion: accepted after ${times.accepted} ms, finished after ${times.finished} ms; ${lost} lost`,
  );
  await act.afterwards?.(old);
  await nobodyIsLeftAt(old);
  await customers.during(async () => {});
  await outage.nothingLost(t, mayBeLost);
}

/** Of our processes: a store that is no master any more must not be spoken to, not even by who only listens. */
async function nobodyIsLeftAt(store: RedisServer): Promise<void> {
  await eventually(async () => {
    const clients = String(await command(store.url, "CLIENT", "LIST").catch(() => "passwright:"));
    return /name=passwright:/.test(clients) ? undefined : true;
  });
}

const theLastMoments = ({ atMs }: Accepted, endedAtMs: number) => Math.abs(atMs - endedAtMs) < lagMs;

t.test("the master is killed, and comes back as a replica", (t) =>
  succession(t, {
    end: (master) => master.crash(),
    afterwards: (master) => master.start(),
    mayLose: theLastMoments,
  }),
);

t.test("the master hangs, and wakes when another reigns", (t) =>
  succession(t, {
    end: (master) => master.signal("SIGSTOP"),
    afterwards: (master) => master.signal("SIGCONT"),
    mayLose: theLastMoments,
  }),
);

t.test("an operator has the master replaced, having told it to accept nothing more", (t) =>
  succession(t, {
    async end(master) {
      await command(master.url, "CLIENT", "PAUSE", "15000", "WRITE");
      await pair.failover();
    },
  }),
);

t.test("a Sentinel that hangs is passed over, and so is one that is gone", (t) => {
  const [first, second] = pair.sentinels;
  return succession(t, {
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
