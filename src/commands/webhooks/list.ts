import { openWebhooks } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag, wholeList } from "../../cli/tenant-flag.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { webhookResource } from "../../domain/webhooks/resource.ts";

export default class WebhooksList extends BaseCommand {
  static override summary = "List a tenant's webhooks, newest first.";
  static override description = "Of a secret only its first characters are shown.";
  static override examples = [
    "<%= config.bin %> webhooks list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> webhooks list --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --json",
  ];
  static override flags = { tenant: tenantFlag };

  async run() {
    const { flags } = await this.parse(WebhooksList);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const { webhooks } = await openWebhooks(app);
      const { items } = await webhooks.list(tenant.id, wholeList);
      const resources = items.map(webhookResource);
      const rows = resources.map((webhook) => [
        webhook.id,
        webhook.is_active ? "yes" : "no",
        `${webhook.secret_prefix}…`,
        webhook.events.join(","),
        webhook.url,
      ]);
      this.log(tableLines(["id", "active", "secret", "events", "url"], rows).join("\n"));
      return resources;
    });
  }
}
