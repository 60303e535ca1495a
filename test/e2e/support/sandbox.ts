import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Passwright } from "./passwright.ts";
import { ask, type Reply } from "./requests.ts";

/** The root that stands in for Apple's and for the public certificate authorities. */
export function rootCertificate({ dataDir }: Passwright): string {
  const [found] = globSync("**/authority/root.pem", { cwd: dataDir });
  if (found === undefined) throw new Error("the sandbox keeps no root certificate");
  return join(dataDir, found);
}

export type StoredResource = { type: string; id: string; resource: Record<string, unknown> };

/** What the sandbox's Google Wallet holds. */
export async function googleState({ announced }: Passwright): Promise<{
  service_accounts: { client_email: string; issuer_id: string }[];
  classes: StoredResource[];
  objects: StoredResource[];
}> {
  return (await ask(`${announced.sandbox_url}/sandbox/google/state`)).json;
}

/** The public key, PEM, that Google holds for a service account. */
export function serviceAccountKey({ dataDir }: Passwright, clientEmail: string): string {
  const [journal] = globSync("**/google-accounts.jsonl", { cwd: dataDir });
  if (journal === undefined) throw new Error("the sandbox keeps no service accounts");
  const entries: [string, { publicKeyPem: string }][] = readFileSync(join(dataDir, journal), "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
  const key = entries.findLast(([email]) => email === clientEmail)?.[1].publicKeyPem;
  if (key === undefined) throw new Error(`there is no service account ${clientEmail}`);
  return key;
}

export type Receiver = { name: string; url: string };

export type Delivery = {
  at: string;
  body: string;
  headers: Record<string, string>;
  status: number;
  signatures: Record<"x_service_signature" | "standard_webhooks", { valid: boolean; reason: string | null }>;
};

/** A webhook receiver over https that knows the secret and judges what it gets. */
export async function createReceiver({ announced }: Passwright, secret: string): Promise<Receiver> {
  return (await ask(`${announced.sandbox_url}/receivers`, { body: { secret } })).json;
}

export async function deliveriesTo({ announced }: Passwright, { name }: Receiver): Promise<Delivery[]> {
  return (await ask(`${announced.sandbox_url}/receivers/${name}`)).json.deliveries;
}

/** Scripts what the receiver answers next. */
export function instruct({ announced }: Passwright, { name }: Receiver, respond: object): Promise<Reply> {
  return ask(`${announced.sandbox_url}/receivers/${name}`, { method: "PATCH", body: { respond } });
}
