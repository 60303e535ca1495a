import { type Client, signIn } from "../support/client.ts";
import { createTenant, type TenantWish } from "../support/operator.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";

export type Surroundings = {
  service: Passwright;
  baseUrl: string;
  /** Of the demo tenant, with both wallets. */
  client: Client;
  /** Of another tenant, which has a wallet. */
  stranger: Client;
  /** Of a tenant whose list nothing else writes to. */
  lister: Client;
  /** Of tenants with three credits and with a contract for two passes a month; both have Google only. */
  limited: { byCredits: Client; byContract: Client };
  /** Of tenants whose Google will be made to refuse: one with both wallets, one with Google only. */
  unlucky: { both: Client; google: Client };
  /** A body for a loyalty card that is accepted as it is, with a reference of its own. */
  loyaltyCard(changes?: Partial<Record<keyof PassRequest, unknown>>): PassRequest;
};

export async function takeIn(service: Passwright): Promise<Surroundings> {
  const { base_url: baseUrl, template_id, ...credentials } = service.announced;
  const newcomer = async (wish: TenantWish) => signIn(baseUrl, await createTenant(service, wish));
  const [client, stranger, lister, byCredits, byContract, both, google] = await Promise.all([
    signIn(baseUrl, credentials),
    newcomer({ name: "Another" }),
    newcomer({ name: "Lister" }),
    newcomer({ name: "Three credits", funds: ["--credits", "3"] }),
    newcomer({ name: "Two a month", funds: ["--contract-cap", "2"] }),
    newcomer({ name: "Half unlucky", wallets: ["apple", "google"] }),
    newcomer({ name: "Unlucky" }),
  ]);
  return {
    service,
    baseUrl,
    client,
    stranger,
    lister,
    limited: { byCredits, byContract },
    unlucky: { both, google },
    loyaltyCard: (changes = {}) => ({
      template_id,
      intent: "loyalty_card",
      external_ref: newReference(),
      data: { member: "Ada Lovelace", points: "12" },
      ...(changes as Partial<PassRequest>),
    }),
  };
}
