import { json, Refused } from "../exchange.ts";
import type { Events } from "../stripe/events.ts";
import { pay, payPath, showPayPage } from "../stripe/pay-page.ts";
import type { Sessions } from "../stripe/sessions.ts";
import type { Route } from "./router.ts";

/**
 * The page on which a session is paid; a look at all sessions, which `?client_reference_id=` narrows, and at all events;
 * and another delivery of an event, as Stripe may make at any time.
 */
export function stripeRoutes(sessions: Sessions, events: Events): Route[] {
  return [
    ["GET", `${payPath}{id}`, (_request, [id = ""]) => showPayPage(sessions, id)],
    ["POST", `${payPath}{id}`, (_request, [id = ""]) => pay(sessions, events, id)],
    ["GET", "/sandbox/stripe/events", () => json(200, { events: events.all() })],
    [
      "POST",
      "/sandbox/stripe/events/{id}/deliver",
      async (_request, [id = ""]) => {
        const stored = events.find(id);
        if (stored === undefined) throw new Refused(json(404, { error: "unknown_event" }));
        return json(200, await events.deliver(stored));
      },
    ],
    [
      "GET",
      "/sandbox/stripe/state",
      (request) => {
        const reference = request.query.get("client_reference_id");
        const shown = sessions
          .all()
          .filter(({ order }) => reference === null || order.clientReferenceId === reference)
          .map((session) => ({
            ...sessions.show(session),
            line_items: session.order.items.map(({ name, currency, unitAmount, quantity, interval }) => ({
              name,
              currency,
              unit_amount: unitAmount,
              quantity,
              interval,
            })),
            ...(session.order.mode === "payment"
              ? { payment_intent_data: { metadata: session.order.innerMetadata } }
              : { subscription_data: { metadata: session.order.innerMetadata } }),
          }));
        return json(200, { sessions: shown });
      },
    ],
  ];
}
