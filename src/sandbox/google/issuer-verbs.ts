import type { Received } from "../exchange.ts";
import { invalid, permissionDenied } from "./api-error.ts";
import { authorizeIssuer } from "./caller.ts";
import { type Issuers, issuerResource } from "./issuers.ts";
import type { JsonObject } from "./proto-json.ts";
import { isUserOf, type ServiceAccount } from "./service-accounts.ts";

/** `GET issuer` for all of the caller's, `GET issuer/{id}` for one. */
export type IssuerTarget = "all" | { issuerId: string };

export function issuerTarget({ method, path }: Received): IssuerTarget | undefined {
  const [whole, issuerId] = /^\/walletobjects\/v1\/issuer(?:\/([^/]+))?$/.exec(path) ?? [];
  if (whole === undefined || (method !== "GET" && method !== "HEAD")) return undefined;
  return issuerId === undefined ? "all" : { issuerId };
}

/** https://developers.google.com/wallet/reference/rest/v1/issuer */
export function answerIssuer(issuers: Issuers, account: ServiceAccount, target: IssuerTarget): JsonObject {
  if (target === "all") {
    const mine = issuers.all().filter(({ issuerId }) => isUserOf(account, issuerId));
    return mine.length === 0 ? {} : { resources: mine.map(issuerResource) };
  }
  if (!/^\d+$/.test(target.issuerId)) throw invalid(`Invalid issuer ID: ${target.issuerId}`);
  authorizeIssuer(account, target.issuerId);
  const issuer = issuers.find(target.issuerId);
  if (issuer === undefined) throw permissionDenied();
  return issuerResource(issuer);
}
