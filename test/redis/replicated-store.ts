import t, { type Test } from "tap";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { replicatedStore } from "../../src/redis/replicated-store.ts";
import { type Issuer, keyOf, openIssuer, passOf } from "../support/issuer.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { command } from "../support/sentinels.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";

/** A store whose master has one replica, and an issuer whose passes must be on it. */
async function withReplica(t: Test) {
  const master = await startRedisServer(t, { "repl-diskless-sync-delay": "0" });
  const replica = await startRedisServer(t, { replicaof: `127.0.0.1 ${master.port}` });
  const store = await openStore(t, { url: master.url });
  const connection = openConnection(master.url, { name: "test-accepts" });
  t.teardown(() => connection.disconnect());
  await whenReady(connection, 30_000);
  await until("the replica follows", async () => {
    // Where nothing was written, there is nothing to wait for.
    await connection.publish("test", "");
    return (await connection.wait(1, 500)) === 1;
  });
  const accepting = { ...store, ...replicatedStore(store, connection, 1) };
  const issuer = await openIssuer(accepting);
  const { tenantId } = issuer;
  const known = async (id: string, url: string) =>
    (await command(url, "EXISTS", store.keys.pass(tenantId, id))) === 1;
  /** Another process's, which has written nothing itself. */
  const another = async () => {
    const second = openConnection(master.url, { name: "test-accepts" });
    t.teardown(() => second.disconnect());
    await whenReady(second, 30_000);
    return replicatedStore(store, second, 1);
  };
  return { master, replica, store, accepting, another, issuer, known };
}

/** On a busy machine a replica may well take its time. */
function accepted(issuer: Issuer) {
  return until("a pass is accepted", () => issuer.create());
}

const refusal = {
  code: "unavailable",
  retryAfterSeconds: 1,
  message: /repeat it with the same Idempotency-Key/,
};

t.test("what was accepted is on the replica already", async (t) => {
  const { replica, issuer, known } = await withReplica(t);
  for (let i = 0; i < 20; i++) t.ok(await known(passOf(await accepted(issuer)).id, replica.url));
});

t.test("with a replica that hangs nothing is said to be accepted, within a second", async (t) => {
  const { replica, issuer } = await withReplica(t);
  replica.signal("SIGSTOP");
  const startedAt = performance.now();
  await t.rejects(issuer.create(), refusal);
  t.ok(performance.now() - startedAt < 1000);
  replica.signal("SIGCONT");
  await until("passes are accepted again", () => issuer.create());
});

t.test("whoever comes while others wait in vain is told as soon", async (t) => {
  const { replica, issuer } = await withReplica(t);
  replica.signal("SIGSTOP");
  const waits: Promise<number>[] = [];
  for (let i = 0; i < 20; i++) {
    const startedAt = performance.now();
    const refused = issuer.create().catch(() => {});
    waits.push(refused.then(() => performance.now() - startedAt));
    // Another turn of the event loop or several, as callers come.
    await issuer.passes.list(issuer.tenantId, {}, { page: 1, pageSize: 10 });
  }
  const slowest = Math.max(...(await Promise.all(waits)));
  t.ok(slowest < 1500, `${slowest} ms`);
});

t.test(
  "an answer that was never given, for want of replicas, is not given when it is asked for again",
  async (t) => {
    const { replica, issuer, another } = await withReplica(t);
    const other = await another();
    const idempotency = keyOf("k1", {});
    replica.signal("SIGSTOP");
    await t.rejects(issuer.create({ externalRef: "r1", idempotency }), refusal);
    await t.rejects(other.idempotency.recall(issuer.tenantId, idempotency), refusal);
    replica.signal("SIGCONT");
    const repeated = await until("it is answered", () => issuer.create({ externalRef: "r1", idempotency }));
    t.equal(repeated.replayed, true);
    const recalled = () => other.idempotency.recall(issuer.tenantId, idempotency);
    t.match(await until("it is confirmed", recalled), { response: repeated.body });
    t.equal((await issuer.passes.list(issuer.tenantId, {}, { page: 1, pageSize: 10 })).total, 1);
  },
);

t.test("the loss of the master loses nothing that was accepted", async (t) => {
  const { master, replica, issuer, known } = await withReplica(t);
  const accepted: string[] = [];
  let refused = 0;
  let closed = false;
  const customers = Array.from({ length: 8 }, async () => {
    while (!closed) {
      const created = await issuer.create().catch(() => null);
      if (created === null) refused += 1;
      else accepted.push(passOf(created).id);
    }
  });
  await until("some are accepted", () => accepted.length > 100);
  // From here on the replica hears nothing more, and what the master still writes dies with it.
  replica.signal("SIGSTOP");
  const before = refused;
  await until("some are refused", () => refused > before + 8);
  closed = true;
  await Promise.all(customers);
  await master.crash();
  replica.signal("SIGCONT");
  await command(replica.url, "REPLICAOF", "NO", "ONE");
  const lost = await Promise.all(accepted.map(async (id) => ((await known(id, replica.url)) ? [] : [id])));
  t.strictSame(lost.flat(), []);
});

t.test("who is answered together is waited for together", async (t) => {
  const { master, issuer } = await withReplica(t);
  const calls = async (name: string) => {
    const stats = String(await command(master.url, "INFO", "commandstats"));
    return Number(new RegExp(`^cmdstat_${name}:calls=(\\d+)`, "m").exec(stats)?.[1] ?? 0);
  };
  await accepted(issuer);
  const before = await calls("wait");
  await Promise.all(Array.from({ length: 100 }, () => issuer.create().catch(() => {})));
  const waits = (await calls("wait")) - before;
  t.ok(waits > 0 && waits < 50, `${waits} for 100 passes`);
});

t.test("what is read waits for nobody", async (t) => {
  const { replica, issuer } = await withReplica(t);
  const { id } = passOf(await accepted(issuer));
  replica.signal("SIGSTOP");
  const refused = t.rejects(issuer.create(), refusal);
  t.match(await issuer.passes.find(issuer.tenantId, id), { id });
  await refused;
});

t.test("of a cluster it cannot be had, and whoever asks for it is told", async (t) => {
  const store = await openStore(t);
  const connection = openConnection("redis+cluster://127.0.0.1:1", { name: "test" });
  t.teardown(() => connection.disconnect());
  t.throws(() => replicatedStore(store, connection, 1), {
    code: "invalid_configuration",
    message: /PASSWRIGHT_REDIS_WAIT_REPLICAS/,
  });
});
