import { paidPath, startSubscription, startTopup } from "../../domain/billing/checkout.ts";
import { packageResource } from "../../domain/billing/resource.ts";
import { renderPaidPage } from "../pages/notice-pages.ts";
import { listReply, type PageQuery, pageOf, pageParameters, querySchema } from "../query.ts";
import { checked, guarded, open, type Reply } from "../route.ts";

const itemId = { type: "string", pattern: "^[a-z0-9-]{1,64}$" };
/** Stripe's limit. */
const url = { type: "string", minLength: 1, maxLength: 5000 };

const topupBody = checked<{ package_id: string; success_url?: string; cancel_url?: string }>({
  type: "object",
  additionalProperties: false,
  required: ["package_id"],
  properties: { package_id: itemId, success_url: url, cancel_url: url },
});

const subscribeBody = checked<{ plan_id: string; success_url?: string; cancel_url?: string }>({
  type: "object",
  additionalProperties: false,
  required: ["plan_id"],
  properties: { plan_id: itemId, success_url: url, cancel_url: url },
});

export const billingRoutes = [
  guarded({
    method: "GET",
    path: "/api/v1/billing/packages",
    summary: "List the packages of credits on sale, in the operator's order",
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
    summary: "Buy a package of credits: answers the address of the page on which it is paid",
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
    summary: "Subscribe to a plan: answers the address of the page on which it is paid",
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
    method: "GET",
    path: paidPath,
    summary: "Where buyers come back to who gave no success_url",
    handle(): Reply {
      const page = renderPaidPage();
      return {
        status: page.status,
        body: page.html,
        headers: { "Content-Type": "text/html; charset=utf-8", ...page.headers },
      };
    },
  }),
];

function checkoutReply({ body, replayed }: { body: string; replayed: boolean }): Reply {
  return { status: 200, body, headers: { ...(replayed && { "Idempotent-Replayed": "true" }) } };
}
