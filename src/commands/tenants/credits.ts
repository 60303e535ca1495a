import { Args, Flags } from "@oclif/core";
import type { App } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { instantOf } from "../../cli/dead-letter-filter.ts";
import { defaultLimit, firstOf, tellOfMore } from "../../cli/list-limit.ts";
import { operatorOf } from "../../cli/operator.ts";
import { writeJsonArray } from "../../cli/streamed-output.ts";
import { factLines, tableLines } from "../../cli/table.ts";
import { addCredits } from "../../domain/credits/add.ts";
import { type LedgerSpan, listLedger } from "../../domain/credits/ledger.ts";
import { ledgerResource } from "../../domain/credits/ledger-resource.ts";
import { findTenant } from "../../domain/tenants/find.ts";
import { tenantResource } from "../../domain/tenants/resource.ts";
import type { Tenant } from "../../domain/tenants/tenant.ts";

type Movement = ReturnType<typeof ledgerResource>;

export default class TenantsCredits extends BaseCommand {
  static override summary = "Add credits to a prepaid tenant, or list every movement of a tenant's credits.";
  static override description =
    "One credit is one pass. The ledger is listed newest first: what moved, why, for what, and what was left after it; under a contract what the month had used. All amounts together are the balance, or the use of the months. Exits 4 when nothing matches.";
  static override examples = [
    "<%= config.bin %> tenants credits 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --add 500",
    "<%= config.bin %> tenants credits 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --add 500 --json",
    "<%= config.bin %> tenants credits 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --ledger --since 7d",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };
  static override flags = {
    add: Flags.integer({
      description: "how many",
      helpValue: "N",
      exactlyOne: ["add", "ledger"],
    }),
    ledger: Flags.boolean({ description: "list what moved the credits" }),
    since: Flags.string({
      description: "only from then on: RFC 3339, or so long ago (2h, 7d)",
      helpValue: "TIME",
      dependsOn: ["ledger"],
    }),
    until: Flags.string({
      description: "only up to then: RFC 3339, or so long ago",
      helpValue: "TIME",
      dependsOn: ["ledger"],
    }),
    limit: Flags.integer({
      description: `so many at most, the newest (else ${defaultLimit})`,
      min: 1,
      helpValue: "N",
      dependsOn: ["ledger"],
    }),
  };

  async run() {
    const { args, flags } = await this.parse(TenantsCredits);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, args.id);
      if (flags.add !== undefined) return this.add(app, tenant, flags.add);
      const instant = (name: "since" | "until"): number | null => {
        const given = flags[name];
        return given === undefined ? null : instantOf(`--${name}`, given, app.clock.nowMs());
      };
      const span = { sinceMs: instant("since"), untilMs: instant("until") };
      return this.list(app, tenant, span, flags.limit ?? defaultLimit);
    });
  }

  private async add(app: App, tenant: Tenant, amount: number) {
    const act = {
      action: "tenants.credits",
      tenant_id: tenant.id,
      target: { type: "tenant", id: tenant.id },
      details: { added: amount },
      told: (balance: number) => ({ details: { balance } }),
    };
    const credits = await this.audited(app, act, () =>
      addCredits(app, { tenantId: tenant.id, amount, operator: operatorOf(app.config) }),
    );
    const resource = tenantResource(tenant, { mode: "prepaid", credits });
    this.log(factLines(resource).join("\n"));
    return resource;
  }

  private async list(app: App, tenant: Tenant, span: LedgerSpan, limit: number): Promise<void> {
    const shown = firstOf(movements(app, tenant, span), limit);
    const count = this.jsonEnabled() ? await writeJsonArray(shown.items) : await this.writeTable(shown.items);
    if (shown.hasMore()) tellOfMore(count, "--limit N shows them.");
    if (count === 0) this.nothingMatches("No movement matches.");
  }

  private async writeTable(movements: AsyncIterable<Movement>): Promise<number> {
    const rows: string[][] = [];
    for await (const { at, reason, amount, after, month, reference } of movements) {
      const signed = amount > 0 ? `+${amount}` : String(amount);
      const of = reference === null ? "-" : `${reference.type} ${reference.id}`;
      rows.push([at ?? "-", reason, signed, String(after), month ?? "-", of]);
    }
    if (rows.length > 0) {
      const heads = ["at", "reason", "amount", "after", "month", "for"];
      this.log(tableLines(heads, rows, { least: ["month"] }).join("\n"));
    }
    return rows.length;
  }
}

async function* movements(app: App, tenant: Tenant, span: LedgerSpan): AsyncGenerator<Movement> {
  for await (const entry of listLedger(app, { tenantId: tenant.id, ...span })) yield ledgerResource(entry);
}
