import type { Clock } from "../clock.ts";
import { invalidRequest } from "../errors.ts";
import type { Ids } from "../ids.ts";
import { findTenant } from "../tenants/find.ts";
import type { TenantStore } from "../tenants/tenant.ts";
import {
  type Application,
  type ApplicationStore,
  type ApplicationType,
  applicationTypes,
  type SecretHasher,
} from "./application.ts";
import { newSecret, secretHint } from "./secret.ts";

/** Makes an active application of a tenant. The secret is in the answer only: what is stored is its hash. */
export async function createApplication(
  deps: {
    tenants: TenantStore;
    applications: ApplicationStore;
    hasher: SecretHasher;
    peppers: readonly [Buffer, ...Buffer[]];
    ids: Ids;
    clock: Clock;
  },
  input: { tenantId: string; name: string; type: string },
): Promise<{ application: Application; secret: string }> {
  const type = applicationTypes.find((known): known is ApplicationType => known === input.type);
  if (type === undefined) {
    throw invalidRequest([{ path: "type", message: `must be one of ${applicationTypes.join(", ")}` }]);
  }
  const name = input.name.trim();
  if (name === "" || [...name].length > 100) {
    throw invalidRequest([{ path: "name", message: "must be 1 to 100 characters" }]);
  }
  const tenant = await findTenant(deps, input.tenantId);
  const secret = newSecret(deps.peppers[0]);
  const nowMs = deps.clock.nowMs();
  const application: Application = {
    id: deps.ids.beside(tenant.id),
    tenantId: tenant.id,
    name,
    type,
    status: "active",
    secrets: [
      {
        hash: await deps.hasher.hash(secret),
        hint: secretHint(secret),
        createdAtMs: nowMs,
        expiresAtMs: null,
      },
    ],
    createdAtMs: nowMs,
  };
  await deps.applications.create(application);
  return { application, secret };
}
