import { createCaller } from "./definite-answers.ts";
import type { Installation } from "./installation.ts";
import type { Ledger } from "./ledger.ts";
import type { Receiver } from "./receiver.ts";

const everyEvent = [
  ...["pass.created", "pass.updated", "pass.revoked", "message.sent"],
  ...["job.completed", "job.failed", "batch.completed"],
];

type TenantWish = {
  name: string;
  mode: "prepaid" | "contract";
  credits: number;
  wallets: readonly ("apple" | "google")[];
};

/** Some are charged for each pass, one has a contract, and one will run out of credits. */
function wishes(operations: number): TenantWish[] {
  return [
    { name: "both-wallets", mode: "prepaid", credits: 10 * operations, wallets: ["apple", "google"] },
    { name: "google-only", mode: "prepaid", credits: 10 * operations, wallets: ["google"] },
    { name: "apple-contract", mode: "contract", credits: 10 * operations, wallets: ["apple"] },
    { name: "runs-short", mode: "prepaid", credits: Math.ceil(operations / 25), wallets: ["apple"] },
  ];
}

/** Takes the tenants in as an operator does, and registers their webhooks as they do. */
export function takeTenantsIn(
  installation: Installation,
  receiver: Receiver,
  operations: number,
): Promise<Ledger[]> {
  return Promise.all(wishes(operations).map((wish) => takeIn(installation, receiver, wish)));
}

async function takeIn(
  { cli, baseUrls }: Installation,
  receiver: Receiver,
  { name, mode, credits, wallets }: TenantWish,
): Promise<Ledger> {
  const funds = mode === "prepaid" ? "--credits" : "--contract-cap";
  const { id } = await cli("tenants", "create", "--name", name, funds, String(credits));
  const about = ["--tenant", id, "--name", "chaos", "--type", "backend"];
  const { id: applicationId, secret } = await cli("applications", "create", ...about);
  for (const wallet of wallets) await cli("providers", "set", wallet, "--tenant", id, "--sandbox");
  const credentials = { tenant_id: id, application_id: applicationId, application_secret: secret };
  const caller = createCaller(baseUrls, credentials);
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await caller.ask({ method, path, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.json;
  };

  const templates = await ask("GET", "/api/v1/templates?template_type=LoyaltyCard");
  const hooks = [receiver.open(name, everyEvent)];
  // A second one hears of a little, and a third refuses what it hears of: its deliveries must end as dead letters.
  if (mode === "contract") {
    hooks.push(receiver.open(`${name}-second`, ["message.sent", "batch.completed"]));
    hooks.push(receiver.open(`${name}-refusing`, ["batch.completed"], true));
  }
  for (const { url, secret: hookSecret, types: events } of hooks) {
    await ask("POST", "/api/v1/webhooks", { url, secret: hookSecret, events });
  }
  return {
    name,
    credentials,
    caller,
    templateId: templates.data[0].id,
    funds: { mode, credits, mayRunShort: name === "runs-short" },
    hooks,
    passes: new Map(),
    messages: new Map(),
    batches: new Map(),
  };
}
