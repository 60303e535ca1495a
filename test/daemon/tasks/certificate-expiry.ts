import t, { type Test } from "tap";
import { createScheduler } from "../../../src/daemon/scheduler.ts";
import { warnOfExpiry } from "../../../src/daemon/tasks/certificate-expiry.ts";
import { soonestExpiries } from "../../../src/domain/providers/certificate-expiry.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { appleExpiry } from "../../../src/providers/apple/expiry.ts";
import { createProviderConfigurationStore } from "../../../src/redis/provider-configurations.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { createTurns } from "../../../src/redis/turns.ts";
import { createAuthority } from "../../providers/apple/fixtures/authority.ts";
import { credentials } from "../../support/issuer.ts";
import { readableLog } from "../../support/log.ts";
import { dayMs } from "../../support/signing-keys.ts";
import { openStore } from "../../support/store.ts";

const dir = t.testdir();
const authority = createAuthority(dir);
const old = createAuthority(dir, { name: "old", days: 20 });
const { certificate } = authority.leaf("leaf", { kind: "ec", days: 100 });
const on = new AbortController().signal;

/** Tenants whose certificates are real, and a clock that stands at this moment. */
async function opened(t: Test) {
  const store = await openStore(t);
  store.clock.setTo(Date.now());
  const tenants = createTenantStore(store);
  const providerConfigurations = createProviderConfigurationStore(store);
  const deps = { tenants, providerConfigurations, appleExpiry, clock: store.clock };
  return {
    store,
    deps,
    providerConfigurations,
    async addTenant(given: { wwdr?: string; certificate?: string } = {}): Promise<string> {
      const billing = { mode: "prepaid", credits: 0 } as const;
      const { id: tenantId } = await createTenant({ ...deps, ids: store.ids }, { name: "Acme", billing });
      const configuration = { tenantId, enabled: true, sandbox: false, summary: {}, updatedAtMs: 0 };
      const own = { ...credentials.apple, certificate, wwdr: authority.intermediate, ...given };
      await providerConfigurations.save({ ...configuration, wallet: "apple" }, own);
      return tenantId;
    },
  };
}

t.test("nothing is said until 60 days are left, then by how near the end is", async (t) => {
  const at = await opened(t);
  const tenantId = await at.addTenant();
  const none = { notice: 0, warning: 0, critical: 0 };
  const begunMs = at.store.clock.nowMs();
  for (const [inDays, threshold, daysLeft, level, counts] of [
    [39, null, null, null, none],
    [41, 60, 58, "warn", { ...none, notice: 1 }],
    [71, 30, 28, "warn", { ...none, warning: 1 }],
    [94, 7, 5, "error", { ...none, critical: 1 }],
    [101, 7, -2, "error", { ...none, critical: 1 }],
  ] as const) {
    at.store.clock.setTo(begunMs + inDays * dayMs);
    const log = readableLog();
    t.strictSame(await warnOfExpiry({ ...at.deps, log }).run(on), counts, `after ${inDays} days`);
    const said = log.of("certificate.ending");
    t.equal(said.length, threshold === null ? 0 : 1);
    if (threshold === null) continue;
    t.match(said[0], {
      ...{ tenant: tenantId, pass_type: "pass.com.example", certificate: "signing", threshold },
      ...{ expires_at: /^\d{4}-/, days_left: daysLeft },
    });
    t.match(log.lines.at(-1), { level });
  }
});

t.test(
  "the intermediate counts where it ends first; what cannot be read or is disabled says nothing",
  async (t) => {
    const at = await opened(t);
    const tenantId = await at.addTenant({ wwdr: old.intermediate });
    await at.addTenant({ certificate: "nonsense" });
    const disabled = await at.addTenant({ wwdr: old.intermediate });
    await at.providerConfigurations.setEnabled({ tenantId: disabled, wallet: "apple" }, false, 0);
    const log = readableLog();
    t.match(await warnOfExpiry({ ...at.deps, log }).run(on), { warning: 1 });
    t.match(log.of("certificate.ending"), [{ tenant: tenantId, certificate: "wwdr", threshold: 30 }]);
  },
);

t.test("of several workers one says it, and each day once", async (t) => {
  const at = await opened(t);
  await at.addTenant({ wwdr: old.intermediate });
  const log = readableLog();
  const task = warnOfExpiry({ ...at.deps, log });
  const workers = await Promise.all(
    [1, 2, 3].map(async () => {
      const turns = createTurns(await at.store.another(), at.store.clock);
      return createScheduler({ tasks: [task], turns, log: readableLog() });
    }),
  );
  const runs = async (dueAtMs: number) =>
    (await Promise.all(workers.map((worker) => worker.runOnce(task, dueAtMs)))).filter(
      (run) => run === "ran",
    );
  const dueAtMs = at.store.clock.nowMs();
  t.equal((await runs(dueAtMs)).length, 1);
  t.equal((await runs(dueAtMs)).length, 0);
  t.equal(log.of("certificate.ending").length, 1);
  at.store.clock.forward(dayMs);
  t.equal((await runs(dueAtMs + dayMs)).length, 1);
  t.equal(log.of("certificate.ending").length, 2);
});

t.test("the soonest of many tenants are found, the first certificate of each", async (t) => {
  const at = await opened(t);
  const soon: string[] = [];
  for (let each = 0; each < 120; each += 1) {
    const isSoon = each % 40 === 0;
    const id = await at.addTenant(isSoon ? { wwdr: old.intermediate } : {});
    if (isSoon) soon.push(id);
  }
  const found = await soonestExpiries(at.deps, 5);
  t.equal(found.length, 5);
  const [first, second, third, ...others] = found;
  t.strictSame([first, second, third].map((one) => one?.tenantId).sort(), soon.sort());
  t.match([first, second, third], Array(3).fill({ certificate: "wwdr" }));
  t.match(others, Array(2).fill({ certificate: "signing" }));
});
