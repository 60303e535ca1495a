import type { Test } from "tap";
import type { Client } from "../support/client.ts";
import { finished, issuePass } from "../support/passes.ts";
import { type Answer, atOnce, balanceOf, loyaltyCard, newcomer, type Surroundings } from "./surroundings.ts";

const count = 200;
/** Of requests whose like has been tried in full number. */
const fewer = 50;

export async function equalRequests(t: Test, surroundings: Surroundings) {
  const caller = await newcomer(surroundings, { name: "Equal", funds: ["--credits", "1000"] });
  const { clients } = caller;
  const [client] = clients;
  const creditsLeft = async (): Promise<number> => (await balanceOf(surroundings, caller)).credits;
  const passesOf = async (reference: string): Promise<number> =>
    (await client.get(`/api/v1/passes?external_ref=${reference}`)).json.total;
  const spent = async (action: () => Promise<void>): Promise<number> => {
    const before = await creditsLeft();
    await action();
    return before - (await creditsLeft());
  };
  const send = (
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    times = count,
  ) =>
    atOnce(
      times,
      clients,
      () => (place: Client) => place.ask(path, { method, headers, ...(body !== undefined && { body }) }),
    );
  const withKey = () => ({ "idempotency-key": crypto.randomUUID() });

  for (const [how, headers] of [
    ["with one Idempotency-Key", withKey()],
    ["without a key, for one external_ref", {}],
  ] as const) {
    t.test(`${count} equal POST /passes ${how}: one pass, one credit, one answer`, async (t) => {
      const body = loyaltyCard(surroundings);
      const cost = await spent(async () => {
        areOneAnswer(t, await send("POST", "/api/v1/passes", body, headers), 202);
      });
      t.equal(cost, 1);
      t.equal(await passesOf(body.external_ref), 1);
    });
  }

  t.test(
    `${count} equal POST /batches with one key: one batch, which reserves its credits once`,
    async (t) => {
      const passes = [loyaltyCard(surroundings), loyaltyCard(surroundings)];
      const body = { name: "equal", operations: passes.map((pass) => ({ type: "create", pass })) };
      const cost = await spent(async () => {
        const [first] = areOneAnswer(t, await send("POST", "/api/v1/batches", body, withKey()), 202);
        t.equal((await client.get("/api/v1/batches")).json.total, 1);
        if (first !== undefined) t.match((await finished(client, first)).json, { status: "completed" });
      });
      t.equal(cost, 2);
      for (const { external_ref } of passes) t.equal(await passesOf(external_ref), 1);
    },
  );

  t.test("one pass, asked to change", async (t) => {
    const { json: pass } = await issuePass(client, loyaltyCard(surroundings));
    const path = `/api/v1/passes/${pass.id}`;
    const versions = async () => (await client.get(`${path}/versions`)).json.total;

    const words = { pass_id: pass.id, header: "Hello", body: "there" };
    areOneAnswer(t, await send("POST", "/api/v1/messages", words, withKey()), 202);
    t.equal((await client.get("/api/v1/messages")).json.total, 1, "one message");

    areOneAnswer(t, await send("PATCH", path, { data: { points: "7" } }, withKey()), 202);
    t.equal(await versions(), 2, "one version");
    const byReference = `/api/v1/passes/by-external-ref/${pass.external_ref}`;
    areOneAnswer(t, await send("PATCH", byReference, { data: { points: "8" } }, withKey(), fewer), 202);
    t.equal(await versions(), 3, "one more");
    const whole = { ...loyaltyCard(surroundings), external_ref: pass.external_ref };
    areOneAnswer(t, await send("PUT", byReference, whole, withKey(), fewer), 202);
    t.equal(await versions(), 4, "and one more");

    areOneAnswer(t, await send("DELETE", path, undefined, withKey()), 202);
    const { json } = await client.get("/api/v1/analytics/events?event_type=pass.revoked");
    t.equal(json.total, 1, "revoked once");
  });

  t.test(`${fewer} equal POST /webhooks with one key: one webhook`, async (t) => {
    const body = { url: "https://1.1.1.1/hooks", events: ["message.sent"], secret: "long enough" };
    areOneAnswer(t, await send("POST", "/api/v1/webhooks", body, withKey(), fewer), 201);
    t.equal((await client.get("/api/v1/webhooks")).json.total, 1);
  });
}

/** One was carried out, and all got its answer byte for byte. */
function areOneAnswer(t: Test, replies: Answer[], status: number): Answer[] {
  t.strictSame([...new Set(replies.map((reply) => reply.status))], [status]);
  t.equal(new Set(replies.map(({ text }) => text)).size, 1, "byte for byte");
  t.equal(new Set(replies.map(({ headers }) => headers.location)).size, 1);
  const replayed = replies.filter(({ headers }) => headers["idempotent-replayed"] === "true");
  // The first answer may have been lost on a machine that is too busy; then all are repeats.
  const wasLost = replies.some(({ asked }) => asked > 1) && replayed.length === replies.length;
  if (!wasLost) t.equal(replayed.length, replies.length - 1, "all but one say that they are a repeat");
  return replies;
}
