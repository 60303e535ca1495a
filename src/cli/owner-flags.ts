import { Flags } from "@oclif/core";
import type { App } from "../app.ts";
import { invalidRequest } from "../domain/errors.ts";
import { findTenant } from "../domain/tenants/find.ts";

/** Whose templates a command is about: a tenant's, or the system's. */
export const ownerFlags = {
  tenant: Flags.string({ description: "the tenant's id", helpValue: "ID", exclusive: ["system"] }),
  system: Flags.boolean({ description: "the system templates, which every tenant sees" }),
};

/** The tenant's id, or null for the system. */
export async function ownerOf(
  app: Pick<App, "tenants">,
  flags: { tenant?: string | undefined; system: boolean },
): Promise<string | null> {
  if (flags.system) return null;
  if (flags.tenant === undefined) {
    throw invalidRequest([{ path: "--tenant", message: "ID is needed, or --system" }]);
  }
  return (await findTenant(app, flags.tenant)).id;
}
