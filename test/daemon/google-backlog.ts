import t, { type Test } from "tap";
import { systemClock } from "../../src/domain/clock.ts";
import type { Job } from "../../src/domain/jobs/job.ts";
import { carryOutPass } from "../../src/domain/passes/carry-out.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import type { WalletKey } from "../../src/domain/templates/template.ts";
import { createGoogleProvider } from "../../src/providers/google/provider.ts";
import { createCallRate } from "../../src/redis/call-rate.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { createJobStore } from "../../src/redis/jobs.ts";
import { createPassWork } from "../../src/redis/pass-work.ts";
import { credentialsFor } from "../providers/google/fixtures/service-account.ts";
import { startStrictGoogle } from "../providers/google/fixtures/strict-google.ts";
import { baseUrl, type Issuer, openIssuer, passOf } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { openQueue } from "../support/work.ts";
import { employ } from "../support/worker.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** Tenants of one Google account, and workers that keep to `limit` calls a second there. Apple answers at once. */
async function opened(t: Test, { limit, rate = limit }: { limit: number; rate?: number }) {
  const store = { ...(await openStore(t)), clock: systemClock };
  const google = await startStrictGoogle({ limit });
  t.teardown(() => google.close());
  const appleDone: number[] = [];
  const outcomes: string[] = [];
  const jobs = createJobStore(store, () => store.connect({ blocking: true }));

  async function tenant(wallets: readonly WalletKey[] = ["apple", "google"]): Promise<Issuer> {
    const billing = { mode: "prepaid", credits: 20_000 } as const;
    const issuer = await openIssuer(store, { billing, wallets });
    await issuer.providerConfigurations.save(
      {
        ...{ tenantId: issuer.tenantId, wallet: "google", enabled: true, sandbox: true },
        ...{ summary: {}, updatedAtMs: 0 },
      },
      credentialsFor(google.url),
    );
    return issuer;
  }

  async function work(issuer: Issuer, mostTogether = 20) {
    const through = await store.another();
    const calls = createCallRate(through, { requests: rate, windowMs: 1000 });
    const provider = createGoogleProvider({
      ...{
        clock: systemClock,
        imageUrl: (owner: string | null, sha256: string) => `${baseUrl}/${owner}/${sha256}.png`,
      },
      ...{ rateOf: () => calls, mostTogether },
    });
    t.teardown(() => provider.close());
    const deps = {
      ...issuer,
      queue: await openQueue({ ...store, clock: store.clock as never }, { through }),
      passWork: createPassWork(through, systemClock),
      devices: createDeviceStore(through),
      jobRetrySchedule: [0],
      providers: {
        apple: {
          key: "apple" as const,
          async issue() {
            appleDone.push(performance.now());
            return { saveLink: "/p/1" };
          },
          close: async () => {},
        },
        google: provider,
      },
    };
    return employ(
      t,
      { ...store, clock: store.clock as never },
      {
        concurrency: 20,
        handlers: {
          async job(task, signal, concluded) {
            const report = await carryOutPass(deps, task, signal, concluded);
            outcomes.push(`${task.lane} ${report.outcome}`);
            return report;
          },
        },
      },
    );
  }

  async function create(issuer: Issuer, count: number): Promise<{ id: string; job_id: string }[]> {
    return Promise.all(Array.from({ length: count }, async () => passOf(await issuer.create())));
  }

  const jobOf = (issuer: Issuer, id: string): Promise<Job | null> => jobs.find(issuer.tenantId, id);

  return {
    ...{ store, google, tenant, work, create, appleDone, outcomes, jobOf },
    async allCompleted(issuer: Issuer, ids: readonly string[]): Promise<boolean> {
      const left = await store.connection.zcard(store.keys.openRecords(issuer.partition));
      if (left > 0) return false;
      const found = await Promise.all(ids.map((id) => jobOf(issuer, id)));
      return found.every((job) => job?.status === "completed");
    },
    /** Calls for the object of a pass. */
    callsFor: (passId: string) => google.calls.filter(({ id }) => id.endsWith(passId)),
    update: (issuer: Issuer, passId: string, points: number) =>
      updatePass(issuer, {
        ...{ tenantId: issuer.tenantId, name: { passId }, data: { points: String(points) } },
        ...{ idempotency: null, workClass: "interactive", traceId },
      }),
  };
}

t.test("hundreds of passes at once keep to the rate, and none fails or loses its order", async (t) => {
  const rate = 50;
  // On a machine that is busy, what was let through in time arrives a little later, with others.
  const at = await opened(t, { limit: 60, rate });
  const issuer = await at.tenant(["google"]);
  await Promise.all([at.work(issuer), at.work(issuer)]);
  const passes = await at.create(issuer, 200);
  // Every tenth is changed while it waits, twice.
  for (const [index, { id }] of passes.entries()) {
    if (index % 10 === 0) for (const points of [1, 2]) await at.update(issuer, id, points);
  }
  await until("all of them are done", () =>
    at.allCompleted(
      issuer,
      passes.map(({ job_id }) => job_id),
    ),
  );

  const { calls, requests, bodies } = at.google;
  const refused = calls.filter(({ status }) => status !== 200);
  t.ok(refused.length <= 5, `Google had to refuse ${refused.length}`);
  const seconds = ((calls.at(-1)?.atMs ?? 0) - (calls[0]?.atMs ?? 0)) / 1000;
  t.ok(calls.length <= rate * (seconds + 1), `${calls.length} calls in ${seconds} s`);
  t.strictSame(
    at.outcomes.filter((outcome) => /retrying|failed/.test(outcome)),
    [],
  );
  t.ok(at.outcomes.filter((outcome) => outcome === "google in_line").length > 50, "most stood in line");
  for (const [index, { id }] of passes.entries()) {
    const object = [...bodies].find(([name]) => name.endsWith(id))?.[1];
    t.match(JSON.stringify(object), index % 10 === 0 ? /"2"/ : /"0"/);
  }
  t.ok(requests.filter((path) => path === "/batch").length > 0, "what was due together went together");
  t.ok(requests.length < calls.length);
});

t.test("a backlog at Google delays neither Apple nor another tenant of the same account", async (t) => {
  const at = await opened(t, { limit: 10 });
  const [busy, other] = [await at.tenant(), await at.tenant()];
  await at.work(busy);
  const passes = await at.create(busy, 300);
  await until("Apple has all of them", () => at.appleDone.length === 300);
  t.ok(at.google.calls.length < 150, "while Google has few");

  const [single] = await at.create(other, 1);
  await until("the other tenant's pass is there", async () => {
    const job = await at.jobOf(other, single?.job_id ?? "");
    return job?.status === "completed";
  });
  t.ok(at.google.calls.length < 250, "long before the backlog is over");
  t.match(await at.jobOf(busy, passes.at(-1)?.job_id ?? ""), { status: "running", error: null, attempts: 1 });
});

t.test(
  "a pass that is updated twenty times while Google is slow costs the calls for the first and the newest",
  async (t) => {
    const at = await opened(t, { limit: 100 });
    const issuer = await at.tenant();
    await at.work(issuer);
    const [first] = await at.create(issuer, 1);
    const passId = first?.id ?? "";
    await until("the pass is there", () => at.allCompleted(issuer, [first?.job_id ?? ""]));
    const before = at.callsFor(passId).length;

    const goOn = at.google.stall();
    const asked = at.google.requests.length;
    for (let points = 1; points <= 20; points++) {
      await at.update(issuer, passId, points);
      if (points === 1) await until("the first is on its way", () => at.google.requests.length > asked);
    }
    goOn();
    await until("all of it is over", () => at.allCompleted(issuer, []));
    t.equal(at.callsFor(passId).length - before, 2);
    t.match(JSON.stringify([...at.google.bodies].find(([id]) => id.endsWith(passId))), /"20"/);
  },
);

t.test("a pass that is updated while it stands in line keeps its place, and costs one call", async (t) => {
  const at = await opened(t, { limit: 20 });
  const issuer = await at.tenant();
  await at.work(issuer);
  const passes = await at.create(issuer, 60);
  const passId = passes.at(-1)?.id ?? "";
  await until("Apple has all of them", () => at.appleDone.length === 60);
  for (let points = 1; points <= 20; points++) await at.update(issuer, passId, points);
  const before = at.google.calls.length;
  await until("it has had its turn", () => at.callsFor(passId).length > 0);
  t.ok(at.google.calls.length - before < 70, "and not behind a line that grew meanwhile");
  await until("all of it is over", () => at.allCompleted(issuer, []));
  t.equal(at.callsFor(passId).length, 1);
  t.match(JSON.stringify([...at.google.bodies].find(([id]) => id.endsWith(passId))), /"20"/);
});

t.test("a Google that finds it too much slows everybody down, and costs nobody an attempt", async (t) => {
  const at = await opened(t, { limit: 1000 });
  const issuer = await at.tenant();
  await at.work(issuer);
  at.google.refuse({ status: 429, headers: { "retry-after": "1" }, reason: "rateLimitExceeded" });
  const passes = await at.create(issuer, 100);
  await until(
    "all have come up against it",
    () => at.outcomes.filter((o) => o === "google in_line").length >= 100,
  );
  const refused = at.google.calls.length;
  t.ok(refused < 60, `${refused} calls: only what was under way when the first was refused`);
  at.google.refuse(null);
  await until("all of them are done", () =>
    at.allCompleted(
      issuer,
      passes.map(({ job_id }) => job_id),
    ),
  );
  // The schedule has one attempt: one that had counted would have been the last.
  t.strictSame(
    at.outcomes.filter((outcome) => outcome === "google failed"),
    [],
  );
});
