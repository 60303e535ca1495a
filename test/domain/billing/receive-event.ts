import t from "tap";
import type { PaidSessionStore, PaymentEvent } from "../../../src/domain/billing/payments.ts";
import { receivePaymentEvent } from "../../../src/domain/billing/receive-event.ts";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { readableLog } from "../../support/log.ts";

const payment = { sessionId: "cs_test_1", tenantId: "tenant", packageId: "starter", credits: 10 };
const paid: PaymentEvent = { id: "evt_1", type: "checkout.session.completed", kind: "paid", payment };
const input = { body: Buffer.from("{}"), signature: "t=1,v1=0", traceId: "trace" };

/** Receives an event, with the store's answer to it. */
async function receive(event: PaymentEvent, grant: PaidSessionStore["grant"]) {
  const log = readableLog();
  const payments = { readEvent: async () => event, createCheckout: () => Promise.reject(new Error("no")) };
  const deps = { payments, paidSessions: { grant }, clock: { nowMs: () => 7 }, log };
  return { log, outcome: await receivePaymentEvent(deps, input) };
}

t.test(
  "the log says of every event what came of it, and shouts where somebody paid for nothing",
  async (t) => {
    for (const [outcome, level, name] of [
      ["granted", "info", "payment.granted"],
      ["granted_before", "info", "payment.granted_before"],
      ["no_tenant", "error", "payment.not_granted"],
      ["contract", "error", "payment.not_granted"],
    ] as const) {
      const received = await receive(paid, async (given, atMs) => {
        t.strictSame([given, atMs], [payment, 7]);
        return outcome;
      });
      t.equal(received.outcome, outcome);
      t.match(received.log.lines, [
        {
          level,
          event: name,
          facts: {
            event: "evt_1",
            session: "cs_test_1",
            tenant: "tenant",
            credits: 10,
            trace_id: "trace",
          },
        },
      ]);
      t.equal(received.log.lines.length, 1);
    }
  },
);

t.test("what is ignored never gets to the store", async (t) => {
  const event: PaymentEvent = { id: "evt_1", type: "invoice.paid", kind: "ignored", reason: "other_type" };
  const { log, outcome } = await receive(event, () => Promise.reject(new Error("asked")));
  t.equal(outcome, "ignored");
  t.match(log.lines, [
    { level: "info", event: "payment.ignored", facts: { type: "invoice.paid", reason: "other_type" } },
  ]);
});

t.test("while the store is away the provider is told to come again", async (t) => {
  const away = () => Promise.reject(new PasswrightError("unavailable", "The store does not answer."));
  await t.rejects(receive(paid, away), { code: "unavailable" });
});
