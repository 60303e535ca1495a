import { randomUUID } from "node:crypto";
import t from "tap";
import { claimKey } from "../../../src/domain/idempotency.ts";
import { createCheckoutStore } from "../../../src/redis/billing.ts";
import { createIdempotencyStore } from "../../../src/redis/idempotency.ts";
import { openStore } from "../../support/store.ts";

const claim = (body: string) => claimKey("POST", "/api/v1/billing/topup", "k", Buffer.from(body));

t.test("the first answer of a request is kept for a day, and later ones give way to it", async (t) => {
  const store = await openStore(t);
  const checkouts = createCheckoutStore(store);
  const tenantId = randomUUID();
  t.strictSame(await checkouts.keepAnswer(tenantId, claim("{}"), "first"), { outcome: "kept" });
  t.strictSame(await checkouts.keepAnswer(tenantId, claim("{}"), "second"), {
    outcome: "replayed",
    response: "first",
  });
  t.strictSame(await checkouts.keepAnswer(tenantId, claim('{"a":1}'), "third"), { outcome: "key_reused" });
  t.strictSame(await createIdempotencyStore(store).recall(tenantId, claim("{}")), { response: "first" });
  const left = await store.connection.ttl(store.keys.idempotency(tenantId, claim("{}").scope));
  t.ok(left > 86_000 && left <= 86_400, `${left} s`);
  t.strictSame(await checkouts.keepAnswer(randomUUID(), claim("{}"), "theirs"), { outcome: "kept" });
});
