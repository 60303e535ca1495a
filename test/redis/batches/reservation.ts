import { randomUUID } from "node:crypto";
import t from "tap";
import type { BatchOperation } from "../../../src/domain/batches/batch.ts";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { createBatchStore } from "../../../src/redis/batches.ts";
import { type Issuer, openIssuer } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";

const store = await openStore(t);
const batches = createBatchStore(store);

function accept(issuer: Issuer, operations: BatchOperation[]) {
  return createBatch(
    { ...issuer, batches },
    {
      tenantId: issuer.tenantId,
      name: null,
      operations,
      idempotency: null,
      traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
    },
  );
}

function creates(issuer: Issuer, count: number): BatchOperation[] {
  const { templateId } = issuer;
  return Array.from({ length: count }, () => ({
    type: "create",
    templateId,
    intent: "loyalty_card",
    externalRef: randomUUID(),
    data: { name: "Ada" },
  }));
}

const changes: BatchOperation[] = [
  { type: "update", name: { externalRef: "a" }, data: {} },
  { type: "revoke", name: { externalRef: "b" } },
];

t.test("a batch reserves a credit for each pass that it creates, and for nothing else", async (t) => {
  const issuer = await openIssuer(store, { billing: { mode: "prepaid", credits: 5 } });
  await accept(issuer, [...creates(issuer, 3), ...changes]);
  t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 2 });
  const before = await keySpace(store);
  await t.rejects(accept(issuer, creates(issuer, 3)), {
    code: "insufficient_credits",
    shortage: { required: 3, balance: 2, purchaseUrl: /\/api\/v1\/billing\/topup$/ },
  });
  t.strictSame(await keySpace(store), before, "nothing is written for one that is refused");
});

t.test(
  "a batch that creates nothing is accepted with no credit left, prepaid or under contract",
  async (t) => {
    for (const billing of [
      { mode: "prepaid", credits: 0 },
      { mode: "contract", monthlyCap: 0 },
    ] as const) {
      const issuer = await openIssuer(store, { billing });
      const balance = await issuer.balance();
      const { body } = await accept(issuer, changes);
      t.match(JSON.parse(body), { status: "queued", total: 2 });
      t.strictSame(await issuer.balance(), balance);
    }
  },
);

t.test(
  "no pass is free: what comes when a batch's reservation is used up takes a credit of its own",
  async (t) => {
    const issuer = await openIssuer(store, { billing: { mode: "prepaid", credits: 2 } });
    const { body } = await accept(issuer, creates(issuer, 1));
    const reservedBy: string = JSON.parse(body).id;
    await issuer.create({ reservedBy });
    t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 1 }, "by the reservation");
    // As a worker does that has lost the batch to another, and does not know it yet.
    await issuer.create({ reservedBy });
    t.strictSame(await issuer.balance(), { mode: "prepaid", credits: 0 });
    await t.rejects(issuer.create({ reservedBy }), { code: "insufficient_credits" });
  },
);
