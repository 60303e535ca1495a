// Made by scripts/generate-client.mjs from the OpenAPI document. Do not edit: run it again.

import type { Send } from "../call.ts";
import { createAnalytics } from "./analytics.ts";
import { createBatches } from "./batches.ts";
import { createBilling } from "./billing.ts";
import { createJobs } from "./jobs.ts";
import { createMessages } from "./messages.ts";
import { createPasses } from "./passes.ts";
import { createTemplates } from "./templates.ts";
import { createWebhooks } from "./webhooks.ts";

export type * from "./analytics.ts";
export type * from "./batches.ts";
export type * from "./billing.ts";
export type * from "./jobs.ts";
export type * from "./messages.ts";
export type * from "./passes.ts";
export type * from "./templates.ts";
export type * from "./webhooks.ts";

/** Every operation that holders of a token may call, by resource. */
export function createResources(send: Send) {
  return {
    passes: createPasses(send),
    batches: createBatches(send),
    messages: createMessages(send),
    jobs: createJobs(send),
    templates: createTemplates(send),
    webhooks: createWebhooks(send),
    analytics: createAnalytics(send),
    billing: createBilling(send),
  };
}
