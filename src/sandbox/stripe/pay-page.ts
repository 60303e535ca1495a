import { type Answer, html } from "../exchange.ts";
import { escapeHtml } from "../markup.ts";
import type { Events } from "./events.ts";
import { type LineItem, totalOf } from "./order-rules.ts";
import type { Sessions, StoredSession } from "./sessions.ts";

export const payPath = "/c/pay/";

/** The page behind a session's address, where a buyer pays with nothing but a click. */
export function showPayPage(sessions: Sessions, id: string): Answer {
  const session = sessions.find(id);
  if (session === undefined) return page(404, "There is no such payment", "<p>Please check the link.</p>");
  switch (sessions.statusOf(session)) {
    case "open":
      return page(200, "Pay", openSession(session));
    case "complete":
      return page(200, "Paid", "<p>This has been paid already.</p>");
    case "expired":
      return page(200, "Too late", "<p>This page has expired.</p>");
  }
}

/** Pays, tells the merchant, and sends the buyer back to where the session says. Nothing is paid twice. */
export function pay(sessions: Sessions, events: Events, id: string): Answer {
  const session = sessions.find(id);
  if (session === undefined || sessions.statusOf(session) !== "open") return showPayPage(sessions, id);
  events.announce("checkout.session.completed", sessions.show(sessions.pay(session)));
  const location = session.order.successUrl.replaceAll("{CHECKOUT_SESSION_ID}", session.id);
  return { status: 303, headers: { location: new URL(location).href } };
}

function openSession({ id, order }: StoredSession): string {
  const rows = order.items.map((item) => {
    const what = item.quantity === 1 ? item.name : `${item.quantity} × ${item.name}`;
    return `<tr><td>${escapeHtml(what)}</td><td>${escapeHtml(priceOf(item))}</td></tr>`;
  });
  const total = money(totalOf(order.items), order.items[0]?.currency ?? "");
  const back = order.cancelUrl === null ? "" : `<p><a href="${escapeHtml(order.cancelUrl)}">Back</a></p>`;
  return `<table>
${rows.join("\n")}
</table>
<form method="post" action="${payPath}${id}"><button>Pay ${escapeHtml(total)}</button></form>
${back}
<p><small>The sandbox’s stand-in for Stripe Checkout. No money moves.</small></p>`;
}

function priceOf({ unitAmount, quantity, currency, interval }: LineItem): string {
  const amount = money(unitAmount * quantity, currency);
  return interval === null ? amount : `${amount} per ${interval}`;
}

/** Stripe's own idea of minor units (https://docs.stripe.com/currencies#zero-decimal). */
const withoutDecimals = "bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf".split(" ");
const withThreeDecimals = "bhd jod kwd omr tnd".split(" ");

/** `19.90 EUR` */
export function money(amount: number, currency: string): string {
  const digits = withoutDecimals.includes(currency) ? 0 : withThreeDecimals.includes(currency) ? 3 : 2;
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency.toUpperCase()}`;
}

function page(status: number, title: string, body: string): Answer {
  return html(
    status,
    `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} – Passwright sandbox</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 3rem auto; max-width: 26rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td { border-bottom: 1px solid #ddd; padding: .5rem 0; overflow-wrap: anywhere; }
td + td { text-align: right; }
button { font: inherit; margin: 1.5rem 0; padding: .75rem; width: 100%; }
</style>
<h1>${title}</h1>
${body}
</html>
`,
  );
}
