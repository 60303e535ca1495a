import { callBack, paidSession } from "../../support/stripe-events.ts";
import type { Ask } from "../support/requests.ts";
import { type Estate, hook, loyaltyCard } from "./estate.ts";

/** A request without its method; `path` with its query. */
export type Call = { path: string } & Pick<Ask, "body" | "headers">;

/** What somebody is told who names what is another tenant's, just as if it were nobody's. */
export type Told = "not_found" | "invalid_template" | "an empty list";

export type Operation = {
  /** As the interface and its contract have it: a scope, any token, or nothing. */
  needs: string;
  /** A request that succeeds, once, for the owner of the estate. */
  ask(own: Estate): Call;
  status: number;
  /** What it names of the estate besides the id in its path, in every way that there is. */
  naming?: readonly { told: Told; ask(own: Estate): Call }[];
};

const api = "/api/v1";
const data = { data: { points: "7" } };

const at = (path: string, body?: unknown): Call => (body === undefined ? { path } : { path, body });
const dayMs = 24 * 3600 * 1000;
/** Around now, in whole days, so that it is the same when it is asked for again. */
const span = [-1, 2].map((days) => new Date((Math.floor(Date.now() / dayMs) + days) * dayMs).toISOString());

const byPhones: Operation = { needs: "device", ask: () => at("/"), status: 200 };

/** Every operation of the service: who may ask for it, and how it is asked. */
export const operations: Readonly<Record<string, Operation>> = {
  "POST /api/v1/auth/token": {
    needs: "public",
    ask: ({ credentials }) => at(`${api}/auth/token`, { ...credentials, grant_type: "client_credentials" }),
    status: 200,
  },
  "GET /.well-known/jwks.json": {
    needs: "public",
    ask: () => at("/.well-known/jwks.json"),
    status: 200,
  },
  "GET /.well-known/oauth-authorization-server": {
    needs: "public",
    ask: () => at("/.well-known/oauth-authorization-server"),
    status: 200,
  },

  "POST /api/v1/passes": {
    needs: "passes:write",
    ask: (own) => at(`${api}/passes`, loyaltyCard(own.templateId)),
    status: 202,
    naming: [
      { told: "invalid_template", ask: (own) => at(`${api}/passes`, loyaltyCard(own.templateId, "r")) },
    ],
  },
  "GET /api/v1/passes": {
    needs: "passes:read",
    ask: () => at(`${api}/passes`),
    status: 200,
    naming: [
      { told: "an empty list", ask: (own) => at(`${api}/passes?external_ref=${own.externalRef}`) },
      {
        told: "an empty list",
        ask: (own) => at(`${api}/passes?status=active&external_ref=${own.externalRef}`),
      },
    ],
  },
  "GET /api/v1/passes/{id}": {
    needs: "passes:read",
    ask: (own) => at(`${api}/passes/${own.passId}`),
    status: 200,
  },
  "PATCH /api/v1/passes/{id}": {
    needs: "passes:write",
    ask: (own) => at(`${api}/passes/${own.passId}`, data),
    status: 202,
  },
  "DELETE /api/v1/passes/{id}": {
    needs: "passes:write",
    ask: (own) => at(`${api}/passes/${own.spare.passId}`),
    status: 202,
  },
  "PUT /api/v1/passes/by-external-ref/{externalRef}": {
    needs: "passes:write",
    ask: (own) =>
      at(`${api}/passes/by-external-ref/${own.externalRef}`, loyaltyCard(own.templateId, own.externalRef)),
    status: 202,
    naming: [
      {
        told: "invalid_template",
        ask: (own) =>
          at(
            `${api}/passes/by-external-ref/${own.externalRef}`,
            loyaltyCard(own.templateId, own.externalRef),
          ),
      },
    ],
  },
  "PATCH /api/v1/passes/by-external-ref/{externalRef}": {
    needs: "passes:write",
    ask: (own) => at(`${api}/passes/by-external-ref/${own.externalRef}`, data),
    status: 202,
    naming: [
      { told: "not_found", ask: (own) => at(`${api}/passes/by-external-ref/${own.externalRef}`, data) },
    ],
  },
  "GET /api/v1/passes/{id}/versions": {
    needs: "passes:read",
    ask: (own) => at(`${api}/passes/${own.passId}/versions`),
    status: 200,
  },
  "GET /api/v1/passes/{id}/messages": {
    needs: "messages:read",
    ask: (own) => at(`${api}/passes/${own.passId}/messages`),
    status: 200,
  },

  // What it names is looked at when it is worked off: batches have a test of their own.
  "POST /api/v1/batches": {
    needs: "passes:write",
    ask: (own) =>
      at(`${api}/batches`, { operations: [{ type: "create", pass: loyaltyCard(own.templateId) }] }),
    status: 202,
    naming: [],
  },
  "GET /api/v1/batches": { needs: "passes:write", ask: () => at(`${api}/batches`), status: 200 },
  "GET /api/v1/batches/{id}": {
    needs: "passes:write",
    ask: (own) => at(`${api}/batches/${own.batchId}`),
    status: 200,
  },
  "DELETE /api/v1/batches/{id}": {
    needs: "passes:write",
    ask: (own) => at(`${api}/batches/${own.spare.batchId}`),
    status: 202,
  },

  "POST /api/v1/messages": {
    needs: "messages:write",
    ask: (own) => at(`${api}/messages`, { pass_id: own.passId, header: "Hello", body: "there" }),
    status: 202,
    naming: [
      {
        told: "not_found",
        ask: (own) => at(`${api}/messages`, { pass_id: own.passId, header: "H", body: "b" }),
      },
      {
        told: "not_found",
        ask: (own) => at(`${api}/messages`, { template_id: own.templateId, header: "H", body: "b" }),
      },
    ],
  },
  "GET /api/v1/messages": {
    needs: "messages:read",
    ask: () => at(`${api}/messages`),
    status: 200,
    naming: [
      { told: "an empty list", ask: (own) => at(`${api}/messages?pass_id=${own.passId}`) },
      { told: "an empty list", ask: (own) => at(`${api}/messages?template_id=${own.templateId}`) },
    ],
  },
  "GET /api/v1/messages/{id}": {
    needs: "messages:read",
    ask: (own) => at(`${api}/messages/${own.messageId}`),
    status: 200,
  },

  "GET /api/v1/jobs/{id}": {
    needs: "token",
    ask: (own) => at(`${api}/jobs/${own.jobId}`),
    status: 200,
    naming: [{ told: "not_found", ask: (own) => at(`${api}/jobs/${own.jobId}?wait=1`) }],
  },

  "GET /api/v1/templates": { needs: "templates:read", ask: () => at(`${api}/templates`), status: 200 },
  "GET /api/v1/templates/{id}": {
    needs: "templates:read",
    ask: (own) => at(`${api}/templates/${own.templateId}`),
    status: 200,
  },
  "GET /api/v1/templates/{id}/versions/latest": {
    needs: "templates:read",
    ask: (own) => at(`${api}/templates/${own.templateId}/versions/latest`),
    status: 200,
  },
  "GET /api/v1/templates/{id}/sample": {
    needs: "templates:read",
    ask: (own) => at(`${api}/templates/${own.templateId}/sample`),
    status: 200,
  },

  "POST /api/v1/webhooks": { needs: "webhooks:write", ask: () => at(`${api}/webhooks`, hook), status: 201 },
  "GET /api/v1/webhooks": { needs: "webhooks:write", ask: () => at(`${api}/webhooks`), status: 200 },
  "GET /api/v1/webhooks/{id}": {
    needs: "webhooks:write",
    ask: (own) => at(`${api}/webhooks/${own.webhookId}`),
    status: 200,
  },
  "PATCH /api/v1/webhooks/{id}": {
    needs: "webhooks:write",
    ask: (own) => at(`${api}/webhooks/${own.webhookId}`, { is_active: false }),
    status: 200,
  },
  "DELETE /api/v1/webhooks/{id}": {
    needs: "webhooks:write",
    ask: (own) => at(`${api}/webhooks/${own.spare.webhookId}`),
    status: 204,
  },
  "GET /api/v1/webhooks/{id}/deliveries": {
    needs: "webhooks:write",
    ask: (own) => at(`${api}/webhooks/${own.webhookId}/deliveries`),
    status: 200,
  },

  "GET /api/v1/analytics/events": {
    needs: "analytics:read",
    ask: () => at(`${api}/analytics/events?page_size=100`),
    status: 200,
    naming: [
      { told: "an empty list", ask: (own) => at(`${api}/analytics/events?pass_id=${own.passId}`) },
      {
        told: "an empty list",
        ask: (own) => at(`${api}/analytics/events?event_type=pass.created&pass_id=${own.passId}`),
      },
    ],
  },
  "GET /api/v1/analytics/summary": {
    needs: "analytics:read",
    ask: () => at(`${api}/analytics/summary?from=${span[0]}&to=${span[1]}`),
    status: 200,
  },

  // What is on sale is the operator's, and the same for everybody.
  "GET /api/v1/billing/packages": { needs: "token", ask: () => at(`${api}/billing/packages`), status: 200 },
  "POST /api/v1/billing/topup": {
    needs: "passes:write",
    ask: () => at(`${api}/billing/topup`, { package_id: "starter" }),
    status: 200,
  },
  "POST /api/v1/billing/subscribe": {
    needs: "passes:write",
    ask: () => at(`${api}/billing/subscribe`, { plan_id: "team-monthly" }),
    status: 200,
  },
  // The signature is the key: nobody else's word for a payment counts.
  "POST /billing/stripe/events": {
    needs: "public",
    ask: ({ credentials }) => {
      return { path: "/billing/stripe/events", ...callBack(paidSession(credentials.tenant_id)) };
    },
    status: 200,
  },
  "GET /billing/paid": { needs: "public", ask: () => at("/billing/paid"), status: 200 },

  // Who was given the address may see it: there is nobody else to ask.
  "GET /p/{token}": { needs: "public", ask: (own) => at(own.public.pagePath), status: 200 },
  "GET /p/{token}/pass.pkpass": {
    needs: "public",
    ask: (own) => at(`${own.public.pagePath}/pass.pkpass`),
    status: 200,
  },
  "GET /p/{token}/preview.png": {
    needs: "public",
    ask: (own) => at(`${own.public.pagePath}/preview.png`),
    status: 200,
  },
  "GET /p/bundle.pkpasses": {
    needs: "public",
    ask: (own) => at(`/p/bundle.pkpasses?tokens=${own.public.pagePath.split("/").at(-1)}`),
    status: 200,
  },
  "GET /images/{owner}/{file}": { needs: "public", ask: (own) => at(own.public.imagePath), status: 200 },

  // Apple's protocol. What needs the token of a pass is asked by phones, in test/e2e/devices.ts.
  "GET /apple/{tenantId}/v1/devices/{device}/registrations/{passType}": {
    needs: "public",
    ask: ({ credentials }) =>
      at(`/apple/${credentials.tenant_id}/v1/devices/nobodys/registrations/pass.org.passwright.sandbox`),
    status: 204,
  },
  "POST /apple/{tenantId}/v1/log": {
    needs: "public",
    ask: ({ credentials }) => at(`/apple/${credentials.tenant_id}/v1/log`, { logs: ["nothing"] }),
    status: 200,
  },
  "POST /apple/{tenantId}/v1/devices/{device}/registrations/{passType}/{serial}": byPhones,
  "DELETE /apple/{tenantId}/v1/devices/{device}/registrations/{passType}/{serial}": byPhones,
  "GET /apple/{tenantId}/v1/passes/{passType}/{serial}": byPhones,

  // What is taken needs Google's signature; without it everybody is told the same.
  "POST /google/{tenantId}/callback": {
    needs: "public",
    ask: () => at("/google/0193a0b4-7c11-7abc-8def-0123456789ab/callback", {}),
    status: 404,
  },

  "GET /openapi.json": { needs: "public", ask: () => at("/openapi.json"), status: 200 },
  "GET /docs": { needs: "public", ask: () => at("/docs"), status: 200 },
  "GET /docs/guides": { needs: "public", ask: () => at("/docs/guides"), status: 200 },
  "GET /docs/guides/{name}": { needs: "public", ask: () => at("/docs/guides/first-pass"), status: 200 },
  "GET /docs/problems": { needs: "public", ask: () => at("/docs/problems"), status: 200 },
  "GET /docs/problems/{code}": { needs: "public", ask: () => at("/docs/problems/gone"), status: 200 },
  "GET /docs/{file}": { needs: "public", ask: (own) => at(own.public.docsFilePath), status: 200 },

  "GET /healthz": { needs: "public", ask: () => at("/healthz"), status: 200 },
  "GET /robots.txt": { needs: "public", ask: () => at("/robots.txt"), status: 200 },
  "GET /readyz": { needs: "public", ask: () => at("/readyz"), status: 200 },
};
