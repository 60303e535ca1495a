import { json } from "../exchange.ts";
import type { Callbacks } from "../google/callbacks.ts";
import type { Issuers } from "../google/issuers.ts";
import type { ServiceAccount } from "../google/service-accounts.ts";
import type { StoredResource, WalletStore } from "../google/wallet-store.ts";
import type { Journal } from "../journal.ts";
import { describeCallback } from "./google-callback-routes.ts";
import { describeAccount, describeIssuer } from "./google-issuer-routes.ts";
import type { Route } from "./router.ts";

export type GoogleStateParts = {
  wallet: WalletStore;
  accounts: Journal<ServiceAccount>;
  issuers: Issuers;
  callbacks: Callbacks;
};

/** Looking at what the stand-in for Google Wallet has stored; `?id_prefix=` narrows it. */
export function googleStateRoutes({ wallet, accounts, issuers, callbacks }: GoogleStateParts): Route[] {
  return [
    [
      "GET",
      "/sandbox/google/state",
      (request) => {
        const prefix = request.query.get("id_prefix") ?? "";
        const resources = wallet.all().filter(({ resource }) => String(resource.id).startsWith(prefix));
        const side = (name: string) => resources.filter(({ type }) => type.endsWith(name));
        return json(200, {
          service_accounts: [...accounts.values()].map(describeAccount),
          issuers: issuers.all().map(describeIssuer),
          classes: side("Class").map(describeResource),
          objects: side("Object").map((stored) => ({
            ...describeResource(stored),
            has_users: stored.hasUsers ?? false,
          })),
          callbacks: callbacks
            .all()
            .filter(({ event }) => event.objectId.startsWith(prefix) || event.classId.startsWith(prefix))
            .map(describeCallback),
        });
      },
    ],
  ];
}

function describeResource({ type, resource, notifiedAtMs, insertedAt, updatedAt }: StoredResource) {
  return {
    type,
    id: resource.id,
    inserted_at: insertedAt,
    updated_at: updatedAt,
    notified_at: notifiedAtMs.map((ms) => new Date(ms).toISOString()),
    resource,
  };
}
