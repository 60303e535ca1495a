import { json, Refused } from "../exchange.ts";
import type { Issuer, Issuers } from "../google/issuers.ts";
import { type ServiceAccount, type Standing, standingOf } from "../google/service-accounts.ts";
import type { Journal } from "../journal.ts";
import { oneOf, readObject, text, truth } from "./body.ts";
import type { Route } from "./router.ts";

export type GoogleIssuerParts = { accounts: Journal<ServiceAccount>; issuers: Issuers };

/**
 * What Google's consoles are for. `PATCH /sandbox/google/issuers/{id}` with `{ demo?, name? }`;
 * `PATCH /sandbox/google/service-accounts/{email}` with `{ account? (enabled, disabled, deleted), key? (valid, deleted),
 * wallet_api? (enabled, disabled), issuer_user? }`. What is not said stays; every change can be taken back.
 */
export function googleIssuerRoutes({ accounts, issuers }: GoogleIssuerParts): Route[] {
  return [
    [
      "PATCH",
      "/sandbox/google/issuers/{id}",
      (request, [id = ""]) => {
        const issuer = issuers.find(id);
        if (issuer === undefined) throw new Refused(json(404, { error: "unknown_issuer" }));
        const body = readObject(request, ["demo", "name"]);
        const name = text(body, "name", /^.{1,200}$/su) ?? issuer.name;
        const changed = { ...issuer, name, isDemo: truth(body, "demo") ?? issuer.isDemo };
        issuers.put(changed);
        return json(200, describeIssuer(changed));
      },
    ],
    [
      "PATCH",
      "/sandbox/google/service-accounts/{email}",
      (request, [email = ""]) => {
        const account = accounts.get(email);
        if (account === undefined) throw new Refused(json(404, { error: "unknown_service_account" }));
        const body = readObject(request, ["account", "key", "wallet_api", "issuer_user"]);
        const before = standingOf(account);
        const standing: Standing = {
          account: oneOf(body, "account", ["enabled", "disabled", "deleted"]) ?? before.account,
          key: oneOf(body, "key", ["valid", "deleted"]) ?? before.key,
          walletApi: oneOf(body, "wallet_api", ["enabled", "disabled"]) ?? before.walletApi,
          isIssuerUser: truth(body, "issuer_user") ?? before.isIssuerUser,
        };
        const changed = { ...account, standing };
        accounts.set(email, changed);
        return json(200, describeAccount(changed));
      },
    ],
  ];
}

export const describeIssuer = ({ issuerId, name, isDemo }: Issuer) => ({
  issuer_id: issuerId,
  name,
  demo: isDemo,
});

export function describeAccount(given: ServiceAccount) {
  const { account, key, walletApi, isIssuerUser } = standingOf(given);
  return {
    client_email: given.clientEmail,
    private_key_id: given.privateKeyId,
    issuer_id: given.issuerId,
    created_at: given.createdAt,
    account,
    key,
    wallet_api: walletApi,
    issuer_user: isIssuerUser,
  };
}
