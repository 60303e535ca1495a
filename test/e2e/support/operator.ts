import type { Credentials } from "./client.ts";
import type { Passwright } from "./passwright.ts";

/** What an operator types to take a new customer in. */
export async function createTenant(
  { cli }: Passwright,
  { name, funds = ["--credits", "100"], wallets = ["google"] }: TenantWish,
): Promise<Credentials> {
  const { id } = (await cli("tenants", "create", "--name", name, ...funds, "--json")).json();
  const [credentials] = await Promise.all([
    createApplication({ cli }, id, "backend"),
    ...wallets.map(async (wallet) =>
      (await cli("providers", "set", wallet, "--tenant", id, "--sandbox", "--json")).json(),
    ),
  ]);
  return credentials;
}

export type TenantWish = {
  name: string;
  funds?: readonly string[];
  wallets?: readonly ("apple" | "google")[];
};

export type ApplicationType = "backend" | "issuer" | "reporting";

export async function createApplication(
  { cli }: Pick<Passwright, "cli">,
  tenantId: string,
  type: ApplicationType,
): Promise<Credentials> {
  const created = await cli(
    "applications",
    "create",
    ...["--tenant", tenantId, "--name", `the ${type} one`, "--type", type, "--json"],
  );
  const { id, secret } = created.json();
  return { tenant_id: tenantId, application_id: id, application_secret: secret };
}
