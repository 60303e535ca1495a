import type { Answer } from "./caller.ts";
import { agree } from "./journal.ts";
import type { Verdict } from "./model.ts";
import { type Client, costs, creation, newData, newPatch, newRef, send } from "./own-passes.ts";
import { sharedPass, sharedRef } from "./shared-passes.ts";
import { mayBeShort, shortage } from "./tenant.ts";

type Operation = { ref: string; body: Record<string, unknown>; judge: (() => Verdict) | "shared" };

export type OpenBatch = {
  id: string;
  jobId: string;
  operations: Operation[];
  reserved: number;
  cancelled: boolean;
};

/** Begins a batch of mixed operations on the client's own passes, which are lent to it; null where it is refused. */
export async function beginBatch(client: Client): Promise<OpenBatch | null> {
  const { random, tenant } = client;
  const known = [...client.model.passes.keys()].filter((ref) => !client.lent.has(ref));
  const lent = Array.from({ length: Math.min(known.length, 8) }, () => random.pick(known));
  const refs = [...new Set([...lent, newRef(client), newRef(client), newRef(client), newRef(client)])];
  const operations = Array.from({ length: 5 + random.below(36) }, () =>
    operationOn(client, random.pick(refs)),
  );
  const reserved = operations.filter(({ body }) => body.type === "create").length;
  const about = [client.name, ...new Set(operations.map(({ ref }) => ref))];
  const body = { name: `of ${client.name}`, operations: operations.map((operation) => operation.body) };
  const key = random.chance(0.3) ? { key: `${client.name}:batch:${random.below(1e9)}` } : {};
  const request = { method: "POST", path: "/api/v1/batches", body, ...key };
  tenant.ledger.asked += reserved;
  const answers = await Promise.all(
    (random.chance(0.3) && "key" in key ? [1, 2] : [1]).map(() => send(client, about, request)),
  );
  tenant.ledger.asked -= reserved;
  const answer = answers.find(({ status }) => status === 202) ?? answers[0];
  if (answer === undefined) throw new Error("there is no answer");
  if (answer.status === 402) {
    agree(client.name, "the refusal", answer.json.error, shortage[tenant.ledger.mode]);
    agree(client.name, "that money is short", mayBeShort(tenant.ledger, reserved), true);
    return null;
  }
  agree(client.name, `the status of ${answer.text}`, answer.status, 202);
  if (answers.length > 1)
    agree(
      client.name,
      "the twins",
      answers.map(({ text }) => text),
      [answer.text, answer.text],
    );
  tenant.ledger.charged += reserved;
  for (const { ref } of operations) client.lent.add(ref);
  const { id, job_id: jobId } = answer.json;
  const cancelled = random.chance(0.25) && (await cancel(client, about, id));
  return { id, jobId, operations, reserved, cancelled };
}

async function cancel(client: Client, about: string[], id: string): Promise<boolean> {
  const answer = await send(client, about, { method: "DELETE", path: `/api/v1/batches/${id}` });
  if (answer.status === 409) agree(client.name, "the refusal", answer.json.error, "invalid_state");
  else agree(client.name, "the cancelled batch", [answer.status, answer.json.status], [202, "cancelled"]);
  return answer.status === 202;
}

function operationOn(client: Client, ref: string): Operation {
  const { random, model } = client;
  const pass = model.passes.get(ref);
  const name = pass?.id != null && random.chance(0.5) ? { pass_id: pass.id } : { external_ref: ref };
  const type = random.weighted({ create: pass === undefined ? 40 : 6, update: 40, revoke: 6, shared: 8 });
  switch (type) {
    case "create": {
      const made = pass?.versions[0]?.data;
      const { request, judge } = creation(
        client,
        ref,
        made !== undefined && random.chance(0.5) ? made : newData(client),
      );
      return { ref, body: { type, pass: request.body }, judge };
    }
    case "update": {
      const data = newPatch(client);
      return { ref, body: { type, ...name, data }, judge: () => model.patch(ref, data) };
    }
    case "revoke":
      return { ref, body: { type, ...name }, judge: () => model.revoke(ref) };
    case "shared": {
      const shared = sharedRef(client);
      const body = { type: "update", external_ref: shared, data: { name: `fine ${random.below(1000)}` } };
      return { ref: shared, body, judge: "shared" };
    }
  }
}

/** Waits for a batch's end, and compares it with what the model makes of its operations. */
export async function settleBatch(client: Client, batch: OpenBatch): Promise<void> {
  const { tenant, model } = client;
  const own = batch.operations.filter(({ judge }) => judge !== "shared");
  const about = [...new Set(batch.operations.map(({ ref }) => ref))];
  const read = (path: string): Promise<Answer> => send(client, about, { method: "GET", path });
  let job = await read(`/api/v1/jobs/${batch.jobId}?wait=20`);
  while (job.headers["retry-after"] !== undefined) job = await read(`/api/v1/jobs/${batch.jobId}?wait=20`);
  const { json } = await read(`/api/v1/batches/${batch.id}`);
  const end = batch.cancelled ? "cancelled" : "completed";
  tenant.batches.set(batch.id, end);
  tenant.ledger.charged -= batch.reserved;
  const total = batch.operations.length;
  agree(
    batch.id,
    "the job",
    [job.json.status, job.json.progress],
    [end, { done: batch.cancelled ? 0 : total, total }],
  );

  const failures = new Map<number, string>(
    json.errors.map(({ index, error }: { index: number; error: string }) => [index, error]),
  );
  const accepted = ["created", "repeated", "updated", "revoked"];
  const expected: [number, string][] = [];
  batch.operations.forEach(({ ref, judge }, index) => {
    if (batch.cancelled) return;
    const failure = failures.get(index);
    if (judge === "shared") {
      if (failure === undefined) sharedPass(tenant, ref).updates += 1;
      else expected.push([index, failure]);
      const outcomes = [undefined, "not_found", "invalid_state", shortage[tenant.ledger.mode]];
      agree(ref, "the outcome", outcomes.includes(failure), true);
      return;
    }
    const verdict = judge();
    const cost = costs(client, ref, verdict);
    if (verdict === "updated" && cost && failure === shortage[tenant.ledger.mode]) {
      agree(ref, "that money is short", mayBeShort(tenant.ledger, 1), true);
      model.takeBack(ref);
      expected.push([index, failure]);
      return;
    }
    if (cost) tenant.ledger.charged += 1;
    if (!accepted.includes(verdict)) expected.push([index, verdict]);
  });
  const { status, succeeded, failed } = json;
  const done = batch.cancelled ? 0 : total - expected.length;
  agree(
    about[0] ?? batch.id,
    `the batch ${batch.id}`,
    { status, total: json.total, succeeded, failed, errors: [...failures] },
    { status: end, total, succeeded: done, failed: expected.length, errors: expected },
  );
  for (const ref of new Set(own.map((operation) => operation.ref))) {
    const pass = model.passes.get(ref);
    if (pass !== undefined && pass.id === null) {
      const found = await read(`/api/v1/passes?external_ref=${ref}`);
      agree(ref, "how many passes bear it", found.json.total, 1);
      pass.id = found.json.data[0].id;
    }
    client.lent.delete(ref);
  }
}
