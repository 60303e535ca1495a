import type { Test } from "tap";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { judgeError, judgeList, judgeMembers, judgePackage } from "../support/judgements.ts";
import { newReference } from "../support/passes.ts";
import { ask, type Reply } from "../support/requests.ts";
import { instant } from "../support/shapes.ts";
import { packages, type Surroundings } from "./surroundings.ts";

const topup = "/api/v1/billing/topup";
const subscribe = "/api/v1/billing/subscribe";

export async function checkout(t: Test, { service, baseUrl, client, contractor, reader }: Surroundings) {
  const events = `${service.announced.sandbox_url}/sandbox/stripe/events`;
  const creditsOf = async ({ tenantId }: Client): Promise<number> =>
    (await service.cli("tenants", "show", tenantId, "--json")).json().credits;

  t.test("the packages are those that the operator put on sale, for any token", async (t) => {
    for (const who of [client, contractor, reader]) {
      const list = await who.get("/api/v1/billing/packages");
      judgeList(t, list, judgePackage);
      t.strictSame(
        new Set(list.json.data.map((one: object) => JSON.stringify(one))),
        new Set(packages.map((one) => JSON.stringify(one))),
      );
      t.match(list.json, { total: 3, page: 1, page_size: 20 });
    }
  });

  t.test("topup and subscribe answer with a page to pay at", async (t) => {
    const replies = [
      await client.post(topup, { package_id: "a-1" }),
      await client.post(topup, { package_id: "z".repeat(64), success_url: "https://shop.example/ok?a=1" }),
      await client.post(topup, {
        package_id: "large",
        success_url: "https://shop.example/ok",
        cancel_url: "https://shop.example/back",
      }),
      await client.post(subscribe, { plan_id: "monthly" }),
      await client.post(subscribe, { plan_id: "yearly", cancel_url: "https://shop.example/back" }),
    ];
    for (const reply of replies) {
      judgeSession(t, reply);
      t.equal((await ask(reply.json.checkout_url)).status, 200, "there is such a page");
    }
    t.equal(new Set(replies.map(({ json }) => json.session_id)).size, replies.length);
  });

  t.test("a repetition under the same key is the same session; without a key it is another", async (t) => {
    for (const [path, body, other] of [
      [topup, { package_id: "a-1" }, { package_id: "large" }],
      [subscribe, { plan_id: "monthly" }, { plan_id: "yearly" }],
    ] as const) {
      const headers = { "idempotency-key": newReference() };
      const first = await client.post(path, body, headers);
      judgeSession(t, first);
      const again = await client.post(path, body, headers);
      t.equal(again.status, 200);
      t.equal(again.text, first.text);
      t.equal(again.headers["idempotent-replayed"], "true");
      judgeError(t, await client.post(path, other, headers), 409, "idempotency_key_reused");
      t.not((await client.post(path, body)).json.session_id, first.json.session_id);
    }
  });

  t.test("equal requests at one moment are one session", async (t) => {
    const headers = { "idempotency-key": newReference() };
    const all = Array.from({ length: 8 }, () => client.post(topup, { package_id: "a-1" }, headers));
    const replies = await Promise.all(all);
    for (const reply of replies) judgeSession(t, reply);
    t.equal(new Set(replies.map(({ text }) => text)).size, 1);
  });

  t.test("what was paid for is there, once, also when it is paid and told twice", async (t) => {
    const before = await creditsOf(client);
    const { json } = await client.post(topup, { package_id: "a-1" });
    t.equal(await creditsOf(client), before, "a page to pay at is not paid");
    t.equal((await ask(json.checkout_url, { method: "POST" })).status, 303);
    await eventually(async () => ((await creditsOf(client)) === before + 10 ? true : undefined));
    await ask(json.checkout_url, { method: "POST" });
    const told = (await ask(events)).json.events.filter(
      ({ event }: { event: { data: { object: { id: string } } } }) =>
        event.data.object.id === json.session_id,
    );
    t.match(told, [{ attempts: [{ answer: 200 }] }], "one event, taken at once");
    const again = () => ask(`${events}/${told[0].event.id}/deliver`, { method: "POST" });
    for (const reply of await Promise.all(Array.from({ length: 8 }, again))) {
      t.match(reply.json.attempts.at(-1), { answer: 200 });
    }
    t.equal(await creditsOf(client), before + 10);
  });

  t.test("a plan that is paid grants no credits", async (t) => {
    const before = await creditsOf(client);
    const { json } = await client.post(subscribe, { plan_id: "monthly" });
    t.equal((await ask(json.checkout_url, { method: "POST" })).status, 303);
    await eventually(async () => {
      const all: { pending: boolean; event: { data: { object: { id: string } } } }[] = (await ask(events))
        .json.events;
      return all.find(({ pending, event }) => !pending && event.data.object.id === json.session_id);
    });
    t.equal(await creditsOf(client), before);
  });

  t.test("nobody else can say that something was paid", async (t) => {
    const before = await creditsOf(client);
    const [stored] = (await ask(events)).json.events;
    const headers = { "stripe-signature": `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}` };
    const reply = await ask(`${baseUrl}/billing/stripe/events`, { body: stored.event, headers });
    t.match(reply, {
      status: 400,
      json: { error: "invalid_request", details: [{ path: "Stripe-Signature" }] },
    });
    t.equal(await creditsOf(client), before);
  });

  t.test("reading does not entitle to buying", async (t) => {
    for (const [path, body] of [
      [topup, { package_id: "a-1" }],
      [subscribe, { plan_id: "monthly" }],
    ] as const) {
      const reply = await reader.post(path, body);
      judgeError(t, reply, 403, "insufficient_scope");
      t.match(reply.headers["www-authenticate"], /passes:write/);
      t.match(reply.headers["content-type"], /^application\/json/);
    }
  });
}

function judgeSession(t: Test, reply: Reply): void {
  t.equal(reply.status, 200, reply.text);
  judgeMembers(t, reply.json, ["checkout_url", "session_id", "expires_at"]);
  t.ok(URL.canParse(reply.json.checkout_url), reply.json.checkout_url);
  t.match(reply.json.session_id, /^cs_/);
  t.match(reply.json.expires_at, instant);
  t.ok(Date.parse(reply.json.expires_at) > Date.now());
}
