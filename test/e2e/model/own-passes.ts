import type { Answer, Request } from "./caller.ts";
import { agree } from "./journal.ts";
import { createModel, type Data, type ModelPass, newest, type Patch, type Verdict } from "./model.ts";
import type { Random } from "./random.ts";
import { type ModelTenant, mayBeShort, shortage } from "./tenant.ts";
import { type Fate, fateOf, fates } from "./wallets.ts";

/** One of several callers at once. Its passes are its own, so each of its answers is known beforehand. */
export type Client = ReturnType<typeof createClient>;

export function createClient(name: string, tenant: ModelTenant, random: Random) {
  return {
    name,
    tenant,
    random,
    model: createModel(),
    /** Passes that a batch works on: they are left alone until it has ended. */
    lent: new Set<string>(),
    keyed: [] as { about: string; request: Request; text: string }[],
    count: 0,
  };
}

const statusOf: Record<string, number> = {
  ...{ created: 202, repeated: 202, updated: 202, revoked: 202 },
  ...{ invalid_request: 400, not_found: 404, invalid_state: 409, duplicate_external_ref: 409 },
};

export async function send(client: Client, about: readonly string[], request: Request): Promise<Answer> {
  const answer = await client.tenant.ask(request);
  client.tenant.journal.note(client.name, about, { request, answer });
  return answer;
}

/** One request about a pass of the client's own, and its answer compared. */
export async function touchOwnPass(client: Client): Promise<void> {
  const { random, model } = client;
  const act = random.weighted({
    ...{ create: 22, createAgain: 6, patch: 28, put: 10, putNew: 4, revoke: 6, read: 6, misfit: 5 },
    repeat: client.keyed.length > 0 ? 8 : 0,
  });
  if (act === "repeat") return repeatKeyed(client);
  if (act === "misfit") return askMisfit(client);
  const known = [...model.passes.keys()].filter((ref) => !client.lent.has(ref));
  const ref =
    act === "create" || act === "putNew" || known.length === 0 ? newRef(client) : random.pick(known);
  const pass = model.passes.get(ref);
  switch (act) {
    case "create":
      return change(client, ref, creation(client, ref, newData(client)));
    case "createAgain": {
      const made = pass?.versions[0]?.data;
      const data = made !== undefined && random.chance(0.6) ? shuffled(made) : newData(client);
      return change(client, ref, creation(client, ref, data));
    }
    case "put":
    case "putNew": {
      const data = newData(client);
      const template = random.pick(client.tenant.templates);
      const body = { ...creation(client, ref, data).request.body, template_id: template };
      const request = { method: "PUT", path: `/api/v1/passes/by-external-ref/${ref}`, body };
      return change(client, ref, { request, judge: () => model.put(ref, data, template) });
    }
    case "patch": {
      const data = newPatch(client);
      const path =
        pass?.id != null && random.chance(0.5)
          ? `/api/v1/passes/${pass.id}`
          : `/api/v1/passes/by-external-ref/${ref}`;
      const request = { method: "PATCH", path, body: { data } };
      return change(client, ref, { request, judge: () => model.patch(ref, data) });
    }
    case "revoke": {
      const request = { method: "DELETE", path: `/api/v1/passes/${pass?.id ?? crypto.randomUUID()}` };
      return change(client, ref, { request, judge: () => model.revoke(ref) });
    }
    case "read":
      return pass?.id == null ? undefined : readPass(client, pass);
  }
}

export function newRef(client: Client): string {
  client.count += 1;
  return `${client.name}-${client.count}`;
}

export function newData(client: Client): Data {
  const { random } = client;
  const fate = random.weighted<Fate>({
    ...{ fine: 80, apple_refuses: 4, google_refuses: 4, busy: 7, google_is_away: 1 },
    // Where money is counted to the last credit, none comes back on its own.
    both_refuse: client.tenant.name === "poor" ? 0 : 4,
  });
  const name = `${fate} ${random.below(1000)}`;
  if (random.chance(0.04))
    return random.pick([{ points: "1" }, { name, points: "1234567" }, { name, hue: "red" }]);
  return random.chance(0.5) ? { name } : { name, points: String(random.below(1000)) };
}

export function newPatch(client: Client): Patch {
  const { random } = client;
  if (random.chance(0.1)) return {};
  if (random.chance(0.15)) return { points: null };
  if (random.chance(0.04)) return { name: null };
  return newData(client);
}

type Change = { request: Request; judge(): Verdict };

export function creation(client: Client, ref: string, data: Data) {
  const [template] = client.tenant.templates;
  const body = {
    template_id: template,
    intent: "loyalty_card",
    external_ref: ref,
    data,
  };
  const judge = (): Verdict => client.model.create(ref, data, template);
  return { request: { method: "POST", path: "/api/v1/passes", body }, judge };
}

/** Some requests bear a key, and some of these are sent twice at the same moment. */
async function change(client: Client, ref: string, { request, judge }: Change): Promise<void> {
  const { random, tenant } = client;
  const keyed = random.chance(0.3)
    ? { ...request, key: `${client.name}:${tenant.journal.now()}:${random.below(1e9)}` }
    : request;
  const twice = keyed !== request && random.chance(0.25);
  const verdict = judge();
  if (verdict === "created") tenant.ledger.asked += 1;
  const answers = await Promise.all((twice ? [1, 2] : [1]).map(() => send(client, [ref], keyed)));
  if (verdict === "created") tenant.ledger.asked -= 1;
  const answer = answers.find(({ status }) => status === 202) ?? answers[0];
  if (answer === undefined) throw new Error("there is no answer");
  compare(client, ref, verdict, answer);
  if (answer.status !== 202 || keyed === request) return;
  client.keyed.push({ about: ref, request: keyed, text: answer.text });
  if (!twice) return;
  agree(
    ref,
    "the twin's answer",
    answers.map(({ text }) => text),
    [answer.text, answer.text],
  );
  const replayed = answers.filter(({ headers }) => headers["idempotent-replayed"] === "true");
  agree(ref, "how many of two were carried out", 2 - replayed.length, verdict === "repeated" ? 0 : 1);
}

function compare(client: Client, ref: string, verdict: Verdict, answer: Answer): void {
  const { tenant, model } = client;
  if (answer.status === 402) {
    agree(ref, "the refusal", answer.json.error, shortage[tenant.ledger.mode]);
    agree(ref, "that money is short", mayBeShort(tenant.ledger, 1), true);
    agree(ref, "that it costs something", costs(client, ref, verdict), true);
    model.takeBack(ref);
    return;
  }
  agree(ref, `the status of ${answer.text}`, answer.status, statusOf[verdict]);
  if (answer.status !== 202) {
    agree(ref, "the error", answer.json.error, verdict);
    return;
  }
  const pass = model.passes.get(ref);
  if (pass === undefined) throw new Error(`the model lost ${ref}`);
  if (verdict === "repeated") {
    agree(ref, "the mark of a repeat", answer.headers["idempotent-replayed"], "true");
    if (pass.first !== null) agree(ref, "the repeated answer", answer.json, pass.first);
    pass.first = answer.json;
    return;
  }
  if (costs(client, ref, verdict)) tenant.ledger.charged += 1;
  if (verdict === "created") pass.first = answer.json;
  pass.id ??= answer.json.id;
  if (verdict !== "revoked") newest(pass).jobId = answer.json.job_id;
  const { id, external_ref, status, version, data } = answer.json;
  agree(
    ref,
    "the answer",
    { id, external_ref, status, version, data },
    {
      ...{ id: pass.id, external_ref: ref, version: pass.versions.length, data: newest(pass).data },
      status: { created: "pending", updated: "updating", revoked: "revoking" }[verdict as "created"],
    },
  );
}

/** A creation does; and so may an update, of a pass that failed everywhere and gave its credit back. */
export function costs({ model }: Client, ref: string, verdict: Verdict): boolean {
  const before = model.passes.get(ref)?.versions.slice(0, -1) ?? [];
  const mayHaveFailed = before.some(({ data }) => fates[fateOf(data)].length === 2);
  return verdict === "created" || (verdict === "updated" && mayHaveFailed);
}

/** An earlier request once more, as it was or with another body under its key. */
async function repeatKeyed(client: Client): Promise<void> {
  const { about, request, text } = client.random.pick(client.keyed);
  const { body } = request;
  if (body !== undefined && client.random.chance(0.3)) {
    const other = { ...request, body: { ...body, data: { name: `fine again ${client.random.below(1e9)}` } } };
    const refused = await send(client, [about], other);
    agree(
      about,
      "another body under the key",
      [refused.status, refused.json.error],
      [409, "idempotency_key_reused"],
    );
    return;
  }
  const again = await send(client, [about], request);
  agree(about, "the repeated answer", [again.status, again.text], [202, text]);
  agree(about, "the mark of a repeat", again.headers["idempotent-replayed"], "true");
}

/** A request that no pass can take, whatever its state. */
async function askMisfit(client: Client): Promise<void> {
  const ref = newRef(client);
  const { request } = creation(client, ref, { name: "fine" });
  const put = { ...request, method: "PUT", path: `/api/v1/passes/by-external-ref/${ref}x` };
  const misfits: [Request, string][] = [
    [{ ...request, body: { ...request.body, data: { name: 7 } } }, "invalid_request"],
    [{ ...request, body: { ...request.body, colour: "red" } }, "invalid_request"],
    [{ ...request, body: { ...request.body, intent: "coupon" } }, "intent_mismatch"],
    [{ ...request, body: { ...request.body, template_id: crypto.randomUUID() } }, "invalid_template"],
    [put, "invalid_request"],
    [{ method: "PATCH", path: `/api/v1/passes/by-external-ref/${ref}`, body: {} }, "invalid_request"],
  ];
  const [misfit, error] = client.random.pick(misfits);
  const answer = await send(client, [ref], misfit);
  agree(ref, "the refusal", [answer.status, answer.json.error], [400, error]);
}

async function readPass(client: Client, pass: ModelPass): Promise<void> {
  const answer = await send(client, [pass.ref], { method: "GET", path: `/api/v1/passes/${pass.id}` });
  const { external_ref, version, data, status } = answer.json;
  agree(
    pass.ref,
    "the pass",
    { external_ref, version, data },
    {
      ...{ external_ref: pass.ref, version: pass.versions.length, data: newest(pass).data },
    },
  );
  const revoked = status === "revoking" || status === "revoked";
  agree(pass.ref, `that it is revoked, being ${status},`, revoked, pass.revoked);
}

/** The same data in another order of its members. */
function shuffled(data: Data): Data {
  return Object.fromEntries(Object.entries(data).reverse());
}

export function expectedStatus(pass: ModelPass): string {
  if (pass.revoked) return "revoked";
  const failing = fates[(newest(pass).data.name ?? "").split(" ")[0] as Fate] ?? [];
  return (["active", "partial", "failed"] as const)[failing.length] ?? "failed";
}
