import { PasswrightError } from "../errors.ts";
import { isUuid } from "../ids.ts";
import type { Application, ApplicationStore } from "./application.ts";

/** The application of that id, or not_found; so it is when it belongs to another tenant. */
export async function findApplication(
  deps: { applications: ApplicationStore },
  named: { tenantId: string; id: string },
): Promise<Application> {
  const found = isUuid(named.id) ? await deps.applications.find(named.id) : null;
  if (found === null || found.tenantId !== named.tenantId) throw noSuchApplication(named);
  return found;
}

export function noSuchApplication({ tenantId, id }: { tenantId: string; id: string }): PasswrightError {
  return new PasswrightError("not_found", `The tenant ${tenantId} has no application ${id}.`);
}
