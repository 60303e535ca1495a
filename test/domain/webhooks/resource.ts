import t from "tap";
import { deliveryResource, webhookResource } from "../../../src/domain/webhooks/resource.ts";
import { instant, instantMs, tenantId } from "../fixtures/examples.ts";

t.test("a webhook is shown with the documented members and no others", async (t) => {
  const webhook = {
    id: "0193a0b4-0000-7000-8000-0000000000dd",
    tenantId,
    url: "https://hooks.example.com/",
    events: ["message.sent" as const],
    isActive: false,
    secretPrefix: "whse",
    createdAtMs: instantMs,
  };
  t.strictSame(webhookResource(webhook), {
    id: webhook.id,
    url: "https://hooks.example.com/",
    events: ["message.sent"],
    is_active: false,
    secret_prefix: "whse",
    created_at: instant,
  });
});

t.test("of a delivery that was sent again and again, the latest hundred attempts are shown", async (t) => {
  const attempts = Array.from({ length: 101 }, (_, index) => ({
    number: index + 1,
    atMs: instantMs,
    statusCode: 500,
    durationMs: 1,
    error: "answered 500",
  }));
  const shown = deliveryResource({
    id: "0193a0b4-0000-7000-8000-0000000000de",
    tenantId,
    webhookId: "0193a0b4-0000-7000-8000-0000000000dd",
    eventId: "0193a0b4-0000-7000-8000-0000000000df",
    eventType: "message.sent",
    status: "dead_lettered",
    attempts,
    nextAttemptAtMs: null,
    createdAtMs: instantMs,
  });
  t.strictSame(
    [shown.attempts.length, shown.attempts[0]?.number, shown.attempts.at(-1)?.number],
    [100, 2, 101],
  );
});
