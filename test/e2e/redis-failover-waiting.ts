import t, { type Test } from "tap";
import { command, startSentinels } from "../support/sentinels.ts";
import { eventually } from "./support/eventually.ts";
import { openOutage, refusesChanges } from "./support/outage.ts";
import { type Succession, succession } from "./support/succession.ts";

// A master with two replicas, of which one must hold what is accepted before anybody is told. Whatever becomes of the
// master, nothing that was accepted is lost.

t.setTimeout(300_000);
const stores = await startSentinels(t, { replicas: 2, given: { "min-replicas-to-write": "1" } });
const outage = await openOutage(t, stores.url, {
  storesAt: stores.stores.map(({ url }) => url),
  settings: { PASSWRIGHT_REDIS_WAIT_REPLICAS: "1" },
});
const succeeds = (t: Test, act: Succession) => succession(t, { stores, outage }, act);

t.test("without any replica nothing is accepted, and what is there can be read", async (t) => {
  await stores.inStep();
  const master = await stores.master();
  const replicas = stores.stores.filter((store) => store !== master);
  for (const replica of replicas) replica.signal("SIGSTOP");
  await refusesChanges(t, outage);
  const [replica] = replicas;
  replica?.signal("SIGCONT");
  await outage.customers.during(async () => {});
  await outage.nothingLost(t);
  for (const replica of replicas) replica.signal("SIGCONT");
});

t.test("the master is killed, and nothing is lost", (t) =>
  succeeds(t, {
    end: (master) => master.crash(),
    afterwards: (master) => master.start(),
  }),
);

t.test("the master hangs, and when it wakes nobody can write to it any more", (t) =>
  succeeds(t, {
    end: (master) => master.signal("SIGSTOP"),
    async afterwards(master) {
      master.signal("SIGCONT");
      const refusal = await eventually(() =>
        command(master.url, "SET", "stale", "1").then(
          () => undefined,
          (error: Error) => error.message,
        ),
      );
      t.match(refusal, /^(?:NOREPLICAS|READONLY)/);
    },
  }),
);
