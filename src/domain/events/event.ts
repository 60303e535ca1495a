/** What webhooks can subscribe to. */
export const webhookEventTypes = [
  "pass.created",
  "pass.updated",
  "pass.revoked",
  "message.sent",
  "job.completed",
  "job.failed",
  "batch.completed",
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** What is recorded: the webhook types, and what only we or the wallets notice. */
export const eventTypes = [
  ...webhookEventTypes,
  "pass.activated",
  "pass.failed",
  "pass.installed",
  "pass.uninstalled",
  "pass.viewed",
] as const;
export type EventType = (typeof eventTypes)[number];
