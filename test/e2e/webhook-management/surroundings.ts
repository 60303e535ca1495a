import type { Client } from "../support/client.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";
import { createReceiver, type Receiver } from "../support/sandbox.ts";

export type Surroundings = {
  service: Passwright;
  /** Of the demo tenant, with both wallets; its webhooks listen at the sandbox. */
  client: Client;
  /** Of a tenant that registers webhooks and nothing else. */
  keeper: Client;
  /** Of another one, which registers as many as there may be. */
  collector: Client;
  /** Of a tenant whose Google will be made to refuse. */
  unlucky: Client;
  /** The demo tenant at a `serve` that allows no address but public ones, as in production. */
  strict: Client;
};

export const path = "/api/v1/webhooks";

/** A public address: nothing is looked up, and nothing is ever sent there. */
export const good = { url: "https://1.1.1.1/hook?x=1", events: ["pass.created"], secret: "correct horse" };

export function loyaltyCard({ service }: Surroundings): PassRequest {
  return {
    template_id: service.announced.template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Zo\u00eb \u{1f3ab}" },
  };
}

export type Subscription = { receiver: Receiver; secret: string; at: string; id: string };

/** A webhook that listens at a receiver of its own. */
export async function subscribe(
  { service }: Surroundings,
  client: Client,
  events: string[],
  secret = "battery staple \u00fc",
): Promise<Subscription> {
  const receiver = await createReceiver(service, secret);
  const reply = await client.post(path, { url: receiver.url, events, secret });
  if (reply.status !== 201) throw new Error(`no webhook: ${reply.status} ${reply.text}`);
  return { receiver, secret, at: `${path}/${reply.json.id}`, id: reply.json.id };
}
