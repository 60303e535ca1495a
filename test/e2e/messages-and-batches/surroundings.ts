import { type Client, signIn } from "../support/client.ts";
import { createTenant, type TenantWish } from "../support/operator.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";

export type Surroundings = {
  service: Passwright;
  /** Of the demo tenant, with both wallets. */
  client: Client;
  /** Of another tenant, with Google. */
  stranger: Client;
  /** Of a tenant that only ever has the passes which a broadcast is to reach. */
  caller: Client;
  /** Of a tenant with three credits. */
  poor: Client;
  loyaltyCard(changes?: Partial<Record<keyof PassRequest, unknown>>): PassRequest;
};

export async function takeIn(service: Passwright): Promise<Surroundings> {
  const { base_url: baseUrl, template_id, ...credentials } = service.announced;
  const newcomer = async (wish: TenantWish) => signIn(baseUrl, await createTenant(service, wish));
  const [client, stranger, caller, poor] = await Promise.all([
    signIn(baseUrl, credentials),
    newcomer({ name: "Another" }),
    newcomer({ name: "Caller", wallets: ["apple", "google"] }),
    newcomer({ name: "Three credits", funds: ["--credits", "3"] }),
  ]);
  return {
    service,
    client,
    stranger,
    caller,
    poor,
    loyaltyCard: (changes = {}) => ({
      template_id,
      intent: "loyalty_card",
      external_ref: newReference(),
      data: { member: "Ada Lovelace", points: "12" },
      ...(changes as Partial<PassRequest>),
    }),
  };
}
