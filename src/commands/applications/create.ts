import { Flags } from "@oclif/core";
import { openHasher } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { applicationTypes } from "../../domain/applications/application.ts";
import { createApplication } from "../../domain/applications/create.ts";
import { applicationResource } from "../../domain/applications/resource.ts";

export default class ApplicationsCreate extends BaseCommand {
  static override description = "Create an application of a tenant. Its secret is shown once, here.";
  static override examples = [
    "<%= config.bin %> applications create --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --name shop --type backend",
    "<%= config.bin %> applications create --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --name reports --type reporting --json > application.json",
  ];
  static override flags = {
    tenant: tenantFlag,
    name: Flags.string({ description: "what operators call it", required: true }),
    type: Flags.string({
      description: "decides its scopes: backend has all, issuer writes, reporting reads",
      options: applicationTypes,
      required: true,
    }),
  };

  async run() {
    const { flags } = await this.parse(ApplicationsCreate);
    return this.withApp(flags, async (app) => {
      const hasher = await openHasher();
      const act = {
        action: "applications.create",
        tenant_id: flags.tenant,
        target: null,
        details: { name: flags.name, type: flags.type },
        told: ({ application: { id } }: Awaited<ReturnType<typeof createApplication>>) => ({
          target: { type: "application", id },
        }),
      };
      const { application, secret } = await this.audited(app, act, () =>
        createApplication({ ...app, hasher }, { tenantId: flags.tenant, name: flags.name, type: flags.type }),
      );
      const resource = { ...applicationResource(application), secret };
      this.log(factLines(resource).join("\n"));
      this.logToStderr("The secret is not stored and will not be shown again.");
      return resource;
    });
  }
}
