import t, { type Test } from "tap";
import { startRedisServer } from "../support/redis-server.ts";
import { openProxy } from "../support/tcp-proxy.ts";
import { eventually } from "./support/eventually.ts";
import { carriesOn, hands, openOutage, refusesAll } from "./support/outage.ts";

// A Redis that is well, behind a network that is not.

t.setTimeout(300_000);
const redis = await startRedisServer(t, { appendonly: "yes", appendfsync: "always" });
const proxy = await openProxy(t, redis.url);
const outage = await openOutage(t, proxy.url, { storesAt: [redis.url] });
const { customers } = outage;
const processes = outage.processes();

t.test("all connections are cut at one moment", async (t) => {
  const before = await outage.duplicates();
  const times = await customers.during(async () => {
    proxy.cut();
    return carriesOn(t, outage, performance.now(), processes);
  });
  await wellAgain(t, times, before);
});

t.test("answers break off in the middle, again and again", async (t) => {
  const before = await outage.duplicates();
  const times = await customers.during(async () => {
    for (let bytes = 500; bytes < 5000; bytes += 500) {
      const opened = proxy.opened();
      proxy.cutAfter(bytes);
      await eventually(async () => (proxy.opened() > opened ? true : undefined));
    }
    return carriesOn(t, outage, performance.now(), processes);
  });
  await wellAgain(t, times, before, 9);
});

t.test("a firewall forgets the connections that are open: new ones carry, these say nothing", async (t) => {
  const before = await outage.duplicates();
  const times = await customers.during(async () => {
    proxy.mute();
    return carriesOn(t, outage, performance.now(), processes);
  });
  await wellAgain(t, times, before);
});

t.test("nothing gets through any more, and new connections are swallowed as well", async (t) => {
  const before = await outage.duplicates();
  const times = await customers.during(async () => {
    proxy.swallow();
    await refusesAll(t, outage);
    // By now everybody has given the old connections up, and waits on new ones that say nothing either.
    const opened = proxy.opened();
    await eventually(async () => (proxy.opened() > opened + 2 ? true : undefined));
    await refusesAll(t, outage);
    proxy.carry();
    return carriesOn(t, outage, performance.now(), processes);
  });
  await wellAgain(t, times, before);
});

async function wellAgain(
  t: Test,
  times: { accepted: number; finished: number },
  before: number,
  breaks = 1,
): Promise<void> {
  await outage.nothingLost(t);
  const twice = (await outage.duplicates()) - before;
  t.ok(twice <= hands * breaks, `${twice} deliveries came twice`);
  t.comment(`accepted again after ${times.accepted} ms, finished after ${times.finished} ms, ${twice} twice`);
}
