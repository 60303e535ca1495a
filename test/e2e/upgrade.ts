import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import t, { type Test } from "tap";
import { freePort, startRedisServer } from "../support/redis-server.ts";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { newReference } from "./support/passes.ts";
import { newMasterKey, type Passwright, startPasswright } from "./support/passwright.ts";
import { childrenOf } from "./support/processes.ts";
import { earlierRelease, laterRelease, type Release, startOf } from "./support/release.ts";
import { ask, type Reply } from "./support/requests.ts";
import { createReceiver, deliveriesTo, rootCertificate } from "./support/sandbox.ts";

// Two releases on one Redis, as during an upgrade: both answer, both work, and neither harms what the other has written. The one
// before is a commit of this project, the last whose stores bear no mark of their format.

t.setTimeout(290_000);
const folder = t.testdir();
const lastWithoutMark = "aae674ee2305f5e9754a28cd2a53784bc0e579d5";
const earlier = earlierRelease(join(folder, "earlier"), lastWithoutMark);
const releases = [earlier, laterRelease(join(folder, "later"), { writes: 1 })];

for (const release of releases.filter((one) => one !== undefined)) {
  t.test(`beside ${release.name} nothing fails under traffic, and nothing is lost`, (t) =>
    sideBySide(t, release),
  );
}

async function sideBySide(t: Test, release: Release) {
  const redis = await startRedisServer(t, { appendonly: "yes" });
  const own = {
    PASSWRIGHT_REDIS_URL: redis.url,
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
    PASSWRIGHT_WORKER_METRICS_ADDRESS: "127.0.0.1:0",
  };
  // It was there first: its layout, its system templates, its signing keys.
  const layingOut = startOf(t, release, ["serve", "--port", "0"], own);
  await layingOut.ready();
  t.equal(await layingOut.stop(), 0);

  const service = await startPasswright(t, { settings: own, dataDir: join(t.testdir(), "data") });
  const beside = {
    ...own,
    PASSWRIGHT_BASE_URL: service.announced.base_url,
    PASSWRIGHT_WEBHOOK_CA_FILE: rootCertificate(service),
    PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
  };
  const port = String(await freePort());
  const startServe = () => startOf(t, release, ["serve", "--port", port], beside);
  const startWorker = () => startOf(t, release, ["worker"], beside);
  let [serve, worker] = [startServe(), startWorker()];
  await Promise.all([serve.ready(), worker.ready()]);

  const places = [service.announced.base_url, `http://127.0.0.1:${port}`];
  const traffic = await openTraffic(service, places);
  const workers = [worker];
  await traffic.during(async () => {
    await traffic.passes(20);
    t.comment("its worker goes, and another comes");
    t.equal(await worker.stop(), 0);
    worker = startWorker();
    workers.push(worker);
    await worker.ready();
    await traffic.passes(10);
    t.comment("its serve is taken out of the proxy, goes, and comes again");
    places.pop();
    await traffic.settle();
    t.equal(await serve.stop(), 0);
    await traffic.passes(10);
    serve = startServe();
    await serve.ready();
    places.push(`http://127.0.0.1:${port}`);
    t.comment("ours does the same");
    const ours = childrenOf(service.pid).find(({ command }) => command.includes("worker"));
    process.kill(ours?.pid ?? 0, "SIGTERM");
    await traffic.passes(20);
  });

  t.strictSame(traffic.failures, [], "no request failed");
  const { updated } = await traffic.nothingLost();
  t.comment(
    `${traffic.accepted.size} passes, ${updated} of them changed by the other release than made them`,
  );
  t.ok(updated > 0);
  const done = workers.flatMap(({ logged }) => logged()).filter((line) => /"outcome":"completed"/.test(line));
  t.ok(done.length > 0, `its worker completed ${done.length} attempts`);
  await ledgerTells(t, service, { isKnown: release !== earlier });
  const { text } = await ask(`${places[1]}/readyz`);
  t.match(text, "ready");
  const doctor = await service.cli("doctor", "--offline", "--json");
  const broken = JSON.parse(doctor.stdout).findings.filter(
    ({ status }: { status: string }) => status === "failed",
  );
  t.strictSame(broken, [], "the doctor finds nothing broken");
}

/** Where the other release knows of no ledger, what it charged for is told as not recorded; the sum is the balance. */
async function ledgerTells(t: Test, service: Passwright, ledger: { isKnown: boolean }): Promise<void> {
  const { tenant_id: tenantId } = service.announced;
  const { stdout } = await service.cli(
    "tenants",
    "credits",
    tenantId,
    "--ledger",
    "--limit",
    "100000",
    "--json",
  );
  const movements: { reason: string; amount: number }[] = JSON.parse(stdout);
  const sum = movements.reduce((all, { amount }) => all + amount, 0);
  const tenant = JSON.parse((await service.cli("tenants", "show", tenantId, "--json")).stdout);
  t.equal(sum, tenant.credits, "the ledger is the balance");
  const reasons = new Set(movements.map(({ reason }) => reason));
  t.ok(reasons.has("charged"));
  t.equal(reasons.has("not_recorded"), !ledger.isKnown, "and says what came without an entry");
}

t.test(
  "once a release writes a format that this one does not read, this one refuses to start, and what runs goes on",
  async (t) => {
    const writer = laterRelease(join(folder, "writer"), { writes: 2 });
    const service = await startPasswright(t, { settings: { PASSWRIGHT_MASTER_KEY: newMasterKey() } });
    const { redis_url: redisUrl, base_url: baseUrl } = service.announced;
    const metrics = { PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0" };
    const started = startOf(t, writer, ["tenants", "list"], {
      ...metrics,
      PASSWRIGHT_REDIS_URL: redisUrl,
      PASSWRIGHT_MASTER_KEY: newMasterKey(),
    });
    t.equal(await started.ended, 0);

    for (const command of [["serve", "--port", "0"], ["worker"], ["tenants", "list"]]) {
      const refused = await service.cli(...command);
      t.equal(refused.code, 1, command.join(" "));
      t.match(
        refused.stderr,
        "The data in Redis has format 2, which a newer release has written; this one reads format 1 only.",
      );
    }
    t.equal((await ask(`${baseUrl}/readyz`)).status, 200);
    const client = await signIn(baseUrl, service.announced);
    t.equal((await client.get("/api/v1/passes")).status, 200);
  },
);

/** Customers who make and change passes at one place and at the other, and a receiver that hears of each. */
async function openTraffic(service: Passwright, places: readonly string[]) {
  const { announced } = service;
  const { token } = await signIn(announced.base_url, announced);
  const secret = "the secret of the upgrade";
  const receiver = await createReceiver(service, secret);
  /** The passes, each with the place of its making and how often it was changed since. */
  const accepted = new Map<string, { madeAt: string; changedElsewhere: boolean; version: number }>();
  const failures: string[] = [];
  let turn = 0;
  let underWay = 0;

  /** What a starved machine makes the service refuse is asked for again, under the same key, as the answer says to. */
  const send = async (place: string, method: string, path: string, body: object): Promise<Reply> => {
    const key = newReference();
    for (;;) {
      const headers = { authorization: `Bearer ${token}`, "idempotency-key": key };
      const reply = await ask(`${place}${path}`, { method, body, headers });
      if (reply.status !== 503) return reply;
      await pause(Number(reply.headers["retry-after"]) * 1000);
    }
  };
  const at = (): string => places[turn++ % places.length] ?? "";
  const subscribed = await send(at(), "POST", "/api/v1/webhooks", {
    url: receiver.url,
    events: ["pass.created"],
    secret,
  });
  if (subscribed.status !== 201) throw new Error(`no webhook: ${subscribed.status} ${subscribed.text}`);

  async function serveCustomer(): Promise<void> {
    const data = { member: "Ada Lovelace" };
    const card = {
      template_id: announced.template_id,
      intent: "loyalty_card",
      external_ref: newReference(),
      data,
    };
    const madeAt = at();
    const made = await send(madeAt, "POST", "/api/v1/passes", card);
    if (made.status !== 202) throw new Error(`POST at ${madeAt}: ${made.status} ${made.text}`);
    const pass = { madeAt, changedElsewhere: false, version: 1 };
    accepted.set(made.json.id, pass);
    const changedAt = at();
    const change = { data: { member: "Grace Hopper" } };
    const changed = await send(changedAt, "PATCH", `/api/v1/passes/${made.json.id}`, change);
    if (changed.status !== 202) throw new Error(`PATCH at ${changedAt}: ${changed.status} ${changed.text}`);
    pass.version = 2;
    pass.changedElsewhere = changedAt !== madeAt;
  }

  async function keepServing(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      underWay += 1;
      await serveCustomer().catch((error: unknown) => failures.push(String(error)));
      underWay -= 1;
      await pause(100);
    }
  }

  return {
    accepted,
    failures,
    /** Waits for so many more. */
    async passes(more: number): Promise<void> {
      const before = accepted.size;
      await eventually(async () => (accepted.size >= before + more ? true : undefined));
    },
    /** Waits until all that is under way at this moment has ended. */
    async settle(): Promise<void> {
      const before = accepted.size + underWay;
      await eventually(async () => (accepted.size > before ? true : undefined));
    },
    async during(act: () => Promise<void>): Promise<void> {
      const stop = new AbortController();
      const customers = Array.from({ length: 3 }, () => keepServing(stop.signal));
      try {
        await act();
      } finally {
        stop.abort();
        await Promise.all(customers);
      }
    },
    /** Every pass is active as it was last changed, and the receiver has heard of each exactly once. */
    async nothingLost(): Promise<{ updated: number }> {
      const open = new Set(accepted.keys());
      await eventually(async () => {
        for (const id of open) {
          const headers = { authorization: `Bearer ${token}` };
          const { json } = await ask(`${at()}/api/v1/passes/${id}`, { headers });
          if (json.status !== "active" || json.version !== accepted.get(id)?.version) return undefined;
          open.delete(id);
        }
        return true;
      });
      const told = await eventually(async () => {
        const found = (await deliveriesTo(service, receiver)).map(({ body }) => JSON.parse(body).data.id);
        return [...accepted.keys()].every((id) => found.includes(id)) ? found : undefined;
      });
      if (told.length !== new Set(told).size) throw new Error("the receiver was told of a pass twice");
      return { updated: [...accepted.values()].filter(({ changedElsewhere }) => changedElsewhere).length };
    },
  };
}
