import type { Client, Credentials } from "../support/client.ts";
import { newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";

export type Surroundings = {
  service: Passwright;
  baseUrl: string;
  credentials: Credentials;
  client: Client;
  /** Of another tenant, which has passes but no webhook yet. */
  stranger: Client;
  /** Of a third one, which only ever registers webhooks: it has no pass that they could tell of. */
  collector: Client;
  /** The same application at a `serve` that allows no address but public ones. */
  strict: Client;
  secrets: { plain: string; prefixed: string };
};

export function loyaltyCard({ service }: Surroundings): PassRequest {
  return {
    template_id: service.announced.template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Zo\u00eb \u{1f3ab}" },
  };
}
