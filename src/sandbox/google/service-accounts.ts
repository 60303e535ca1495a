import { generateKeyPair, randomBytes, randomInt } from "node:crypto";
import { promisify } from "node:util";
import type { Journal } from "../journal.ts";

/** What the sandbox keeps of a service account: never its private key. */
export type ServiceAccount = {
  clientEmail: string;
  clientId: string;
  privateKeyId: string;
  publicKeyPem: string;
  issuerId: string;
  createdAt: string;
  /** What has befallen it since; absent: nothing. */
  standing?: Standing;
};

/** What Google's consoles can do to a service account, its key, its project and its place at the issuer. */
export type Standing = {
  account: "enabled" | "disabled" | "deleted";
  key: "valid" | "deleted";
  walletApi: "enabled" | "disabled";
  isIssuerUser: boolean;
};

export const goodStanding: Standing = {
  account: "enabled",
  key: "valid",
  walletApi: "enabled",
  isIssuerUser: true,
};

export const standingOf = ({ standing }: ServiceAccount): Standing => standing ?? goodStanding;

/** True where the account may act for the issuer. */
export const isUserOf = (account: ServiceAccount, issuerId: string): boolean =>
  account.issuerId === issuerId && standingOf(account).isIssuerUser;

/** The number that Google's errors call a project by. */
export const projectNumberOf = ({ clientId }: ServiceAccount): string => clientId.slice(0, 12);

/** The JSON key file that Google's console hands out. */
export type KeyFile = {
  type: "service_account";
  project_id: string;
  private_key_id: string;
  private_key: string;
  client_email: string;
  client_id: string;
  token_uri: string;
};

/** Makes a service account that may act for `issuerId`. Several may act for one issuer. */
export async function createServiceAccount(
  accounts: Journal<ServiceAccount>,
  wanted: { issuerId: string; tokenUrl: string; nowMs: number },
): Promise<KeyFile> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: 2048 });
  const projectId = `passwright-sandbox-${randomBytes(3).toString("hex")}`;
  const account: ServiceAccount = {
    clientEmail: `wallet@${projectId}.iam.gserviceaccount.com`,
    clientId: digits(21),
    privateKeyId: randomBytes(20).toString("hex"),
    publicKeyPem: publicKey.export({ type: "spki", format: "pem" }).toString(),
    issuerId: wanted.issuerId,
    createdAt: new Date(wanted.nowMs).toISOString(),
  };
  accounts.set(account.clientEmail, account);
  return {
    type: "service_account",
    project_id: projectId,
    private_key_id: account.privateKeyId,
    private_key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    client_email: account.clientEmail,
    client_id: account.clientId,
    token_uri: wanted.tokenUrl,
  };
}

/** An issuer id like Google's: 19 digits, beginning with 338. */
export const newIssuerId = (): string => `338${digits(16)}`;

function digits(count: number): string {
  const rest = Array.from({ length: count - 1 }, () => randomInt(10)).join("");
  return `${1 + randomInt(9)}${rest}`;
}
