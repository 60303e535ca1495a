import type { ErrorCode } from "../../../domain/errors.ts";
import { asProblem } from "../../problem.ts";
import { baseUrl } from "./ids.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

/** What the service says, by code; docs/errors.md has cause and remedy of each. */
const sentences: Partial<Record<ErrorCode, string>> = {
  invalid_request: "The Host header must name a host.",
  invalid_template: "template_id names no active template of this tenant. GET /api/v1/templates lists them.",
  intent_mismatch: "The template is a LoyaltyCard: intent must be loyalty_card.",
  no_providers:
    "The template supports apple and google, and the tenant has no enabled configuration for any of them. An operator adds one with «passwright providers set».",
  invalid_scope:
    "An application of type reporting can be granted: passes:read templates:read messages:read analytics:read.",
  unsupported_grant_type: "grant_type must be client_credentials.",
  payments_not_configured:
    "Payments are not configured at this installation. Its operator can set PASSWRIGHT_STRIPE_SECRET_KEY.",
  invalid_token:
    "The access token is malformed, expired or not ours. Get a new one: POST /api/v1/auth/token.",
  invalid_client: "The tenant is suspended. Contact the operator.",
  unauthorized_client: "The application is disabled. Contact the operator.",
  insufficient_scope: "This path needs the scope passes:write.",
  not_found: "There is nothing with this id.",
  gone: "This pass has been revoked.",
  invalid_state: "The pass is revoked, and a revoked pass stays as it is.",
  duplicate_external_ref:
    "A pass with this external_ref exists, made from other values, or revoked. Update it, or choose another external_ref.",
  idempotency_key_reused:
    "This Idempotency-Key came with another body before. Use a new key for a new request.",
  too_many_webhooks: "A tenant has at most 50 webhooks. Delete one that is no longer needed.",
  insufficient_credits:
    "The tenant has not enough credits left: 1 is needed, and there are 0. Buy some: POST /api/v1/billing/topup.",
  contract_cap_reached:
    "The contract's cap of passes for this calendar month (UTC) does not leave room for it: 1 is needed, and there are 0.",
  too_many_requests: "Too many token requests from this address.",
  too_many_batches: "A tenant has at most 10 batches queued or processing. Wait until one has ended.",
  unavailable: "The store does not answer at the moment. Try again shortly.",
  internal_error: "Something went wrong on our side. Report it with the trace_id.",
};

/** What the error objects of some codes hold besides. */
const members: Partial<Record<ErrorCode, Record<string, unknown>>> = {
  insufficient_credits: { required: 1, balance: 0, purchase_url: `${baseUrl}/api/v1/billing/topup` },
  contract_cap_reached: { required: 1, balance: 0, resets_at: "2026-12-01T00:00:00.000Z" },
};

/** The error object of a code; `says` where the sentence is not the usual one. */
export function errorExample(code: ErrorCode, says: string | undefined = sentences[code]) {
  if (says === undefined) throw new Error(`the code ${code} has no example in openapi/examples/errors.ts`);
  return { error: code, error_description: says, trace_id: traceId, ...members[code] };
}

/** What a 400 looks like that names each violation. */
export function violationExample(path: string, message: string) {
  return { ...errorExample("invalid_request", `${path} ${message}`), details: [{ path, message }] };
}

/** The same as problem details. */
export function problemExample(error: ReturnType<typeof errorExample>, path: string): unknown {
  return asProblem({ status: 400, body: error }, { baseUrl, path }).body;
}
