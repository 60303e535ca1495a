import type { Test } from "tap";
import { routes } from "../../../src/http/routes.ts";
import { type Client, signIn } from "../support/client.ts";
import { createTenant } from "../support/operator.ts";
import type { Passwright } from "../support/passwright.ts";
import { childrenOf } from "../support/processes.ts";
import { ask, type Reply } from "../support/requests.ts";
import { accepted, type Estate, loyaltyCard, settle } from "./estate.ts";
import { type Call, type Operation, operations } from "./operations.ts";

export type Row = Operation & { name: string; method: string; path: string; idempotent: boolean };

/** The rows of the matrix, in the order of the table of routes; but for what only phones ask. */
export const rows: readonly Row[] = routes.flatMap(({ method, path, idempotent = false }) => {
  const name = `${method} ${path}`;
  const operation = operations[name];
  return operation === undefined || operation.needs === "device"
    ? []
    : [{ ...operation, name, method, path, idempotent }];
});
export const guardedRows = rows.filter(({ needs }) => needs !== "public");
export const openRows = rows.filter(({ needs }) => needs === "public");

export type Surroundings = Awaited<ReturnType<typeof takeIn>>;

/**
 * A tenant with two estates, and another one with nothing but a wallet. The worker holds still from now on, so that what
 * is queued stays queued and nothing changes by itself.
 */
export async function takeIn(t: Pick<Test, "teardown">, service: Passwright, masterKey: string) {
  const baseUrl = service.announced.base_url;
  const [ownersCredentials, strangersCredentials] = await Promise.all([
    createTenant(service, { name: "Owner", wallets: ["apple", "google"] }),
    createTenant(service, { name: "Stranger" }),
  ]);
  const [owner, stranger] = await Promise.all([
    signIn(baseUrl, ownersCredentials),
    signIn(baseUrl, strangersCredentials),
  ]);
  const settled = [
    await settle(service, owner, ownersCredentials),
    await settle(service, owner, ownersCredentials),
  ] as const;
  const worker = controlOf(t, service, / worker( |$)/);
  worker.hold();
  const withBatch = async (estate: (typeof settled)[number]): Promise<Estate> => {
    const operation = { type: "create", pass: loyaltyCard(estate.templateId) };
    const batch = await accepted(owner.post("/api/v1/batches", { operations: [operation] }));
    return { ...estate, spare: { ...estate.spare, batchId: batch.json.id } };
  };
  const [estate, secondEstate] = [await withBatch(settled[0]), await withBatch(settled[1])];
  return {
    service,
    baseUrl,
    masterKey,
    owner,
    stranger,
    ownersCredentials,
    strangersCredentials,
    systemTemplate: service.announced.template_id,
    /** For requests that are to fail: nothing of it changes until the last test. */
    estate,
    /** For those that succeed. */
    secondEstate,
    worker,
    redis: controlOf(t, service, /redis-server/),
  };
}

/** Lets a part of `up` hold still without ending it, and go on. */
function controlOf(t: Pick<Test, "teardown">, { pid }: Passwright, command: RegExp) {
  const part = childrenOf(pid).find((child) => command.test(child.command));
  if (part === undefined) throw new Error(`up has no ${command}`);
  const signal = (name: NodeJS.Signals) => () => void process.kill(part.pid, name);
  const [hold, release] = [signal("SIGSTOP"), signal("SIGCONT")];
  t.teardown(release);
  return { hold, release };
}

/** Asks as somebody, or as nobody at all. */
export function askAs(
  baseUrl: string,
  who: Pick<Client, "token"> | null,
  row: Pick<Row, "method">,
  { path, body, headers }: Call,
): Promise<Reply> {
  return ask(`${baseUrl}${path}`, {
    method: row.method,
    ...(body !== undefined && { body }),
    headers: { ...headers, ...(who !== null && { authorization: `Bearer ${who.token}` }) },
  });
}

/** All that the owner can read, as it is now. */
export async function everythingOf({
  baseUrl,
  owner,
  estate,
}: Surroundings): Promise<Record<string, string>> {
  const reads = guardedRows.filter(({ method }) => method === "GET");
  const found: Record<string, string> = {};
  for (const row of reads) {
    for (const call of [row.ask(estate), ...(row.naming ?? []).map((naming) => naming.ask(estate))]) {
      const reply = await askAs(baseUrl, owner, row, call);
      if (reply.status !== 200) throw new Error(`${call.path}: ${reply.status} ${reply.text}`);
      found[call.path] = reply.text;
    }
  }
  return found;
}
