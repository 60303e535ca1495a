import { Flags } from "@oclif/core";
import { openWebhooks } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { deliveryTable } from "../../cli/delivery-report.ts";
import { boundedLimitFlag, tellIfMore } from "../../cli/list-limit.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { deliveryResource } from "../../domain/webhooks/resource.ts";
import { siftDeliveries } from "../../domain/webhooks/sift-deliveries.ts";
import { deliveryStatuses } from "../../domain/webhooks/webhook.ts";

export default class DeliveriesList extends BaseCommand {
  static override summary = "List what a webhook was sent, or is about to be, newest first.";
  static override description =
    "Deliveries of the last 30 days. Exits with 4 when there is none, or none of that status.";
  static override examples = [
    "<%= config.bin %> deliveries list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --webhook 0199d1c8-3c4d-7a5b-8e00-1f2a3b4c5d6e",
    "<%= config.bin %> deliveries list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --webhook 0199d1c8-3c4d-7a5b-8e00-1f2a3b4c5d6e --status dead_lettered --limit 20 --json",
  ];
  static override flags = {
    tenant: tenantFlag,
    webhook: Flags.string({ description: "the webhook's id", required: true, helpValue: "ID" }),
    status: Flags.option({ description: "only those of this status", options: deliveryStatuses })(),
    limit: boundedLimitFlag,
  };

  async run() {
    const { flags } = await this.parse(DeliveriesList);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const found = await siftDeliveries(
        { ...app, ...(await openWebhooks(app)) },
        {
          tenantId: tenant.id,
          webhookId: flags.webhook,
          status: flags.status ?? null,
          limit: flags.limit + 1,
        },
      );
      const deliveries = found.slice(0, flags.limit);
      this.printList(deliveries, deliveryTable, "No delivery matches.");
      tellIfMore(found, flags.limit);
      return deliveries.map(deliveryResource);
    });
  }
}
