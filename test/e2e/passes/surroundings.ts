import { type Client, type Credentials, signIn } from "../support/client.ts";
import { createTenant, type TenantWish } from "../support/operator.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";
import { templateDirectory } from "../support/template-directory.ts";

export type Surroundings = {
  service: Passwright;
  baseUrl: string;
  credentials: Credentials;
  /** Of the demo tenant, with every scope. */
  client: Client;
  /** Of another tenant, which has a template of its own and a wallet. */
  stranger: Client;
  strangerTemplate: string;
  /** Of tenants that lack something. */
  without: { credits: Client; wallets: Client };
  /** Of a tenant with three credits, and of one with a contract for two passes a month. */
  limited: { byCredits: Client; byContract: Client };
  /** Identifiers of the templates that ship with the product, by type. */
  templates: Record<string, string>;
  /** A body for a loyalty card that is accepted as it is, with a reference of its own. */
  loyaltyCard(changes?: Partial<Record<keyof PassRequest, unknown>>): PassRequest;
};

export async function takeIn(service: Passwright): Promise<Surroundings> {
  const { base_url: baseUrl, template_id, tenant_id, application_id, application_secret } = service.announced;
  const credentials = { tenant_id, application_id, application_secret };
  const newcomer = async (wish: TenantWish) => signIn(baseUrl, await createTenant(service, wish));
  const [client, stranger, credits, wallets, byCredits, byContract] = await Promise.all([
    signIn(baseUrl, credentials),
    newcomer({ name: "Another" }),
    newcomer({ name: "Poor", funds: [] }),
    newcomer({ name: "Walletless", wallets: [] }),
    newcomer({ name: "Three credits", funds: ["--credits", "3"] }),
    newcomer({ name: "Two a month", funds: ["--contract-cap", "2"] }),
  ]);
  const directory = templateDirectory(service, { name: "Another's card" });
  const imported = await service.cli(
    "templates",
    "import",
    directory,
    "--tenant",
    stranger.tenantId,
    "--json",
  );
  const listed = await client.get("/api/v1/templates?page_size=100");
  const byType = listed.json.data.map(({ template_type, id }: { template_type: string; id: string }) => [
    template_type,
    id,
  ]);
  return {
    service,
    baseUrl,
    credentials,
    client,
    stranger,
    strangerTemplate: imported.json().id,
    without: { credits, wallets },
    limited: { byCredits, byContract },
    templates: Object.fromEntries(byType),
    loyaltyCard: (changes = {}) => ({
      template_id,
      intent: "loyalty_card",
      external_ref: newReference(),
      data: { member: "Ada Lovelace", points: "12" },
      ...(changes as Partial<PassRequest>),
    }),
  };
}
