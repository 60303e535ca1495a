import { type Answer, type Caller, listAll } from "./caller.ts";
import { agree } from "./journal.ts";
import { type ModelPass, newest } from "./model.ts";
import { type Client, expectedStatus } from "./own-passes.ts";
import type { SharedPass } from "./shared-passes.ts";
import type { ModelTenant } from "./tenant.ts";
import { fateOf, fates, type Wallets } from "./wallets.ts";

const finalStatuses = ["active", "partial", "failed", "revoked"];
const openStatuses = ["pending", "updating", "revoking"];

/** Compares all that a tenant's lists and reads say with the model. Answers how much that was. */
export async function verifyTenant(tenant: ModelTenant, clients: readonly Client[], wallets: Wallets) {
  const own = clients.flatMap(({ model }) => [...model.passes.values()]);
  const shared = [...tenant.shared.values()].filter(({ creations }) => creations > 0);
  const statuses = new Map<string, string>();
  const jobs = new Map<string, "completed" | "failed" | "ended">();
  await eightAtATime(own, async (pass) => {
    const { status, jobIds, latest } = await verifyPass(tenant.ask, pass, wallets);
    statuses.set(pass.id ?? "", status);
    for (const id of jobIds) jobs.set(id, "ended");
    jobs.set(latest, ["active", "revoked"].includes(status) ? "completed" : "failed");
  });
  await eightAtATime(shared, async (pass) => {
    const { status, jobIds, latest } = await verifyShared(tenant.ask, pass);
    statuses.set(pass.id ?? "", status);
    for (const id of [...jobIds, latest]) jobs.set(id, "ended");
  });
  await eightAtATime([...jobs], ([id, end]) => verifyJob(tenant.ask, id, end));
  await verifyLists(tenant, statuses);
  const active = (pass: { id: string | null }): boolean => statuses.get(pass.id ?? "") === "active";
  for (const template of tenant.templates) {
    const ofIt = own.filter((pass) => pass.template === template && active(pass)).length;
    const ofAll = template === tenant.templates[0] ? ofIt + shared.filter(active).length : ofIt;
    await verifyReach(tenant, template, ofAll);
  }
  await verifyBatches(tenant);
  return {
    passes: statuses.size,
    jobs: jobs.size,
    batches: tenant.batches.size,
    statuses: [...statuses.values()],
  };
}

/** The pass once its latest operation has ended, with its versions, newest first. */
async function settled(
  ask: Caller,
  id: string,
): Promise<{ pass: Answer["json"]; versions: Answer["json"][] }> {
  for (;;) {
    const pass = await get(ask, `/api/v1/passes/${id}`);
    const job = await get(ask, `/api/v1/jobs/${pass.json.job_id}?wait=20`);
    if (job.headers["retry-after"] !== undefined) continue;
    const [after, versions] = await Promise.all([
      get(ask, `/api/v1/passes/${id}`),
      listAll(ask, `/api/v1/passes/${id}/versions`),
    ]);
    agree(after.json.external_ref, "the number of versions", versions.total, after.json.version);
    const numbers = versions.items.map(({ version }) => version);
    agree(
      after.json.external_ref,
      "the versions",
      numbers,
      numbers.map((_, i) => numbers.length - i),
    );
    return { pass: after.json, versions: versions.items };
  }
}

async function verifyPass(ask: Caller, pass: ModelPass, wallets: Wallets) {
  const { ref } = pass;
  if (pass.id === null) throw new Error(`${ref} has no id`);
  const found = await settled(ask, pass.id);
  const { external_ref, template_id, data, version, status, providers } = found.pass;
  agree(
    ref,
    "the pass",
    { external_ref, template_id, data, version, status },
    {
      ...{
        external_ref: ref,
        template_id: pass.template,
        data: newest(pass).data,
        version: pass.versions.length,
        status: expectedStatus(pass),
      },
    },
  );
  const kept = found.versions.toReversed().map(({ change, data, job_id }, i) => ({
    ...{ change, data, job_id: pass.versions[i]?.jobId === null ? null : job_id },
  }));
  agree(
    ref,
    "the history",
    kept,
    pass.versions.map(({ change, data, jobId }) => ({ change, data, job_id: jobId })),
  );
  for (const wallet of ["apple", "google"] as const) {
    const refuses = (fates[fateOf(newest(pass).data)] as readonly string[]).includes(wallet);
    const end = pass.revoked ? "revoked" : refuses ? "failed" : "completed";
    agree(ref, `${wallet}'s part`, providers[wallet].status, end);
    if (end === "failed") agree(ref, `${wallet}'s error`, typeof providers[wallet].error.error, "string");
    else {
      const held = { data: newest(pass).data, voided: pass.revoked };
      const { revision: _, ...holds } = { revision: 0, ...wallets.holds(wallet, pass.id) };
      agree(ref, `what ${wallet} holds`, holds, held);
    }
  }
  const jobIds: string[] = found.versions.map(({ job_id }) => job_id);
  return { status: status as string, jobIds, latest: found.pass.job_id as string };
}

async function verifyShared(ask: Caller, pass: SharedPass) {
  const { ref } = pass;
  const listed = await get(ask, `/api/v1/passes?external_ref=${ref}`);
  agree(ref, "how many passes bear it", [listed.json.total, pass.creations], [1, 1]);
  pass.id ??= listed.json.data[0].id as string;
  const { pass: found, versions } = await settled(ask, pass.id);
  agree(ref, "the version", found.version, 1 + pass.updates);
  agree(
    ref,
    "how often it was revoked",
    [found.status === "revoked", pass.revocations],
    [pass.revocations > 0, Math.min(pass.revocations, 1)],
  );
  for (const { version, job_id } of versions) {
    if (pass.jobs.has(version)) agree(ref, `the job of version ${version}`, job_id, pass.jobs.get(version));
  }
  agree(ref, `that ${found.status} is an end`, finalStatuses.includes(found.status), true);
  return {
    status: found.status as string,
    jobIds: versions.map(({ job_id }) => job_id as string),
    latest: found.job_id,
  };
}

async function verifyJob(ask: Caller, id: string, end: "completed" | "failed" | "ended"): Promise<void> {
  const { json } = await get(ask, `/api/v1/jobs/${id}`);
  agree(
    id,
    `that job ${id}, being ${json.status}, has ended`,
    ["completed", "failed"].includes(json.status),
    true,
  );
  if (end !== "ended") agree(json.resource.id, `the job ${id}`, json.status, end);
  const { done, total } = json.progress;
  agree(
    id,
    "its progress",
    json.status === "completed" ? done : done < total,
    json.status === "completed" ? total : true,
  );
}

/** The lists by status hold each pass once, where its own read says that it is. */
async function verifyLists(tenant: ModelTenant, statuses: Map<string, string>): Promise<void> {
  for (const status of [...finalStatuses, ...openStatuses]) {
    const { items, total } = await listAll(tenant.ask, `/api/v1/passes?status=${status}`);
    const wanted = [...statuses].filter(([, found]) => found === status).map(([id]) => id);
    agree(tenant.name, `the total of ${status}`, total, wanted.length);
    agree(tenant.name, `the list of ${status}`, items.map(({ id }) => id).sort(), wanted.sort());
    const instants: string[] = items.map(({ created_at }) => created_at);
    agree(tenant.name, `the order of ${status}`, instants, instants.toSorted().reverse());
  }
  const { total } = await listAll(tenant.ask, "/api/v1/passes");
  agree(tenant.name, "the number of all passes", total, statuses.size);
}

/** A broadcast counts the active passes of its template. */
async function verifyReach({ name, ask }: ModelTenant, template: string, active: number): Promise<void> {
  const body = { template_id: template, header: "Hello", body: "Everybody" };
  const { json } = await ask({ method: "POST", path: "/api/v1/messages", body });
  agree(name, `the reach of a message to ${template}`, json.affected_passes, active);
}

async function verifyBatches(tenant: ModelTenant): Promise<void> {
  const all = await listAll(tenant.ask, "/api/v1/batches");
  agree(tenant.name, "the number of batches", all.total, tenant.batches.size);
  for (const status of ["queued", "processing", "completed", "cancelled"]) {
    const { items } = await listAll(tenant.ask, `/api/v1/batches?status=${status}`);
    const wanted = [...tenant.batches].filter(([, end]) => end === status).map(([id]) => id);
    agree(tenant.name, `the batches ${status}`, items.map(({ id }) => id).sort(), wanted.sort());
  }
  await eightAtATime(all.items, async (listed) => {
    agree(listed.id, "the batch", (await get(tenant.ask, `/api/v1/batches/${listed.id}`)).json, listed);
  });
}

/**
 * How many of a tenant's passes are paid for, by the store's own record of each. A pass that some wallet has is; one that
 * failed and that no wallet ever had is not.
 */
export async function paidPasses(tenant: ModelTenant, isPaid: (id: string) => Promise<boolean>) {
  const { items } = await listAll(tenant.ask, "/api/v1/passes");
  let paid = 0;
  await eightAtATime(items, async ({ id, external_ref, status, providers }) => {
    const charged = await isPaid(id);
    if (charged) paid += 1;
    const links = Object.values<{ save_link?: string }>(providers).filter(({ save_link }) => save_link);
    if (status === "active" || status === "partial") agree(external_ref, "that it is paid", charged, true);
    if (status === "failed") agree(external_ref, "that it is paid", charged, links.length > 0);
  });
  return paid;
}

export async function get(ask: Caller, path: string): Promise<Answer> {
  const answer = await ask({ method: "GET", path });
  if (answer.status !== 200) throw new Error(`GET ${path}: ${answer.status} ${answer.text}`);
  return answer;
}

async function eightAtATime<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
