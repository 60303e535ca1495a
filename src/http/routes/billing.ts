import { paidPath, startSubscription, startTopup } from "../../domain/billing/checkout.ts";
import { eventsPath, receivePaymentEvent } from "../../domain/billing/receive-event.ts";
import { packageResource } from "../../domain/billing/resource.ts";
import { ok, page } from "../openapi/answers.ts";
import { checkout, packageList, paidEvent, subscription, topup } from "../openapi/examples/billing.ts";
import {
  checkoutSchema,
  itemIdSchema,
  packageListSchema,
  paymentEventSchema,
  paymentOutcomeSchema,
} from "../openapi/schemas/billing.ts";
import { renderPaidPage } from "../pages/notice-pages.ts";
import { wantedLanguages } from "../pages/visitor-language.ts";
import { wordsFor } from "../pages/words/choose.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { replayMark } from "../replayed.ts";
import { checked, guarded, open, type Reply } from "../route.ts";

const itemId = itemIdSchema;
/** Stripe's limit. */
const url = { type: "string", format: "uri-template", minLength: 1, maxLength: 5000 };

const ways = {
  success_url: {
    ...url,
    description: "Where the buyer goes afterwards; without it, to a page that says thank you.",
  },
  cancel_url: { ...url, description: "Where the way back leads; without it, there is none." },
};

const topupBody = checked<{ package_id: string; success_url?: string; cancel_url?: string }>({
  title: "TopupRequest",
  type: "object",
  additionalProperties: false,
  required: ["package_id"],
  properties: { package_id: itemId, ...ways },
});

const subscribeBody = checked<{ plan_id: string; success_url?: string; cancel_url?: string }>({
  title: "SubscribeRequest",
  type: "object",
  additionalProperties: false,
  required: ["plan_id"],
  properties: { plan_id: itemId, ...ways },
});

const checkoutAnswer = ok("The address to send the buyer to.", checkoutSchema, checkout);
const underContract = {
  code: "invalid_state",
  says: "This tenant creates passes under a contract; there is nothing for it to buy.",
} as const;

const signatureHeader = {
  type: "string",
  pattern: "^[ -~]+$",
  minLength: 1,
  maxLength: 1000,
  description: "Instant and signature, as Stripe makes them: `t=…,v1=…`.",
  example: "t=1795243426,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
};

export const billingRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/billing/packages",
    operationId: "listPackages",
    tag: "Billing",
    summary: "List the packages of credits on sale, in the operator's order",
    description: "Any token of the tenant will do.",
    answers: [ok("A page of packages.", packageListSchema, packageList)],
    access: "token",
    problems: true,
    query: checked<PageQuery>(querySchema(pageParameters)),
    async handle({ query }, { catalog }) {
      const page = pageOf(query);
      const packages = await catalog.packages();
      const start = (page.page - 1) * page.pageSize;
      const shown = packages.slice(start, start + page.pageSize);
      return listReply(shown.map(packageResource), packages.length, page);
    },
  }),
  guarded({
    method: "POST",
    path: "/api/v1/billing/topup",
    operationId: "buyCredits",
    tag: "Billing",
    summary: "Buy a package of credits: answers the address of the page on which it is paid",
    description:
      "Opens a checkout at the payment provider. The credits are granted when the provider says that they were paid, exactly once. `success_url` may hold `{CHECKOUT_SESSION_ID}`.",
    examples: { starter: { summary: "A package", value: topup } },
    answers: [checkoutAnswer],
    errors: ["payments_not_configured", underContract],
    access: "passes:write",
    idempotent: true,
    problems: true,
    body: topupBody,
    async handle({ body, claims, idempotency }, deps) {
      const { package_id: itemId, success_url: successUrl, cancel_url: cancelUrl } = body;
      const { tenantId } = claims;
      return checkoutReply(await startTopup(deps, { tenantId, itemId, successUrl, cancelUrl, idempotency }));
    },
  }),
  guarded({
    method: "POST",
    path: "/api/v1/billing/subscribe",
    operationId: "subscribe",
    tag: "Billing",
    summary: "Subscribe to a plan: answers the address of the page on which it is paid",
    description:
      "Opens a checkout at the payment provider for a plan that is paid again and again, by month or year.",
    examples: { growth: { summary: "A plan", value: subscription } },
    answers: [checkoutAnswer],
    errors: ["payments_not_configured", underContract],
    access: "passes:write",
    idempotent: true,
    problems: true,
    body: subscribeBody,
    async handle({ body, claims, idempotency }, deps) {
      const { plan_id: itemId, success_url: successUrl, cancel_url: cancelUrl } = body;
      const { tenantId } = claims;
      return checkoutReply(
        await startSubscription(deps, { tenantId, itemId, successUrl, cancelUrl, idempotency }),
      );
    },
  }),
  open({
    method: "POST",
    path: eventsPath,
    operationId: "receivePaymentEvent",
    tag: "Billing",
    summary: "Where Stripe says that something was paid: grants the credits, once",
    description:
      "For Stripe alone: the signature is checked over the body as it came, and may be 5 minutes old. A paid session is granted exactly once, however often it is told. What does not concern credits is answered 200 and ignored.",
    headerParameters: { "Stripe-Signature": signatureHeader },
    bodies: {
      "application/json": {
        schema: paymentEventSchema,
        examples: { paid: { summary: "A session was paid", value: paidEvent } },
      },
    },
    answers: [
      ok("What came of it. Only a status above 299 makes Stripe call again.", paymentOutcomeSchema, {
        outcome: "granted",
      }),
    ],
    errors: [
      { code: "invalid_request", says: "Stripe-Signature is missing: only the payment provider calls here" },
      {
        code: "payments_not_configured",
        says: "Payments are not configured at this installation. Its operator can set PASSWRIGHT_STRIPE_WEBHOOK_SECRET.",
      },
    ],
    problems: true,
    async handle({ http, traceId }, deps): Promise<Reply> {
      const input = { body: http.body(), signature: http.header("stripe-signature"), traceId };
      return { status: 200, body: { outcome: await receivePaymentEvent(deps, input) } };
    },
  }),
  open({
    method: "GET",
    path: paidPath,
    operationId: "showPaidPage",
    tag: "Public pages",
    summary: "Where buyers come back to who gave no success_url",
    description: "A page that says thank you. Nothing depends on it.",
    answers: [page(200, "The page.")],
    handle({ http }): Reply {
      const wanted = wantedLanguages(http.header("accept-language"));
      const { status, html, headers } = renderPaidPage(wordsFor(wanted));
      return { status, body: html, headers };
    },
  }),
];

function checkoutReply({ body, replayed }: { body: string; replayed: boolean }): Reply {
  return { status: 200, body, headers: replayMark(replayed) };
}
