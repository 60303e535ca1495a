import { Args } from "@oclif/core";
import { openWebhooks } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { deliveryLines } from "../../cli/delivery-report.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { findDelivery } from "../../domain/webhooks/find-delivery.ts";
import { deliveryResource } from "../../domain/webhooks/resource.ts";

export default class DeliveriesShow extends BaseCommand {
  static override summary = "Show a delivery: every attempt, when the next is due, and the body.";
  static override description =
    "With --json the body is a string, byte for byte as every attempt sends it; null when it is no longer kept.";
  static override examples = [
    "<%= config.bin %> deliveries show 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> deliveries show 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the delivery's id", required: true }) };
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(DeliveriesShow);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { deliveries } = await openWebhooks(app);
      const delivery = await findDelivery({ deliveries }, { tenantId: tenant.id, deliveryId: args.id });
      const bytes = await deliveries.body(tenant.id, delivery.eventId);
      const body = bytes && Buffer.from(bytes).toString();
      this.log(deliveryLines(delivery).join("\n"));
      this.log(`\n${body ?? "The body is no longer kept: its event is older than 30 days."}`);
      return { ...deliveryResource(delivery), webhook_id: delivery.webhookId, body };
    });
  }
}
