import { type Client, signIn } from "../support/client.ts";
import { createTenant } from "../support/operator.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";

export type Surroundings = {
  service: Passwright;
  /** Of tenants that begin without any event. */
  client: Client;
  unlucky: Client;
  loyaltyCard(): PassRequest;
};

export async function takeIn(service: Passwright): Promise<Surroundings> {
  const { base_url: baseUrl, template_id } = service.announced;
  const [client, unlucky] = await Promise.all([
    createTenant(service, { name: "Watched", wallets: ["apple", "google"] }),
    createTenant(service, { name: "Unlucky" }),
  ]);
  return {
    service,
    client: await signIn(baseUrl, client),
    unlucky: await signIn(baseUrl, unlucky),
    loyaltyCard: () => ({
      template_id,
      intent: "loyalty_card",
      external_ref: newReference(),
      data: { member: "Ada Lovelace" },
    }),
  };
}

export type Event = { id: string; event_type: string; pass_id: string | null; occurred_at: string };

/** The list with these parameters, all of it. */
export async function eventsOf(client: Client, query: Record<string, string> = {}): Promise<Event[]> {
  const search = new URLSearchParams({ page_size: "100", ...query });
  const reply = await client.get(`/api/v1/analytics/events?${search}`);
  if (reply.status !== 200) throw new Error(`${search}: ${reply.status} ${reply.text}`);
  return reply.json.data;
}
