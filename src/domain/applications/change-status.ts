import { isUuid } from "../ids.ts";
import type { Application, ApplicationStore } from "./application.ts";
import { noSuchApplication } from "./find.ts";

type Deps = { applications: ApplicationStore };
type Named = { tenantId: string; id: string };

/** Refuses an application's tokens, live ones too, within seconds, and makes no new ones for it. */
export function disableApplication(deps: Deps, named: Named) {
  return changeStatus(deps, named, "disabled");
}

/** Lets a disabled application back in; live tokens work again. */
export function enableApplication(deps: Deps, named: Named) {
  return changeStatus(deps, named, "active");
}

/** `changed` is false where it was so already. Rejects with not_found, also for an application of another tenant. */
async function changeStatus(
  deps: Deps,
  named: Named,
  status: Application["status"],
): Promise<{ application: Application; changed: boolean }> {
  const outcome = isUuid(named.id) ? await deps.applications.setStatus(named, status) : "gone";
  const application = outcome === "gone" ? null : await deps.applications.find(named.id);
  if (application === null) throw noSuchApplication(named);
  return { application, changed: outcome === "changed" };
}
