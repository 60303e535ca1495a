import t from "tap";
import { cancelBatch } from "../../../src/domain/batches/cancel.ts";
import { createBatch } from "../../../src/domain/batches/create.ts";
import { createBatchStore } from "../../../src/redis/batches.ts";
import { createIdempotencyStore } from "../../../src/redis/idempotency.ts";
import { openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

const bills = [
  { mode: "prepaid", credits: 5 },
  { mode: "contract", monthlyCap: 9 },
] as const;

for (const billing of bills) {
  // Regression: nothing to take was «-0» to Redis, which refused it.
  t.test(`a batch that creates no pass takes no credit and gives none back (${billing.mode})`, async (t) => {
    const store = await openStore(t);
    const issuer = await openIssuer(store, { billing });
    const before = await issuer.balance();
    const deps = {
      ...issuer,
      batches: createBatchStore(store),
      idempotency: createIdempotencyStore(store),
      ids: store.ids,
      clock: store.clock,
    };
    const { tenantId } = issuer;
    const revoke = { type: "revoke", name: { externalRef: "nobody" } } as const;
    const input = { tenantId, name: null, operations: [revoke], idempotency: null };
    const { body } = await createBatch(deps, { ...input, traceId: "4bf92f3577b34da6a3ce929d0e0e4736" });
    const batch = JSON.parse(body);
    t.match(batch, { status: "queued", total: 1 });
    await cancelBatch(deps, { tenantId, batchId: batch.id, idempotency: null });
    t.strictSame(await issuer.balance(), before);
  });
}
