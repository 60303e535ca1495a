import type { Random } from "../e2e/model/random.ts";
import { runBatch } from "./batches.ts";
import type { Definite } from "./definite-answers.ts";
import {
  count,
  type Data,
  type Ledger,
  type LedgerPass,
  latestData,
  newPass,
  sameData,
  type Tally,
} from "./ledger.ts";

type Request = Parameters<Ledger["caller"]["ask"]>[0];

/** One of several callers of a tenant, who ask one thing after the other. Its passes are its own, but for the shared. */
export type Client = {
  name: string;
  ledger: Ledger;
  tally: Tally;
  random: Random;
  own: LedgerPass[];
  /** The latest mutation that was accepted, and its answer. */
  last: { request: Request; text: string } | null;
  references: number;
  keys: number;
  /** Something of its own never ended, so it does not know any more what to expect. */
  isStuck: boolean;
  /** How long something may take, without anything else to wait for, before it counts as lost, ms. */
  patienceMs: number;
  /** Told of each job that was accepted. */
  onJob(jobId: string): void;
};

/** Carries one random operation out, and writes down what came of it. */
export async function operate(client: Client): Promise<void> {
  const { random, own, tally } = client;
  const living = own.filter(({ revoked, id }) => revoked === null && id !== null);
  const revoked = own.filter(({ revoked }) => revoked !== null);
  const some = living.length > 0 ? 1 : 0;
  const act = random.weighted({
    ...{ create: 20, putNew: 3, batch: 1, broadcast: 0.05, shared: 4 },
    ...{ patch: 34 * some, put: 6 * some, revoke: 5 * some, message: 4 * some, read: 15 * some },
    ...{ takenReference: 2 * some, patchRevoked: revoked.length > 0 ? 3 : 0 },
    repeat: client.last === null ? 0 : 8,
  });
  tally.operations += 1;
  tally.movedAt = performance.now();
  switch (act) {
    case "create":
      return create(client, "POST");
    case "putNew":
      return create(client, "PUT");
    case "patch":
    case "put":
      return update(client, random.pick(living), act);
    case "shared":
      return update(client, sharedPass(client), "patch");
    case "revoke":
      return revoke(client, random.pick(living));
    case "message":
      return send(client, { pass_id: random.pick(living).id });
    case "broadcast":
      return send(client, { template_id: client.ledger.templateId });
    case "read":
      return read(client, random.pick(living));
    case "takenReference":
      return refused(
        client,
        creation(client, random.pick(living).ref, newData(client)),
        "duplicate_external_ref",
      );
    case "patchRevoked":
      return refused(client, patchOf(client, random.pick(revoked), newData(client)), "invalid_state");
    case "repeat":
      return repeat(client);
    case "batch":
      return runBatch(client);
  }
}

/** Asks until there is a definite answer. A mutation gets a key of its own, unless it has one. */
export async function ask(client: Client, request: Request): Promise<Definite> {
  client.keys += 1;
  const key = request.key ?? `${client.name}:${client.keys}`;
  const answer = await client.ledger.caller.ask(request.method === "GET" ? request : { ...request, key });
  if (answer.tries > 1) client.tally.repeated += 1;
  if (request.method !== "GET" && answer.status === 202) {
    client.last = { request: { ...request, key }, text: answer.text };
  }
  return answer;
}

export function complain(client: Client, what: string, answer: { status: number; text: string }): void {
  client.tally.complaints.push(`${client.name}: ${what}: ${answer.status} ${answer.text.slice(0, 300)}`);
}

/** Tells the ledger of a 202, whatever it is for. */
export function accept(client: Client, kind: string, jobId: string): void {
  count(client.tally.accepted, kind);
  client.onJob(jobId);
}

export function newReference(client: Client): string {
  client.references += 1;
  return `${client.name}-${client.references}`;
}

export function newData({ random }: Client): Data {
  const points = String(random.below(100_000));
  return {
    member: `Member ${random.below(1000)}`,
    points,
    ...(random.chance(0.5) && { tier: `Tier ${random.below(9)}` }),
  };
}

export function creation({ ledger }: Client, ref: string, data: Data): Request {
  const body = { template_id: ledger.templateId, intent: "loyalty_card", external_ref: ref, data };
  return { method: "POST", path: "/api/v1/passes", body };
}

async function create(client: Client, method: "POST" | "PUT"): Promise<void> {
  const [ref, data] = [newReference(client), newData(client)];
  const post = creation(client, ref, data);
  const request =
    method === "POST" ? post : { ...post, method, path: `/api/v1/passes/by-external-ref/${ref}` };
  const answer = await ask(client, request);
  if (answer.status === 402 && client.ledger.funds.mayRunShort) return;
  if (answer.status !== 202) return complain(client, `${method} of ${ref}`, answer);
  const pass = newPass(ref, answer.json.id);
  if (answer.json.version !== 1 || !sameData(answer.json.data, data))
    complain(client, `creation of ${ref}`, answer);
  pass.versions.set(1, { data, jobId: answer.json.job_id });
  client.ledger.passes.set(ref, pass);
  client.own.push(pass);
  accept(client, "pass.created", answer.json.job_id);
}

function patchOf(client: Client, { id, ref }: LedgerPass, data: object): Request {
  const path = client.random.chance(0.5) ? `/api/v1/passes/${id}` : `/api/v1/passes/by-external-ref/${ref}`;
  return { method: "PATCH", path, body: { data } };
}

async function update(client: Client, pass: LedgerPass, how: "patch" | "put"): Promise<void> {
  const data = newData(client);
  const put = {
    ...creation(client, pass.ref, data),
    method: "PUT",
    path: `/api/v1/passes/by-external-ref/${pass.ref}`,
  };
  const patch = { method: "PATCH", path: `/api/v1/passes/by-external-ref/${pass.ref}`, body: { data } };
  const wanted = how === "put" ? data : { ...latestData(pass), ...data };
  const answer = await ask(client, how === "put" ? put : pass.shared ? patch : patchOf(client, pass, data));
  if (answer.status !== 202) return complain(client, `${how} of ${pass.ref}`, answer);
  const { version, data: answered, job_id: jobId } = answer.json;
  if (pass.versions.has(version))
    complain(client, `version ${version} of ${pass.ref} was there already`, answer);
  if (!pass.shared && version !== pass.versions.size + 1)
    complain(client, `next version of ${pass.ref}`, answer);
  if (!sameData(answered, pass.shared ? { ...answered, ...data } : wanted)) {
    complain(client, `data of ${pass.ref}, should be ${JSON.stringify(wanted)}`, answer);
  }
  pass.versions.set(version, { data: answered, jobId });
  accept(client, "pass.updated", jobId);
}

async function revoke(client: Client, pass: LedgerPass): Promise<void> {
  const answer = await ask(client, { method: "DELETE", path: `/api/v1/passes/${pass.id}` });
  if (answer.status !== 202) return complain(client, `revocation of ${pass.ref}`, answer);
  pass.revoked = { jobId: answer.json.job_id };
  accept(client, "pass.revoked", answer.json.job_id);
}

async function send(client: Client, subject: object): Promise<void> {
  const body = { ...subject, header: "Hello", body: `Number ${client.keys}` };
  const answer = await ask(client, { method: "POST", path: "/api/v1/messages", body });
  if (answer.status !== 202) return complain(client, `message to ${JSON.stringify(subject)}`, answer);
  client.ledger.messages.set(answer.json.id, { jobId: answer.json.job_id });
  accept(client, "message.sent", answer.json.job_id);
}

async function read(client: Client, pass: LedgerPass): Promise<void> {
  const answer = await ask(client, { method: "GET", path: `/api/v1/passes/${pass.id}` });
  const { version, data } = answer.json;
  if (answer.status !== 200 || version !== pass.versions.size || !sameData(data, latestData(pass))) {
    complain(client, `${pass.ref} at version ${pass.versions.size} reads`, answer);
  }
}

async function refused(client: Client, request: Request, error: string): Promise<void> {
  const answer = await ask(client, request);
  if (answer.status !== 409 || answer.json.error !== error) complain(client, `refusal ${error}`, answer);
}

/** What was accepted is sent once more: the same answer, and nothing is done. */
async function repeat(client: Client): Promise<void> {
  const { last } = client;
  if (last === null) return;
  const answer = await ask(client, last.request);
  if (answer.text !== last.text || answer.headers["idempotent-replayed"] !== "true") {
    complain(
      client,
      `repeat of ${last.request.method} ${last.request.path}, first answered ${last.text}`,
      answer,
    );
  }
}

function sharedPass(client: Client): LedgerPass {
  const shared = [...client.ledger.passes.values()].filter((pass) => pass.shared);
  return client.random.pick(shared);
}

/** The pass that all clients of a tenant change at once. */
export async function createShared(client: Client): Promise<void> {
  await create(client, "POST");
  const pass = client.own.pop();
  if (pass !== undefined) pass.shared = true;
}
