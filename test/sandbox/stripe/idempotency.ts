import t from "tap";
import { call } from "../fixtures/calls.ts";
import { running, settableClock } from "../fixtures/running.ts";
import { payment, post } from "../fixtures/stripe.ts";

const clock = settableClock();
const sandbox = await running(t, { clock });
const keyed = (key: string) => ({ "idempotency-key": key });

t.test("the same key with the same parameters is the same answer, byte for byte", async (t) => {
  const first = await post(sandbox.controlUrl, payment, keyed("one"));
  const again = await post(sandbox.controlUrl, payment, keyed("one"));
  t.equal(again.text, first.text);
  t.equal(again.headers["idempotent-replayed"], "true");
  t.equal(again.headers["original-request"], first.headers["request-id"]);
  t.not(again.headers["request-id"], first.headers["request-id"]);
  t.not((await post(sandbox.controlUrl, payment, keyed("two"))).json.id, first.json.id);
  const foreign = { ...keyed("one"), authorization: "Bearer sk_test_another_account" };
  t.not(
    (await post(sandbox.controlUrl, payment, foreign)).json.id,
    first.json.id,
    "keys are an account's own",
  );
});

t.test("the same key with other parameters is an idempotency_error", async (t) => {
  await post(sandbox.controlUrl, payment, keyed("three"));
  const other = await post(sandbox.controlUrl, { ...payment, client_reference_id: "x" }, keyed("three"));
  t.equal(other.status, 400);
  t.match(other.json.error, {
    type: "idempotency_error",
    message:
      /^Keys for idempotent requests can only be used with the same parameters they were first used with\./,
  });
  t.equal((await post(sandbox.controlUrl, payment, keyed("k".repeat(256)))).status, 400);
});

t.test("what was refused before anything was done is not kept", async (t) => {
  const { mode, ...rest } = payment;
  t.equal((await post(sandbox.controlUrl, rest, keyed("four"))).status, 400);
  t.equal((await post(sandbox.controlUrl, payment, keyed("four"))).status, 200);
});

t.test("a key is forgotten after a day", async (t) => {
  const first = await post(sandbox.controlUrl, payment, keyed("five"));
  clock.forward(24 * 3600 * 1000 - 1);
  t.equal((await post(sandbox.controlUrl, payment, keyed("five"))).json.id, first.json.id);
  clock.forward(1);
  t.not((await post(sandbox.controlUrl, payment, keyed("five"))).json.id, first.json.id);
});

t.test("sessions and keys outlive a restart", async (t) => {
  const first = await running(t);
  const opened = await post(first.controlUrl, payment, keyed("kept"));
  await first.close();
  const second = await running(t, { dataDir: first.dataDir });
  t.equal((await post(second.controlUrl, payment, keyed("kept"))).text, opened.text);
  t.equal((await call(`${second.controlUrl}/c/pay/${opened.json.id}`)).status, 200);
});

t.test("a lost answer has taken effect, and the key finds it", async (t) => {
  const fault = { status: 500, after: true, resource_prefix: "checkout" };
  await call(`${sandbox.controlUrl}/sandbox/stripe/faults`, { method: "POST", body: fault });
  const lost = await post(sandbox.controlUrl, { ...payment, client_reference_id: "lost" }, keyed("lost"));
  t.match(lost, { status: 500, json: { error: { type: "api_error" } } });
  const found = await post(sandbox.controlUrl, { ...payment, client_reference_id: "lost" }, keyed("lost"));
  t.equal(found.headers["idempotent-replayed"], "true");
  const { json } = await call(`${sandbox.controlUrl}/sandbox/stripe/state?client_reference_id=lost`);
  t.equal(json.sessions.length, 1);
});
