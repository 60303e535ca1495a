import { isoInstant } from "../clock.ts";
import { type Application, scopesOf } from "./application.ts";

/** An application as commands show it; nothing of its secrets. */
export function applicationResource(application: Application) {
  return {
    id: application.id,
    tenant_id: application.tenantId,
    name: application.name,
    type: application.type,
    status: application.status,
    scope: scopesOf[application.type].join(" "),
    created_at: isoInstant(application.createdAtMs),
  };
}
