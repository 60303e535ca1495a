import { json } from "../exchange.ts";
import { pay, payPath, showPayPage } from "../stripe/pay-page.ts";
import type { Sessions } from "../stripe/sessions.ts";
import type { Route } from "./router.ts";

/** The page on which a session is paid, and a look at all sessions; `?client_reference_id=` narrows it. */
export function stripeRoutes(sessions: Sessions): Route[] {
  return [
    ["GET", `${payPath}{id}`, (_request, [id = ""]) => showPayPage(sessions, id)],
    ["POST", `${payPath}{id}`, (_request, [id = ""]) => pay(sessions, id)],
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
