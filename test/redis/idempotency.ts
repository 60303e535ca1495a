import t from "tap";
import { createIdempotencyStore } from "../../src/redis/idempotency.ts";
import { keyOf } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openStore } from "../support/store.ts";

const store = await openStore(t);
const idempotency = createIdempotencyStore(store);

t.test("an answer that was kept is recalled byte for byte, by its tenant, key and body only", async (t) => {
  const [mine, others] = [store.ids.uuid(), store.ids.uuid()];
  const claim = keyOf("k1", { a: 1 });
  t.equal(await idempotency.recall(mine, claim), null);
  t.strictSame(await idempotency.keep(mine, claim, '{"name":"Zoë 🎟"}'), {
    response: '{"name":"Zoë 🎟"}',
    replayed: false,
  });
  t.strictSame(await idempotency.recall(mine, claim), { response: '{"name":"Zoë 🎟"}' });
  t.equal(await idempotency.recall(mine, keyOf("k1", { a: 2 })), "reused");
  t.equal(await idempotency.recall(mine, keyOf("k2", { a: 1 })), null);
  t.equal(await idempotency.recall(others, claim), null);
});

t.test("the first answer that is kept stays, and nothing else is written", async (t) => {
  const tenantId = store.ids.uuid();
  const claim = keyOf("k1", { a: 1 });
  const other = await store.another();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      (number % 2 === 0 ? idempotency : createIdempotencyStore(other)).keep(
        tenantId,
        claim,
        `answer ${number}`,
      ),
    ),
  );
  const told = answers.map((answer) => (answer === "reused" ? { response: answer, replayed: true } : answer));
  t.equal(new Set(told.map(({ response }) => response)).size, 1, "all are told the same");
  t.equal(told.filter(({ replayed }) => !replayed).length, 1, "and one that it was the first");
  const before = await keySpace(store);
  t.equal(await idempotency.keep(tenantId, keyOf("k1", { a: 2 }), "another"), "reused");
  await idempotency.recall(tenantId, claim);
  t.strictSame(await keySpace(store), before);
});

t.test("a kept answer is forgotten after a day", async (t) => {
  const tenantId = store.ids.uuid();
  const claim = keyOf("k1", {});
  await idempotency.keep(tenantId, claim, "answer");
  const seconds = await store.connection.ttl(store.keys.idempotency(tenantId, claim.scope));
  t.ok(seconds > 86_390 && seconds <= 86_400, `${seconds} s are left`);
});
