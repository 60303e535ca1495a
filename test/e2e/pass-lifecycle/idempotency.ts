import type { Test } from "tap";
import { patch, put, remove } from "../support/changes.ts";
import { judgeError } from "../support/judgements.ts";
import { issuePass, newReference } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

type Route = {
  method: "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  status: number;
  /** Two bodies that are both right; a DELETE has none. */
  bodies?: [object, object];
};

export async function idempotency(t: Test, { client, loyaltyCard }: Surroundings) {
  const pass = (await issuePass(client, loyaltyCard())).json;
  const at = `/api/v1/passes/${pass.id}`;
  const byReference = `/api/v1/passes/by-external-ref/${pass.external_ref}`;
  const data = (points: string) => ({ data: { points } });
  const webhook = { url: "https://1.1.1.1/", events: ["pass.created"], secret: "long enough" };
  const hook = `/api/v1/webhooks/${(await client.post("/api/v1/webhooks", webhook)).json.id}`;
  const { template_id, intent, external_ref } = pass;
  const upsert = (member: string) => ({ template_id, intent, external_ref, data: { member } });
  const message = (body: string) => ({ pass_id: pass.id, header: "Hello", body });
  const batch = (points: string) => ({ operations: [{ type: "update", pass_id: pass.id, ...data(points) }] });

  const routes: Route[] = [
    { method: "POST", path: "/api/v1/passes", status: 202, bodies: [loyaltyCard(), loyaltyCard()] },
    { method: "PATCH", path: at, status: 202, bodies: [data("1"), data("2")] },
    { method: "PATCH", path: byReference, status: 202, bodies: [data("3"), data("4")] },
    { method: "PUT", path: byReference, status: 202, bodies: [upsert("A"), upsert("B")] },
    { method: "POST", path: "/api/v1/messages", status: 202, bodies: [message("a"), message("b")] },
    { method: "POST", path: "/api/v1/batches", status: 202, bodies: [batch("5"), batch("6")] },
    {
      method: "POST",
      path: "/api/v1/webhooks",
      status: 201,
      bodies: [webhook, { ...webhook, secret: "quite another" }],
    },
    { method: "PATCH", path: hook, status: 200, bodies: [{ is_active: false }, { is_active: true }] },
    {
      method: "POST",
      path: "/api/v1/billing/topup",
      status: 200,
      bodies: [{ package_id: "starter" }, { package_id: "growth" }],
    },
    { method: "DELETE", path: hook, status: 204 },
    { method: "DELETE", path: at, status: 202 },
  ];

  for (const { method, path, status, bodies } of routes) {
    const name = `${method} ${path.replace(/[0-9a-f-]{36}/, "{id}").replace(/ref-.*/, "{ref}")}`;
    const ask = (body: object | undefined, key: string) =>
      client.ask(path, { method, body, headers: { "idempotency-key": key } });
    t.test(`${name}: a repetition gets the first answer, and another body is refused`, async (t) => {
      const key = newReference();
      for (const wrong of ["", "x".repeat(256), "a b", "ä"]) {
        judgeError(t, await ask(bodies?.[0], wrong), 400, "invalid_request", `key ${wrong.slice(0, 9)}`);
      }
      const first = await ask(bodies?.[0], key);
      t.equal(first.status, status, first.text);
      t.equal(first.headers["idempotent-replayed"], undefined);
      const again = await ask(bodies?.[0], key);
      t.equal(again.status, status, again.text);
      t.ok(again.bytes.equals(first.bytes), "byte for byte");
      t.equal(again.headers["idempotent-replayed"], "true");
      t.equal(again.headers.location, first.headers.location);
      if (bodies !== undefined) {
        judgeError(t, await ask(bodies[1], key), 409, "idempotency_key_reused");
        t.equal((await ask(bodies[1], newReference())).status, status, "under another key it is done");
      }
    });
  }

  t.test("a repetition is not carried out again", async (t) => {
    const { json } = await issuePass(client, loyaltyCard());
    const headers = { "idempotency-key": newReference() };
    const path = `/api/v1/passes/${json.id}`;
    for (let n = 0; n < 3; n++) await patch(client, path, data("7"), headers);
    t.equal((await client.get(path)).json.version, 2);
    const all = Array.from({ length: 10 }, () =>
      patch(client, path, data("8"), { "idempotency-key": "moment" }),
    );
    const replies = await Promise.all(all);
    t.equal(new Set(replies.map(({ text }) => text)).size, 1);
    t.equal((await client.get(path)).json.version, 3);
  });

  t.test("a refusal is not kept: the key is free for the same body when its cause is gone", async (t) => {
    const request = loyaltyCard();
    const headers = { "idempotency-key": newReference() };
    const path = `/api/v1/passes/by-external-ref/${request.external_ref}`;
    judgeError(t, await patch(client, path, data("9"), headers), 404, "not_found");
    t.equal((await put(client, path, request)).status, 202);
    const done = await patch(client, path, data("9"), headers);
    t.match(done, { status: 202, json: { version: 2 } });
    t.equal(done.headers["idempotent-replayed"], undefined);
  });

  t.test("a key counts for its method and its path", async (t) => {
    const [one, other] = [await issuePass(client, loyaltyCard()), await issuePass(client, loyaltyCard())];
    const headers = { "idempotency-key": newReference() };
    const paths = [one, other].map(({ json }) => `/api/v1/passes/${json.id}`);
    for (const path of paths) t.equal((await patch(client, path, data("1"), headers)).json.version, 2);
    for (const path of paths) t.equal((await remove(client, path, headers)).json.status, "revoking");
    for (const path of paths) {
      const again = await remove(client, path, headers);
      t.match(again, { status: 202, headers: { "idempotent-replayed": "true" } }, "a key outlives the state");
    }
  });
}
