import t from "tap";
import { webhookResource } from "../../../src/domain/webhooks/resource.ts";
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
