import type { Clock } from "../clock.ts";
import type { Log } from "../log.ts";
import { type PaidSessionStore, type PaymentProvider, paymentsNotConfigured } from "./payments.ts";

/** Where the payment provider calls back. */
export const eventsPath = "/billing/stripe/events";

export const eventOutcomes = ["granted", "granted_before", "no_tenant", "contract", "ignored"] as const;
export type EventOutcome = (typeof eventOutcomes)[number];

/**
 * Takes a call-back of the payment provider, and grants what was paid for, however often and from however many sides it
 * comes. Rejects as `readEvent` does, and with `unavailable`, so that the provider calls again. What no repetition can put
 * right is an outcome, and an error in the log: somebody has paid, and gets nothing until an operator acts.
 */
export async function receivePaymentEvent(
  deps: { payments: PaymentProvider | null; paidSessions: PaidSessionStore; clock: Clock; log: Log },
  input: { body: Uint8Array; signature: string | undefined; traceId: string },
): Promise<EventOutcome> {
  if (deps.payments === null) throw paymentsNotConfigured("PASSWRIGHT_STRIPE_SECRET_KEY");
  const event = await deps.payments.readEvent(input.body, input.signature);
  const facts = { event: event.id, type: event.type, trace_id: input.traceId };
  if (event.kind === "ignored") {
    deps.log.info({ ...facts, reason: event.reason }, "payment.ignored");
    return "ignored";
  }
  const { payment } = event;
  const outcome = await deps.paidSessions.grant(payment, deps.clock.nowMs());
  const all = {
    ...facts,
    session: payment.sessionId,
    tenant: payment.tenantId,
    package: payment.packageId,
    credits: payment.credits,
  };
  if (outcome === "granted" || outcome === "granted_before") deps.log.info(all, `payment.${outcome}`);
  else deps.log.error({ ...all, reason: outcome }, "payment.not_granted");
  return outcome;
}
