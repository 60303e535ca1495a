export type { CallOptions, MutationOptions, ResponseFacts } from "./call.ts";
export { createPasswright, type Passwright, type PasswrightOptions } from "./client.ts";
export { type ClientErrorCode, PasswrightError, PasswrightJobError, type Shortage } from "./errors.ts";
export type * from "./generated/resources.ts";
export type * from "./generated/schemas.ts";
export type { WaitOptions } from "./jobs.ts";
export type { List, Page, PageQuery } from "./paging.ts";
export { type VerifyOptions, verifyWebhook, WebhookVerificationError } from "./webhooks.ts";
