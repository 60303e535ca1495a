import { receiveCallback } from "../../domain/callbacks/receive.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { rateLimitKey } from "../client-address.ts";
import { savedCallback } from "../openapi/examples/callbacks.ts";
import { callbackSchema } from "../openapi/schemas/callback.ts";
import { type JsonSchema, open, type Reply } from "../route.ts";

const tenantId: JsonSchema = {
  type: "string",
  format: "uuid",
  description: "The tenant, as in the `callbackOptions.url` of its classes.",
  example: "0193a0b4-7c11-7abc-8def-0123456789ab",
};

/** Whoever is no wallet learns nothing from it; why, stands in the log. */
const refusal = "This is no call-back of Google Wallet for this tenant.";

export const callbackRoutes = [
  open({
    method: "POST",
    path: "/google/{tenantId}/callback",
    operationId: "receiveGoogleCallback",
    tag: "Google Wallet",
    summary: "Where Google says that a pass was saved or removed",
    description:
      "For Google alone: root key, intermediate key and signature (ECv2SigningOnly) are verified over the body as it came, for the tenant's issuer. However often a call-back is delivered, it is one event: `pass.installed` or `pass.uninstalled`. What is about no pass of the tenant is answered 200 and ignored. An address from which too much is refused is not listened to for a while.",
    rateLimited: "refusals",
    pathParameters: { tenantId },
    bodies: {
      "application/json": {
        schema: callbackSchema,
        examples: { saved: { summary: "A pass was saved", value: savedCallback } },
      },
    },
    answers: [{ status: 200, description: "It was taken, now or before.", schema: null }],
    errors: [
      { code: "invalid_request", says: refusal },
      { code: "not_found", says: "There is nothing at this path." },
      {
        code: "provider_unavailable",
        says: "Google's keys for call-backs are not to be had now.",
      },
    ],
    async handle({ http, params, traceId }, deps): Promise<Reply> {
      const address = rateLimitKey(deps.clientAddress(http));
      const nowMs = deps.clock.nowMs();
      deps.refusedCallers.requireWelcome(address, nowMs);
      const outcome = await receiveCallback(deps, {
        tenantId: params.tenantId ?? "",
        body: http.body(),
        traceId,
      });
      if (outcome === "taken") return { status: 200 };
      // Else anybody who has an issuer could have us not listen to Google.
      if (outcome === "refused") await deps.refusedCallers.refuse(address, nowMs);
      throw new PasswrightError("invalid_request", refusal);
    },
  }),
];
