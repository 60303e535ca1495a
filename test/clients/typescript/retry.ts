import t from "tap";
import { PasswrightError } from "../../../clients/typescript/src/index.ts";
import { waitBeforeRetryMs } from "../../../clients/typescript/src/retry.ts";
import { type Answer, refusal, startService } from "./fixtures/service.ts";

const done: Answer = { status: 202, body: { id: "a-pass" } };
const newPass = { template_id: "a", intent: "coupon", external_ref: "b", data: {} };

const passing: readonly [name: string, answer: Answer][] = [
  ["429", refusal(429, "too_many_requests")],
  ["500", refusal(500, "internal_error")],
  ["503", refusal(503, "unavailable")],
  ["a proxy's 502 that is no error object", { status: 502, body: "<html>", headers: { "retry-after": "0" } }],
  ["a connection that breaks before the answer", "cut"],
  ["a connection that breaks within the answer", "cut in the middle"],
];

for (const [name, failure] of passing) {
  t.test(`${name} is tried again, under the same Idempotency-Key`, async (t) => {
    const service = await startService(t, (_, count) => (count === 1 ? failure : done));
    t.strictSame(await service.client().passes.create(newPass), { id: "a-pass" });
    const keys = service.asked.map(({ headers }) => headers["idempotency-key"]);
    t.equal(keys.length, 2);
    t.match(keys[0], /^[0-9a-f-]{36}$/);
    t.equal(keys[0], keys[1]);
    t.equal(service.asked[0]?.body, service.asked[1]?.body);
  });
}

t.test("silence ends at the time limit of an attempt, and is tried again", async (t) => {
  const service = await startService(t, (_, count) => (count === 1 ? "silence" : done));
  t.strictSame(await service.client({ timeoutMs: 200 }).passes.get("a"), { id: "a-pass" });
  t.equal(service.asked.length, 2);
});

t.test("what will not pass is not tried again", async (t) => {
  for (const [status, code] of [
    [400, "invalid_request"],
    [401, "invalid_client"],
    [402, "insufficient_credits"],
    [403, "insufficient_scope"],
    [404, "not_found"],
    [409, "invalid_state"],
    [410, "gone"],
    [413, "invalid_request"],
  ] as const) {
    const service = await startService(t, () => refusal(status, code));
    await t.rejects(service.client().passes.create(newPass), { status, code });
    t.equal(service.asked.length, 1, code);
  }
});

t.test("after the last retry the last failure is thrown", async (t) => {
  const service = await startService(t, () => refusal(503, "unavailable"));
  await t.rejects(service.client().passes.get("a"), { status: 503, code: "unavailable", retryAfter: 0 });
  t.equal(service.asked.length, 4, "three retries unless told otherwise");
  await t.rejects(service.client({ maxRetries: 1 }).passes.get("a"));
  t.equal(service.asked.length, 6);
  await t.rejects(service.client({ maxRetries: 1 }).passes.get("a", { maxRetries: 0 }));
  t.equal(service.asked.length, 7, "a call may say for itself");
});

t.test("two calls have different keys, and a key of the caller's is used as it is", async (t) => {
  const service = await startService(t, (_, count) => (count === 3 ? refusal(503, "unavailable") : done));
  const { passes } = service.client();
  await passes.create(newPass);
  await passes.create(newPass);
  await passes.create(newPass, { idempotencyKey: "order-4711" });
  const [first, second, ...own] = service.asked.map(({ headers }) => headers["idempotency-key"]);
  t.not(first, second);
  t.strictSame(own, ["order-4711", "order-4711"]);
});

t.test("reading bears no key", async (t) => {
  const service = await startService(t, () => done);
  await service.client().passes.get("a");
  t.equal(service.asked[0]?.headers["idempotency-key"], undefined);
});

t.test("Retry-After is waited for in full, and at most a tenth more", async (t) => {
  const error = new PasswrightError({
    status: 429,
    code: "too_many_requests",
    description: "",
    retryAfter: 7,
  });
  t.equal(
    waitBeforeRetryMs(error, 1, () => 0),
    7000,
  );
  t.ok(Number(waitBeforeRetryMs(error, 3, () => 1)) <= 7700);
});

t.test("who asks for more than a minute of patience is not waited for", async (t) => {
  const asking = (retryAfter: number) =>
    new PasswrightError({ status: 503, code: "unavailable", description: "", retryAfter });
  t.equal(waitBeforeRetryMs(asking(61), 1), undefined);
  t.ok(waitBeforeRetryMs(asking(60), 1));
});

t.test("without Retry-After the wait doubles up to 8 s, and is half of it at least", async (t) => {
  const error = new PasswrightError({ code: "connection_failed", description: "" });
  const waits = (random: number) =>
    [1, 2, 3, 4, 5, 6, 60].map((n) => waitBeforeRetryMs(error, n, () => random));
  t.strictSame(waits(1), [500, 1000, 2000, 4000, 8000, 8000, 8000]);
  t.strictSame(waits(0), [250, 500, 1000, 2000, 4000, 4000, 4000]);
});

t.test("a mistake of the program is not a failure that may pass", async (t) => {
  t.equal(waitBeforeRetryMs(new TypeError("x is not a function"), 1), undefined);
});
