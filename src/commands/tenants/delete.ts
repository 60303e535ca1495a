import { setTimeout as delay } from "node:timers/promises";
import { Args } from "@oclif/core";
import { openTenantRemoval } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { confirmDanger, yesFlag } from "../../cli/confirmation.ts";
import { createProgress } from "../../cli/progress.ts";
import { findTenantEvenDeleting } from "../../domain/tenants/find.ts";
import { deleteTenant } from "../../domain/tenants/remove.ts";

/** Within this time every process knows that the tenant is no more. */
const knownMs = 5000;

export default class TenantsDelete extends BaseCommand {
  static override description =
    "Delete a tenant and every record of it. What was interrupted goes on with the same command.";
  static override examples = [
    "<%= config.bin %> tenants delete 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> tenants delete 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --yes --json",
  ];
  static override args = { id: Args.string({ description: "the tenant's id", required: true }) };
  static override flags = { yes: yesFlag };

  async run() {
    const { args, flags } = await this.parse(TenantsDelete);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenantEvenDeleting(app, args.id);
      await confirmDanger({
        yes: flags.yes,
        consequences: [
          `This deletes the tenant ${tenant.name} (${tenant.id}) with its applications, templates, passes, jobs and history.`,
          "It cannot be undone. Passes on phones stay there, and can be neither updated nor revoked any more.",
        ],
        word: tenant.name,
      });
      const progress = createProgress("Deleting");
      this.whatIsLeft = () =>
        "The tenant is shut out, and records of it are left: the same command goes on with it.";
      const heartbeatMs = app.config.jobLeaseMs / 3;
      const act = {
        action: "tenants.delete",
        tenant_id: tenant.id,
        target: { type: "tenant", id: tenant.id },
        details: { name: tenant.name },
        isLong: true,
        told: (details: { removed: number }) => ({ details }),
      };
      const { removed } = await this.audited(app, act, async () =>
        deleteTenant(
          {
            tenants: app.tenants,
            tenantRemoval: await openTenantRemoval(app),
            untilKnown: async () => {
              progress.end();
              this.logToStderr("Waiting until every process knows ...");
              // Workers learn with their next heartbeat that they have lost what they had in hand.
              await delay(Math.max(knownMs, heartbeatMs + 1000));
            },
          },
          tenant.id,
          (count) => progress.at(count, { note: "records removed" }),
        ),
      ).finally(progress.end);
      this.log(`The tenant ${tenant.name} is deleted: ${removed} records.`);
      return { id: tenant.id, name: tenant.name, status: "deleted", removed };
    });
  }
}
