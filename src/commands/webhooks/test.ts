import { Args, Flags } from "@oclif/core";
import { openWebhookSender, openWebhooks } from "../../app.ts";
import { BaseCommand, exitCodes } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { webhookEventTypes } from "../../domain/events/event.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { sendTestDelivery } from "../../domain/webhooks/send-test.ts";

export default class WebhooksTest extends BaseCommand {
  static override summary = "Send a webhook one signed delivery right now, and say what came of it.";
  static override description = [
    "The delivery is signed and sent as real ones are, but from this machine, and tells of something made up: its body has the shape of a real event, and every id in data is the nil UUID, all zeros. It is sent once and written down nowhere. An inactive webhook can be tested, too. Exits with 0 after a 2xx, with 1 otherwise.",
    "The settings of this process count (PASSWRIGHT_WEBHOOK_ALLOW_CIDRS, PASSWRIGHT_WEBHOOK_CA_FILE): give it the workers'.",
  ].join("\n\n");
  static override examples = [
    "<%= config.bin %> webhooks test 0199d1c8-3c4d-7a5b-8e00-1f2a3b4c5d6e --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> webhooks test 0199d1c8-3c4d-7a5b-8e00-1f2a3b4c5d6e --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --event pass.revoked --json",
  ];
  static override args = { id: Args.string({ description: "the webhook's id", required: true }) };
  static override flags = {
    tenant: tenantFlag,
    event: Flags.option({
      description: "what it tells of: a type that the webhook is subscribed to (else the first of them)",
      options: webhookEventTypes,
    })(),
  };

  async run() {
    const { args, flags } = await this.parse(WebhooksTest);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const webhookSender = await openWebhookSender(app);
      try {
        const { webhook, failure, ...test } = await sendTestDelivery(
          { ...app, ...(await openWebhooks(app)), webhookSender },
          { tenantId: tenant.id, webhookId: args.id, eventType: flags.event ?? null },
        );
        const resource = {
          webhook_id: webhook.id,
          url: webhook.url,
          is_active: webhook.isActive,
          event_type: test.eventType,
          delivery_id: test.deliveryId,
          delivered: failure === null,
          status_code: test.statusCode,
          duration_ms: test.durationMs,
          error: failure?.error ?? null,
          remedy: failure?.remedy ?? null,
        };
        const { error, remedy, ...facts } = resource;
        this.log(factLines({ ...facts, status_code: test.statusCode ?? "none" }).join("\n"));
        if (error !== null) this.log(factLines({ error, remedy: remedy ?? "" }).join("\n"));
        if (!webhook.isActive) this.logToStderr("The webhook is not active: real events are not sent to it.");
        if (failure !== null) process.exitCode = exitCodes.failed;
        return resource;
      } finally {
        await webhookSender.close();
      }
    });
  }
}
