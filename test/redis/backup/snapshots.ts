import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { revokePass } from "../../../src/domain/passes/revoke.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import { copyLimits } from "../../../src/redis/backup/exact-copy.ts";
import { createSnapshots } from "../../../src/redis/backup/snapshots.ts";
import { createWallets } from "../../e2e/model/wallets.ts";
import { disagreements } from "../../support/agreement.ts";
import { backedUp, emptyBeside, restored } from "../../support/backups.ts";
import { type Issuer, openIssuer, passOf } from "../../support/issuer.ts";
import { openService } from "../../support/service.ts";
import { until } from "../../support/until.ts";

t.setTimeout(240_000);

const opening = 100_000;

async function busyService(t: Test) {
  const service = await openService(t, {
    providers: createWallets(),
    workers: 2,
    settings: { PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,5ms,20ms", PASSWRIGHT_JOB_LEASE: "60s" },
  });
  const tenants: Issuer[] = [];
  for (const _ of [1, 2]) {
    const issuer = await openIssuer(service.issuing, { billing: { mode: "prepaid", credits: opening } });
    await issuer.subscribe("pass.created", "job.completed");
    tenants.push(issuer);
  }
  const [first, second] = tenants;
  if (first === undefined || second === undefined) throw new Error("there are two");
  return { service, store: service.issuing, tenants: [first, second] as const };
}

type Busy = Awaited<ReturnType<typeof busyService>>;

/** Callers who create, change, revoke and send batches until they are told to stop. */
function beginTraffic({ service }: Busy, issuers: readonly Issuer[]) {
  let isOver = false;
  let accepted = 0;
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const words = ["fine", "fine", "busy", "google_is_away", "both_refuse"];
  const call = async (issuer: Issuer, seed: number): Promise<void> => {
    const { tenantId } = issuer;
    for (let i = seed; !isOver; i += 1) {
      const name = `${words[i % words.length]} ${i}`;
      const { id } = passOf(await issuer.create({ data: { name } }));
      const request = { tenantId, idempotency: null, workClass: "interactive", traceId } as const;
      await updatePass(
        { ...service, ...issuer },
        { ...request, name: { passId: id }, data: { points: String(i % 100) } },
      );
      if (i % 3 === 0) {
        await updatePass(
          { ...service, ...issuer },
          { ...request, name: { passId: id }, data: { points: "7" } },
        );
      }
      if (i % 4 === 0) await revokePass({ ...service, ...issuer }, { ...request, name: { passId: id } });
      if (i % 10 === 0) await sendBatch(issuer, id);
      accepted += 1;
    }
  };
  const sendBatch = (issuer: Issuer, passId: string) =>
    createBatch(
      { ...service, ...issuer, batches: service.batches },
      {
        ...{ tenantId: issuer.tenantId, idempotency: null, traceId, name: null },
        operations: [
          { type: "update", name: { passId }, data: { points: "1" } },
          {
            type: "create",
            templateId: issuer.templateId,
            intent: "loyalty_card",
            externalRef: randomUUID(),
            data: { name: "Batch" },
          },
        ],
      },
    ).catch(ifNotTooMany);
  const all = Promise.all(issuers.flatMap((issuer) => [0, 1].map((seed) => call(issuer, seed))));
  return {
    accepted: () => accepted,
    async end() {
      isOver = true;
      await all;
    },
  };
}

/** No more than ten batches of a tenant are under way at a time. */
function ifNotTooMany(error: unknown): void {
  if (!(error instanceof PasswrightError) || error.code !== "too_many_batches") throw error;
}

for (const [how, limits] of [
  ["as it comes", copyLimits],
  ["with writers waiting for a moment", { ...copyLimits, attempts: 0 }],
] as const) {
  t.test(`a tenant that is copied in full traffic is whole, and of one instant: ${how}`, async (t) => {
    const busy = await busyService(t);
    const { store, tenants } = busy;
    const traffic = beginTraffic(busy, tenants);
    await until("there is something", () => traffic.accepted() > 200);
    const { tenantId } = tenants[0];
    const copies: string[][] = [];
    for (const _ of [1, 2, 3]) {
      const before = traffic.accepted();
      copies.push(await backedUp(store, { tenantId, snapshots: createSnapshots(store, limits) }));
      t.comment(`${copies.at(-1)?.length} records, ${traffic.accepted() - before} accepted meanwhile`);
    }
    await traffic.end();
    for (const lines of copies) {
      const target = emptyBeside(t, store);
      t.match(await restored(target, lines), { complete: true, tenants: 1 });
      t.strictSame(await disagreements(target, { tenantId, opening }), []);
    }
  });
}

t.test("the whole installation is copied in full traffic, and each tenant of it is whole", async (t) => {
  const busy = await busyService(t);
  const { store, tenants } = busy;
  const traffic = beginTraffic(busy, tenants);
  await until("there is something", () => traffic.accepted() > 200);
  const lines = await backedUp(store);
  await traffic.end();
  const target = emptyBeside(t, store);
  t.match(await restored(target, lines), { complete: true, tenants: 2 });
  for (const { tenantId } of tenants) t.strictSame(await disagreements(target, { tenantId, opening }), []);
});
