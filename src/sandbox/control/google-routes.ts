import { json } from "../exchange.ts";
import type { ServiceAccount } from "../google/service-accounts.ts";
import type { WalletStore } from "../google/wallet-store.ts";
import type { Journal } from "../journal.ts";
import type { Route } from "./router.ts";

/** Looking at what the stand-in for Google Wallet has stored; `?id_prefix=` narrows it. */
export function googleStateRoutes(store: WalletStore, accounts: Journal<ServiceAccount>): Route[] {
  return [
    [
      "GET",
      "/sandbox/google/state",
      (request) => {
        const prefix = request.query.get("id_prefix") ?? "";
        const resources = store.all().filter(({ resource }) => String(resource.id).startsWith(prefix));
        const side = (name: string) =>
          resources
            .filter(({ type }) => type.endsWith(name))
            .map(({ type, resource, notifiedAtMs, insertedAt, updatedAt }) => ({
              type,
              id: resource.id,
              inserted_at: insertedAt,
              updated_at: updatedAt,
              notified_at: notifiedAtMs.map((ms) => new Date(ms).toISOString()),
              resource,
            }));
        return json(200, {
          service_accounts: [...accounts.values()].map((account) => ({
            client_email: account.clientEmail,
            private_key_id: account.privateKeyId,
            issuer_id: account.issuerId,
            created_at: account.createdAt,
          })),
          classes: side("Class"),
          objects: side("Object"),
        });
      },
    ],
  ];
}
