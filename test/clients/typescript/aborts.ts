import { getEventListeners } from "node:events";
import t from "tap";
import { refusal, startService } from "./fixtures/service.ts";

const reason = new Error("the user went away");

t.test("an abort ends a request that is under way, with the signal's reason", async (t) => {
  const controller = new AbortController();
  const service = await startService(t, () => {
    controller.abort(reason);
    return "silence";
  });
  const { passes } = service.client({ maxRetries: 0 });
  await t.rejects(passes.get("a", { signal: controller.signal }), reason);
});

t.test("an abort ends the wait before a retry", async (t) => {
  const controller = new AbortController();
  const service = await startService(t, () => {
    setImmediate(() => controller.abort(reason));
    return refusal(503, "unavailable", { "retry-after": "60" });
  });
  await t.rejects(service.client().passes.get("a", { signal: controller.signal }), reason);
  t.equal(service.asked.length, 1);
});

t.test("an abort ends the wait for a token", async (t) => {
  const controller = new AbortController();
  const service = await startService(
    t,
    () => ({ status: 200, body: {} }),
    () => {
      controller.abort(reason);
      return "silence";
    },
  );
  const client = service.client({ timeoutMs: 1000, maxRetries: 0 });
  await t.rejects(client.passes.get("a", { signal: controller.signal }), reason);
});

t.test("a signal that was aborted before lets no request out", async (t) => {
  const service = await startService(t, () => ({ status: 200, body: {} }));
  const signal = AbortSignal.abort(reason);
  const { passes } = service.client();
  await passes.get("a");
  await t.rejects(passes.get("a", { signal }), reason);
  await t.rejects(service.client().passes.get("a", { signal }), reason);
  t.equal(service.asked.length, 1);
});

t.test("a time limit of one attempt is an error of its own", async (t) => {
  const service = await startService(t, () => "silence");
  const { passes } = service.client({ maxRetries: 0 });
  await t.rejects(passes.get("a", { timeoutMs: 50 }), {
    name: "PasswrightError",
    code: "timed_out",
    status: undefined,
    message: /no answer within 50 ms/,
  });
});

t.test("a call leaves no listener on a signal that lives longer", async (t) => {
  const { signal } = new AbortController();
  const service = await startService(t, (_, count) =>
    count === 1 ? refusal(503, "unavailable") : { status: 200, body: {} },
  );
  await service.client().passes.get("a", { signal });
  t.equal(service.asked.length, 2);
  t.equal(getEventListeners(signal, "abort").length, 0);
});
