import t, { type Test } from "tap";
import type { CallbackStore, Verdict } from "../../../src/domain/callbacks/callback.ts";
import { receiveCallback } from "../../../src/domain/callbacks/receive.ts";
import { createRefusalLog } from "../../../src/domain/callbacks/refusal-log.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { createCallbackStore } from "../../../src/redis/callbacks.ts";
import { createEventStore } from "../../../src/redis/events.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { readableLog } from "../../support/log.ts";
import { openStore } from "../../support/store.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** What follows from a verdict, whoever came to it. */
async function opened(t: Test) {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const { tenantId } = issuer;
  const passId = passOf(await issuer.create()).id;
  const [log, outcomes] = [readableLog(), [] as string[]];
  const callbacks = createCallbackStore(store);
  const configuration = {
    tenantId,
    wallet: "google",
    enabled: true,
    sandbox: false,
    updatedAtMs: 0,
  } as const;
  const deps = {
    ...issuer,
    providerConfigurations: { find: async () => ({ ...configuration, summary: { issuer_id: "338" } }) },
    callbacks,
    callbackRefusals: createRefusalLog({ log, clock: store.clock }),
    log,
    metrics: { callback: (outcome: string) => outcomes.push(outcome) },
  };
  const callback = {
    change: "saved" as const,
    objectId: `338.${passId}`,
    name: passId,
    nonce: "n1",
    expiresAtMs: store.clock.nowMs() + 1000,
  };
  return {
    tenantId,
    callback,
    log,
    outcomes,
    receive: (verdict: Verdict, change: { callbacks?: Pick<CallbackStore, "record"> } = {}) =>
      receiveCallback(
        { ...deps, ...change, callbackVerifier: { verify: async () => verdict } },
        { tenantId, body: Buffer.from("{}"), traceId },
      ),
    failing: { record: () => Promise.reject(new PasswrightError("unavailable", "The store is away.")) },
    events: async () =>
      (await createEventStore(store).list(tenantId, { type: "pass.installed" }, { page: 1, pageSize: 9 }))
        .total,
  };
}

t.test("what came of a call-back is logged and counted", async (t) => {
  const { receive, callback, log, outcomes, tenantId } = await opened(t);
  const genuine = { outcome: "genuine", callback } as const;
  t.equal(await receive(genuine), "taken");
  t.equal(await receive(genuine), "taken");
  t.equal(
    await receive({ outcome: "genuine", callback: { ...callback, name: "x", objectId: "338.x" } }),
    "taken",
  );
  t.equal(await receive({ outcome: "genuine", callback: { ...callback, change: null } }), "taken");
  const refusal = { outcome: "refused", reason: "expired_key", detail: "it ended" } as const;
  t.equal(await receive(refusal), "refused");
  t.equal(await receive({ ...refusal, reason: "foreign_issuer" }), "misdirected");
  t.strictSame(outcomes, [
    "saved",
    "repeated",
    "unknown_pass",
    "unknown_change",
    "expired_key",
    "foreign_issuer",
  ]);
  const facts = { tenant: tenantId, object: callback.objectId, trace_id: traceId };
  t.strictSame(
    log.lines.map(({ level, event, facts }) => ({ level, event, facts })),
    [
      { level: "info", event: "callback.taken", facts: { ...facts, outcome: "saved" } },
      { level: "info", event: "callback.taken", facts: { ...facts, outcome: "repeated" } },
      {
        level: "warn",
        event: "callback.ignored",
        facts: { ...facts, object: "338.x", outcome: "unknown_pass" },
      },
      { level: "warn", event: "callback.ignored", facts: { ...facts, outcome: "unknown_change" } },
      {
        level: "warn",
        event: "callback.refused",
        facts: { tenant: tenantId, reason: "expired_key", detail: "it ended", trace_id: traceId },
      },
      {
        level: "warn",
        event: "callback.refused",
        facts: { tenant: tenantId, reason: "foreign_issuer", detail: "it ended", trace_id: traceId },
      },
    ],
  );
});

t.test("while the store is away nothing is taken, and the next delivery counts", async (t) => {
  const { receive, callback, failing, events, outcomes } = await opened(t);
  const genuine = { outcome: "genuine", callback } as const;
  await t.rejects(receive(genuine, { callbacks: failing }), { code: "unavailable" });
  t.strictSame([await events(), outcomes], [0, []]);
  t.equal(await receive(genuine), "taken");
  t.equal(await events(), 1);
});
