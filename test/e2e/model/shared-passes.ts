import type { Request } from "./caller.ts";
import { agree, Divergence } from "./journal.ts";
import { type Client, creation, newData, newPatch, send } from "./own-passes.ts";
import { type ModelTenant, mayBeShort, shortage } from "./tenant.ts";

/** A pass that all clients of a tenant change at the same time. What comes first is open; what was answered holds. */
export type SharedPass = {
  ref: string;
  id: string | null;
  creations: number;
  updates: number;
  revocations: number;
  /** Versions that were answered, with their jobs. */
  jobs: Map<number, string>;
  /** When (by the journal) it was known to exist, and to be revoked. */
  existsSince: number | null;
  revokedSince: number | null;
};

const refsPerTenant = 12;

export function sharedPass(tenant: ModelTenant, ref: string): SharedPass {
  const known = tenant.shared.get(ref);
  if (known !== undefined) return known;
  const made: SharedPass = {
    ...{ ref, id: null, creations: 0, updates: 0, revocations: 0 },
    ...{ jobs: new Map(), existsSince: null, revokedSince: null },
  };
  tenant.shared.set(ref, made);
  return made;
}

export function sharedRef(client: Client): string {
  return `${client.tenant.name}-shared-${client.random.below(refsPerTenant)}`;
}

export async function touchSharedPass(client: Client): Promise<void> {
  const { random, tenant } = client;
  const pass = sharedPass(tenant, sharedRef(client));
  const { ref } = pass;
  const path = `/api/v1/passes/by-external-ref/${ref}`;
  const create = creation(client, ref, { name: `fine ${ref}` }).request;
  const act = random.weighted({
    post: 20,
    put: 25,
    patch: 40,
    keyedPatch: 13,
    revoke: pass.id === null ? 0 : 2,
  });
  switch (act) {
    case "post":
      return judged(client, pass, create);
    case "put":
      return judged(client, pass, {
        ...create,
        method: "PUT",
        path,
        body: { ...create.body, data: validData(client) },
      });
    case "patch":
      return judged(client, pass, { method: "PATCH", path, body: { data: newPatch(client) } });
    case "revoke":
      return judged(client, pass, { method: "DELETE", path: `/api/v1/passes/${pass.id}` });
    case "keyedPatch": {
      // The key says what the body is, so that whoever uses it asks for the same.
      const number = Math.floor(tenant.journal.now() / 40);
      const body = { data: { name: `fine ${number}` } };
      return judged(client, pass, { method: "PATCH", path, body, key: `${ref}:${number}` });
    }
  }
}

function validData(client: Client) {
  for (;;) {
    const data = newData(client);
    if (data.name !== undefined && data.hue === undefined && (data.points ?? "").length <= 6) return data;
  }
}

async function judged(client: Client, pass: SharedPass, request: Request): Promise<void> {
  const { tenant } = client;
  const { journal, ledger } = tenant;
  const [startedAt, versionBefore] = [journal.now(), Math.max(0, ...pass.jobs.keys())];
  const creates = request.method === "POST" || request.method === "PUT";
  if (creates) ledger.asked += 1;
  const answer = await send(client, [pass.ref], request);
  if (creates) ledger.asked -= 1;
  const { status, json } = answer;
  const fail = (what: string): never => {
    throw new Divergence(pass.ref, `${pass.ref}: ${what}: ${status} ${answer.text}`);
  };
  if (request.key !== undefined && status === 202) {
    const kept = tenant.sharedKeys.get(request.key) ?? { text: answer.text, first: 0 };
    if (answer.headers["idempotent-replayed"] === undefined) kept.first += 1;
    tenant.sharedKeys.set(request.key, kept);
    agree(pass.ref, "the answer under a shared key", answer.text, kept.text);
    if (kept.first > 1) fail("a key was carried out twice");
  }
  if (answer.headers["idempotent-replayed"] === "true") {
    if (request.method === "POST" && wasRevoked(pass, startedAt)) fail("a revoked pass was answered for");
    return;
  }
  switch (status) {
    case 202:
      if (wasRevoked(pass, startedAt)) fail("a revoked pass was changed");
      pass.existsSince ??= journal.now();
      pass.id ??= json.id;
      agree(pass.ref, "the id", json.id, pass.id);
      if (request.method === "DELETE") {
        pass.revocations += 1;
        pass.revokedSince = journal.now();
        return;
      }
      if (json.version <= versionBefore) fail(`version ${versionBefore} was answered before`);
      if (pass.jobs.has(json.version)) fail("a version was answered twice");
      pass.jobs.set(json.version, json.job_id);
      if (json.version > 1) pass.updates += 1;
      else {
        pass.creations += 1;
        ledger.charged += 1;
      }
      return;
    case 400:
      return agree(pass.ref, "the refusal", [request.method, json.error], ["PATCH", "invalid_request"]);
    case 402:
      agree(pass.ref, "the refusal", json.error, shortage[ledger.mode]);
      if (!mayBeShort(ledger, 1)) fail("refused though there is money");
      return;
    case 404:
      if (pass.existsSince !== null && pass.existsSince <= startedAt) fail("not found though it exists");
      return;
    case 409:
      if (request.method === "POST" && json.error === "duplicate_external_ref") return;
      agree(pass.ref, "the conflict", json.error, "invalid_state");
      return;
    default:
      fail("unexpected");
  }
}

function wasRevoked({ revokedSince }: SharedPass, startedAt: number): boolean {
  return revokedSince !== null && revokedSince <= startedAt;
}
