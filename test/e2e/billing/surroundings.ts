import { writeFileSync } from "node:fs";
import { type Client, signIn } from "../support/client.ts";
import { createApplication, createTenant } from "../support/operator.ts";
import type { Passwright } from "../support/passwright.ts";

export const packages = [
  { id: "large", name: "10,000 passes", credits: 10_000, price: { amount: 39_000, currency: "EUR" } },
  { id: "a-1", name: "Ten", credits: 10, price: { amount: 100, currency: "USD" } },
  { id: "z".repeat(64), name: "Zed", credits: 1, price: { amount: 1_000, currency: "JPY" } },
];

export const plans = [
  {
    id: "monthly",
    name: "A hundred a month",
    monthly_passes: 100,
    interval: "month",
    price: { amount: 900, currency: "EUR" },
  },
  {
    id: "yearly",
    name: "A thousand a month",
    monthly_passes: 1000,
    interval: "year",
    price: { amount: 90_000, currency: "EUR" },
  },
];

export type Surroundings = {
  service: Passwright;
  baseUrl: string;
  /** Of a prepaid tenant with five credits, and of one with a contract. */
  client: Client;
  contractor: Client;
  /** Of the prepaid tenant too, without passes:write. */
  reader: Client;
};

export async function takeIn(service: Passwright): Promise<Surroundings> {
  const { base_url: baseUrl } = service.announced;
  const offered = async (what: string, list: object[]) => {
    const file = `${service.dataDir}-${what}.json`;
    writeFileSync(file, JSON.stringify(list));
    return (await service.cli(what, "set", file, "--json")).json();
  };
  const [prepaid, contract] = await Promise.all([
    createTenant(service, { name: "Prepaid", funds: ["--credits", "5"] }),
    createTenant(service, { name: "Contract", funds: ["--contract-cap", "5"] }),
    offered("packages", packages),
    offered("plans", plans),
  ]);
  const reporting = await createApplication(service, prepaid.tenant_id, "reporting");
  return {
    service,
    baseUrl,
    client: await signIn(baseUrl, prepaid),
    contractor: await signIn(baseUrl, contract),
    reader: await signIn(baseUrl, reporting),
  };
}
