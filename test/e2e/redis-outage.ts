import { Redis } from "ioredis";
import t, { type Test } from "tap";
import { freePort, startRedisServer } from "../support/redis-server.ts";
import { eventually } from "./support/eventually.ts";
import { carriesOn, hands, openOutage, refusesAll, refusesChanges } from "./support/outage.ts";

// What a Redis can do to those who depend on it, with the processes as an operator runs them. While it is away everybody
// is told so at once; when it is back everything goes on without anybody's help, and nothing is lost.

t.setTimeout(300_000);
const redis = await startRedisServer(t, {
  appendonly: "yes",
  appendfsync: "always",
  // Reading the data back takes its time, and meanwhile Redis answers that it is LOADING.
  "key-load-delay": "500",
  "loading-process-events-interval-bytes": "1024",
});
const outage = await openOutage(t, redis.url);
const { customers } = outage;
const processes = outage.processes();

/** Breaks Redis under load, looks at what is to be seen meanwhile, and expects all to be well once it is mended. */
async function through(
  t: Test,
  act: { break(): unknown; meanwhile?(): Promise<unknown>; mend?(): unknown },
): Promise<void> {
  const before = await outage.duplicates();
  const times = await customers.during(async () => {
    await act.break();
    await act.meanwhile?.();
    await act.mend?.();
    return carriesOn(t, outage, performance.now(), processes);
  });
  await outage.nothingLost(t);
  const twice = (await outage.duplicates()) - before;
  t.ok(twice <= hands, `${twice} deliveries came twice`);
  t.comment(`accepted again after ${times.accepted} ms, finished after ${times.finished} ms, ${twice} twice`);
}

async function command(name: string, ...args: string[]): Promise<unknown> {
  const connection = new Redis(redis.url, { enableReadyCheck: false });
  try {
    return await connection.call(name, ...args);
  } finally {
    connection.disconnect();
  }
}

/** Does something to every key of a kind, in one step: between two the workers would make it good. */
async function toEvery(t: Test, pattern: string, act: string): Promise<void> {
  const script = `local keys = redis.call('KEYS', '${pattern}')
    for _, key in ipairs(keys) do ${act} end
    return #keys`;
  t.ok(Number(await command("EVAL", script, "0")) > 0, `there are keys such as ${pattern}`);
}

t.test("Redis is killed and started again", (t) =>
  through(t, {
    break: () => redis.crash(),
    meanwhile: () => refusesAll(t, outage),
    mend: () => redis.start(),
  }),
);

t.test("Redis hangs, and wakes", (t) =>
  through(t, {
    break: () => redis.signal("SIGSTOP"),
    async meanwhile() {
      await refusesAll(t, outage);
      const stalled = await eventually(async () => {
        const health = await outage.workerHealth();
        return health.status === 503 ? health : undefined;
      });
      t.match(stalled.json, { status: "stalled", loop: "consumer" });
    },
    mend: () => redis.signal("SIGCONT"),
  }),
);

t.test("Redis reads its data back, and answers so", async (t) => {
  let started = Promise.resolve();
  await through(t, {
    async break() {
      await redis.crash();
      started = redis.start();
      await eventually(async () =>
        /^loading:1/m.test(String(await command("INFO", "persistence"))) ? true : undefined,
      );
    },
    meanwhile: () => refusesAll(t, outage),
    mend: () => started,
  });
});

t.test("Redis forgets all scripts", (t) => through(t, { break: () => command("SCRIPT", "FLUSH", "SYNC") }));

t.test("the workers' groups are gone, with work in hand", (t) =>
  through(t, {
    break: () =>
      toEvery(
        t,
        "pw:{p*}:queue:*",
        "if redis.call('TYPE', key).ok == 'stream' then redis.call('XGROUP', 'DESTROY', key, 'workers') end",
      ),
  }),
);

t.test("all that the queue is made of is gone, what waits and what is in hand", (t) =>
  through(t, {
    async break() {
      await toEvery(t, "pw:{p*}:queue:*", "redis.call('DEL', key)");
      // Nothing may wait at that very moment.
      await command(
        "EVAL",
        "for _, key in ipairs(redis.call('KEYS', 'pw:{p*}:ready:*')) do redis.call('DEL', key) end",
        "0",
      );
    },
  }),
);

t.test("Redis has no memory left: what is there can be read, and what is in hand is finished", (t) =>
  through(t, {
    break: () => command("CONFIG", "SET", "maxmemory", "1"),
    async meanwhile() {
      await refusesChanges(t, outage);
      await outage.nothingLost(t);
    },
    mend: () => command("CONFIG", "SET", "maxmemory", "0"),
  }),
);

t.test("Redis has become a replica that takes no changes", async (t) => {
  const nowhere = String(await freePort());
  await through(t, {
    break: () => command("REPLICAOF", "127.0.0.1", nowhere),
    meanwhile: () => refusesChanges(t, outage),
    mend: () => command("REPLICAOF", "NO", "ONE"),
  });
});

t.test("a replica that has lost its master answers nothing", async (t) => {
  const nowhere = String(await freePort());
  await command("CONFIG", "SET", "replica-serve-stale-data", "no");
  await through(t, {
    break: () => command("REPLICAOF", "127.0.0.1", nowhere),
    meanwhile: () => refusesAll(t, outage),
    mend: () => command("REPLICAOF", "NO", "ONE"),
  });
});
