import { openBreakers, openWebhooks } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { tableLines } from "../../cli/table.ts";
import { tenantFlag, wholeList } from "../../cli/tenant-flag.ts";
import { isoInstant } from "../../domain/clock.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { healthResource } from "../../domain/webhooks/breaker.ts";
import { webhookResource } from "../../domain/webhooks/resource.ts";

const heads = [
  ...["id", "active", "breaker", "failures", "failing since", "next probe", "parked"],
  ...["secret", "events", "url"],
];

const least = ["secret", "next probe", "failing since", "parked", "failures", "events", "active"];

export default class WebhooksList extends BaseCommand {
  static override summary = "List a tenant's webhooks, newest first.";
  static override description =
    "Of a secret only its first characters are shown. An endpoint that keeps failing has an open breaker: its deliveries are parked, and one at a time probes whether it answers again.";
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
      const breakers = await openBreakers(app);
      const resources = await Promise.all(
        items.map(async (webhook) => ({
          ...webhookResource(webhook),
          health: healthResource(await breakers.health(tenant.id, webhook.id), isoInstant),
        })),
      );
      const rows = resources.map(({ health, ...webhook }) => [
        webhook.id,
        webhook.is_active ? "yes" : "no",
        health.breaker,
        String(health.failures_in_a_row),
        health.failing_since ?? "",
        health.next_probe_at ?? "",
        String(health.parked),
        `${webhook.secret_prefix}…`,
        webhook.events.join(","),
        webhook.url,
      ]);
      this.printList(rows, () => tableLines(heads, rows, { least }), "The tenant has no webhook.");
      return resources;
    });
  }
}
