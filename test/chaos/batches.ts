import { accept, ask, type Client, complain, creation, newData, newReference } from "./client.ts";
import { count, type LedgerPass, latestData, newPass } from "./ledger.ts";

type Operation = {
  body: Record<string, unknown>;
  /** The code of its refusal; null where it must succeed. */
  refusal: string | null;
  /** What it does to the ledger when it is carried out. */
  carryOut(): void;
};

/**
 * A batch of mixed operations on the client's own passes, watched to its end. The client does nothing else meanwhile, so
 * what each of its operations must come to is known beforehand.
 */
export async function runBatch(client: Client): Promise<void> {
  const { ledger, random, tally } = client;
  const plan = createPlan(client);
  const operations = Array.from({ length: 5 + random.below(26) }, () => plan.next());
  tally.operations += operations.length - 1;
  const body = { name: `of ${client.name}`, operations: operations.map((operation) => operation.body) };
  const answer = await ask(client, { method: "POST", path: "/api/v1/batches", body });
  if (answer.status === 402 && ledger.funds.mayRunShort) return;
  if (answer.status !== 202) return complain(client, "batch", answer);
  const { id, job_id: jobId } = answer.json;
  const batch = { jobId, end: null as "completed" | "cancelled" | null };
  ledger.batches.set(id, batch);
  accept(client, "batch", jobId);

  const isCancelled = random.chance(0.2) && (await cancel(client, id));
  if (!(await hasEnded(client, jobId))) {
    client.isStuck = true;
    return complain(client, "batch does not come to an end", answer);
  }
  const end = await ask(client, { method: "GET", path: `/api/v1/batches/${id}` });
  batch.end = isCancelled ? "cancelled" : "completed";
  if (end.json.status !== batch.end) return complain(client, `batch, should be ${batch.end}`, end);
  if (isCancelled) return;

  const refused = new Map<number, string>();
  for (const { index, error } of end.json.errors) refused.set(index, error);
  for (const [index, { refusal, body: wanted, carryOut }] of operations.entries()) {
    const found = refused.get(index) ?? null;
    if (found !== refusal) {
      const should = refusal ?? "be carried out";
      complain(
        client,
        `batch: operation ${index} ${JSON.stringify(wanted)} came to ${found}, should ${should}`,
        end,
      );
    }
    if (found === null) carryOut();
  }
  const succeeded = operations.filter(({ refusal }) => refusal === null).length;
  if (end.json.succeeded !== succeeded) complain(client, `batch with ${succeeded} to be carried out`, end);
  await learnIds(client, plan.created);
}

/** While others get on, so may the batch; when nobody has begun anything for long, and it has not ended, it is lost. */
async function hasEnded(client: Client, jobId: string): Promise<boolean> {
  while (performance.now() < client.tally.movedAt + 2 * client.patienceMs) {
    const job = await ask(client, { method: "GET", path: `/api/v1/jobs/${jobId}?wait=1` });
    if (["completed", "failed", "cancelled"].includes(job.json.status)) return true;
  }
  return false;
}

async function cancel(client: Client, id: string): Promise<boolean> {
  const answer = await ask(client, { method: "DELETE", path: `/api/v1/batches/${id}` });
  if (answer.status === 409 && answer.json.error === "invalid_state") return false;
  if (answer.status !== 202) complain(client, "cancelling a batch", answer);
  return answer.status === 202;
}

/** Passes that a batch made are found by their references. */
async function learnIds(client: Client, created: readonly LedgerPass[]): Promise<void> {
  for (const pass of created) {
    const found = await ask(client, { method: "GET", path: `/api/v1/passes?external_ref=${pass.ref}` });
    if (found.json.total !== 1) complain(client, `passes with the reference ${pass.ref}`, found);
    pass.id = found.json.data?.[0]?.id ?? null;
  }
}

/** Draws operations one after the other, each on what those before it will have left. */
function createPlan(client: Client) {
  const { random, ledger } = client;
  const created: LedgerPass[] = [];
  const doomed = new Set<LedgerPass>();
  const isRevoked = (pass: LedgerPass): boolean => pass.revoked !== null || doomed.has(pass);
  const touched = Array.from({ length: Math.min(client.own.length, 6) }, () => random.pick(client.own));

  function createNew(): Operation {
    const [ref, data] = [newReference(client), newData(client)];
    const pass = newPass(ref, null);
    created.push(pass);
    touched.push(pass);
    const carryOut = () => {
      pass.versions.set(1, { data, jobId: null });
      ledger.passes.set(ref, pass);
      client.own.push(pass);
      count(client.tally.accepted, "pass.created, by a batch");
    };
    return { body: { type: "create", pass: creation(client, ref, data).body }, refusal: null, carryOut };
  }

  function createTaken(pass: LedgerPass): Operation {
    const body = { type: "create", pass: creation(client, pass.ref, newData(client)).body };
    return { body, refusal: "duplicate_external_ref", carryOut() {} };
  }

  function update(pass: LedgerPass): Operation {
    const data = newData(client);
    const carryOut = () => {
      const merged = { ...latestData(pass), ...data };
      pass.versions.set(pass.versions.size + 1, { data: merged, jobId: null });
      count(client.tally.accepted, "pass.updated, by a batch");
    };
    const body = { type: "update", external_ref: pass.ref, data };
    return { body, refusal: isRevoked(pass) ? "invalid_state" : null, carryOut };
  }

  function revoke(pass: LedgerPass): Operation {
    const refusal = isRevoked(pass) ? "invalid_state" : null;
    doomed.add(pass);
    const carryOut = () => {
      pass.revoked = { jobId: null };
      count(client.tally.accepted, "pass.revoked, by a batch");
    };
    return { body: { type: "revoke", external_ref: pass.ref }, refusal, carryOut };
  }

  return {
    created,
    next(): Operation {
      const some = touched.length > 0 ? 1 : 0;
      const kind = random.weighted({
        createNew: 30,
        createTaken: 5 * some,
        update: 45 * some,
        revoke: 6 * some,
      });
      if (kind === "createNew") return createNew();
      const pass = random.pick(touched);
      if (kind === "createTaken") return createTaken(pass);
      return kind === "update" ? update(pass) : revoke(pass);
    },
  };
}
