import { Args } from "@oclif/core";
import { openWebhooks } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { deliveryLines } from "../../cli/delivery-report.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { resendDelivery } from "../../domain/webhooks/resend.ts";
import { deliveryResource } from "../../domain/webhooks/resource.ts";

export default class DeliveriesResend extends BaseCommand {
  static override summary = "Have a delivery sent again at once, whatever became of it.";
  static override description =
    "A worker sends it as soon as it has a hand free, under the same ids, so that receivers which keep those see a repeat. If that fails, further attempts follow as after a new event. A dead letter of the delivery is taken away; its earlier attempts stay in the history. Refused (1) while a worker is sending it, while its webhook is inactive or deleted, and when its body is no longer kept.";
  static override examples = [
    "<%= config.bin %> deliveries resend 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> deliveries resend 0199d1c9-5e6f-7b8c-9a00-2d3e4f5a6b7c --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override args = { id: Args.string({ description: "the delivery's id", required: true }) };
  static override flags = { tenant: tenantFlag };

  async run() {
    const { args, flags } = await this.parse(DeliveriesResend);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const webhooks = await openWebhooks(app);
      const act = {
        action: "deliveries.resend",
        tenant_id: tenant.id,
        target: { type: "delivery", id: args.id },
      };
      const delivery = await this.audited(app, act, () =>
        resendDelivery({ ...app, ...webhooks }, { tenantId: tenant.id, deliveryId: args.id }),
      );
      this.log(deliveryLines(delivery).join("\n"));
      this.logToStderr("Queued: `deliveries show` tells what comes of it.");
      return { ...deliveryResource(delivery), webhook_id: delivery.webhookId };
    });
  }
}
