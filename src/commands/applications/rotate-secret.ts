import { Args, Flags } from "@oclif/core";
import { openHasher } from "../../app.ts";
import { BaseCommand } from "../../cli/base-command.ts";
import { factLines } from "../../cli/table.ts";
import { tenantFlag } from "../../cli/tenant-flag.ts";
import { parseDuration } from "../../config.ts";
import { applicationResource } from "../../domain/applications/resource.ts";
import { rotateSecret } from "../../domain/applications/rotate-secret.ts";
import { isoInstant } from "../../domain/clock.ts";
import { invalidRequest } from "../../domain/errors.ts";
import { findTenant } from "../../domain/tenants/find.ts";

export default class ApplicationsRotateSecret extends BaseCommand {
  static override description =
    "Give an application a new secret, shown once, here. The old one stays valid for a while.";
  static override examples = [
    "<%= config.bin %> applications rotate-secret 0199d1c7-2b3c-7d4e-8f00-6a7b8c9d0e1f --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10",
    "<%= config.bin %> applications rotate-secret 0199d1c7-2b3c-7d4e-8f00-6a7b8c9d0e1f --tenant 0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10 --grace 0s --json",
  ];
  static override args = { id: Args.string({ description: "the application's id", required: true }) };
  static override flags = {
    tenant: tenantFlag,
    grace: Flags.string({
      description: "how long the old secret stays valid; 0s: it ends at once",
      default: "24h",
      helpValue: "DURATION",
    }),
  };

  async run() {
    const { args, flags } = await this.parse(ApplicationsRotateSecret);
    const graceMs = readGrace(flags.grace);
    return this.withApp(flags, async (app) => {
      const tenant = await findTenant(app, flags.tenant);
      const hasher = await openHasher();
      const input = { tenantId: tenant.id, id: args.id, graceMs };
      const act = {
        action: "applications.rotate-secret",
        tenant_id: tenant.id,
        target: { type: "application", id: args.id },
        details: { grace_ms: graceMs },
      };
      const { application, secret, previous, ended } = await this.audited(app, act, () =>
        rotateSecret({ ...app, hasher }, input),
      );
      const validUntil = previous?.expiresAtMs ?? null;
      const resource = {
        ...applicationResource(application),
        secret,
        old_secret_valid_until: validUntil === null ? null : isoInstant(validUntil),
        secrets_ended: ended,
      };
      this.log(
        factLines({ ...resource, old_secret_valid_until: resource.old_secret_valid_until ?? "ended" }).join(
          "\n",
        ),
      );
      this.logToStderr("The secret is not stored and will not be shown again.");
      if (previous !== null && ended > 0) {
        this.logToStderr(
          "An application has two secrets at most: the one before the last stopped working now.",
        );
      }
      return resource;
    });
  }
}

function readGrace(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw invalidRequest([
      { path: "--grace", message: error instanceof Error ? error.message : "is not valid" },
    ]);
  }
}
