import { ids, instants, pageOf } from "./ids.ts";

export const webhookToCreate = {
  url: "https://hooks.example.com/passwright",
  events: ["pass.created", "pass.updated", "pass.revoked"],
  secret: "correct horse battery staple",
};

export const webhookToUpdate = { events: ["pass.created", "job.failed"], is_active: true };

export const webhook = {
  id: ids.webhook,
  url: webhookToCreate.url,
  events: webhookToCreate.events,
  is_active: true,
  secret_prefix: "corr",
  created_at: instants.created,
};

export const updatedWebhook = { ...webhook, events: webhookToUpdate.events };

export const webhookList = pageOf(webhook);

export const deliveryList = pageOf({
  id: ids.delivery,
  event_id: ids.event,
  event_type: "pass.created",
  status: "delivered",
  attempts: [
    { number: 1, at: instants.started, status_code: 503, duration_ms: 212, error: "answered 503" },
    { number: 2, at: "2026-11-21T06:43:56.910Z", status_code: 204, duration_ms: 87, error: null },
  ],
  next_attempt_at: null,
  created_at: instants.created,
});
