import type { Journal } from "../journal.ts";
import type { JsonObject } from "./proto-json.ts";
import type { ServiceAccount } from "./service-accounts.ts";

export type Issuer = {
  issuerId: string;
  name: string;
  /** Only its own users may save its passes, which say [TEST ONLY]: so is each issuer until it has publishing access. */
  isDemo: boolean;
};

export type Issuers = {
  /** Undefined where no service account was ever made for it. */
  find(issuerId: string): Issuer | undefined;
  all(): Issuer[];
  put(issuer: Issuer): void;
};

export function createIssuers(journal: Journal<Issuer>, accounts: Journal<ServiceAccount>): Issuers {
  const unchanged = (issuerId: string): Issuer => ({ issuerId, name: "Sandbox issuer", isDemo: false });
  const ids = () => [...new Set([...accounts.values()].map(({ issuerId }) => issuerId))];
  const find = (issuerId: string) =>
    ids().includes(issuerId) ? (journal.get(issuerId) ?? unchanged(issuerId)) : undefined;
  return {
    find,
    all: () => ids().map((id) => journal.get(id) ?? unchanged(id)),
    put: (issuer) => journal.set(issuer.issuerId, issuer),
  };
}

/** As the API shows it. Google does not say there whether an issuer has publishing access. */
export const issuerResource = ({ issuerId, name }: Issuer): JsonObject => ({ issuerId, name });
