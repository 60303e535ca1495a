import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import type { WorkClass } from "../../../src/domain/jobs/work.ts";
import { updatePass } from "../../../src/domain/passes/update.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { addJob, completed, openQueue, settle } from "../../support/work.ts";

/** An issuer with two passes that its wallet has, and another tenant that has so much waiting. */
async function besideFlood(t: Test, waiting: number) {
  const store = await openStore(t, { partitions: 1 });
  const queue = await openQueue(store);
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const passIds = [passOf(await issuer.create()).id, passOf(await issuer.create()).id] as const;
  for (const task of await queue.claim([0], 10)) await settle(store, task, completed);
  const flood = randomUUID();
  for (let i = 0; i < waiting; i++) await addJob(store, { tenantId: flood });
  const update = async (passId: string, workClass: WorkClass = "interactive"): Promise<string> => {
    const accepted = await updatePass(issuer, {
      tenantId: issuer.tenantId,
      name: { passId },
      data: {},
      idempotency: null,
      workClass,
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    });
    return passOf(accepted).job_id;
  };
  /** The jobs of the issuer among the next. */
  const take = async (count: number): Promise<string[]> => {
    const tasks = await queue.claim([0], count);
    return tasks.filter(({ tenantId }) => tenantId === issuer.tenantId).map(({ id }) => id);
  };
  return { passIds, update, take };
}

t.test("updates that were overtaken before they were begun cost the tenant no turn", async (t) => {
  const { passIds, update, take } = await besideFlood(t, 100);
  let latest = "";
  for (let i = 0; i < 50; i++) latest = await update(passIds[0]);
  t.strictSame(await take(4), [latest]);
});

t.test("the newest version takes the place of the one that it overtakes", async (t) => {
  const { passIds, update, take } = await besideFlood(t, 0);
  await update(passIds[0]);
  const second = await update(passIds[1]);
  const newest = await update(passIds[0]);
  t.strictSame(await take(10), [newest, second]);
});

t.test("in another class there is no place to take", async (t) => {
  const { passIds, update, take } = await besideFlood(t, 0);
  await update(passIds[0], "bulk");
  const second = await update(passIds[1]);
  const newest = await update(passIds[0]);
  t.strictSame(await take(10), [second, newest]);
});
