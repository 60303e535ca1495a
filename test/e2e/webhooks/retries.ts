import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import { createReceiver, deliveriesTo, instruct } from "../support/sandbox.ts";
import { judgeHeaders, judgeSignatures } from "./deliveries.ts";
import { loyaltyCard, type Surroundings } from "./surroundings.ts";

export async function retries(t: Test, surroundings: Surroundings) {
  const { service, client, stranger, secrets } = surroundings;
  const subscribed = async () => {
    const receiver = await createReceiver(service, secrets.plain);
    const body = { url: receiver.url, events: ["pass.created"], secret: secrets.plain };
    const reply = await client.post("/api/v1/webhooks", body);
    if (reply.status !== 201) throw new Error(reply.text);
    return receiver;
  };

  t.test("the next attempt has the same delivery id and body, and is signed anew", async (t) => {
    const receiver = await subscribed();
    await instruct(service, receiver, { fail_first: 2 });
    const { json: pass } = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const attempts = await eventually(async () => {
      const found = await deliveriesTo(service, receiver);
      return found.length === 3 ? found : undefined;
    });
    t.strictSame(
      attempts.map(({ status }) => status),
      [500, 500, 200],
    );
    for (const name of ["x-service-delivery", "webhook-id", "x-service-signature"]) {
      t.equal(new Set(attempts.map(({ headers }) => headers[name])).size, 1, name);
    }
    t.equal(new Set(attempts.map(({ body }) => body)).size, 1);
    for (const attempt of attempts) {
      t.ok(attempt.body.includes(pass.id));
      judgeHeaders(t, attempt);
      judgeSignatures(t, attempt, secrets.plain);
    }
  });

  t.test("a redirect is not followed, and counts as a failure", async (t) => {
    const [receiver, elsewhere] = [await subscribed(), await createReceiver(service, secrets.plain)];
    await instruct(service, receiver, {
      fail_first: 1,
      status: 302,
      headers: { location: elsewhere.url },
    });
    await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const attempts = await eventually(async () => {
      const found = await deliveriesTo(service, receiver);
      return found.length === 2 ? found : undefined;
    });
    t.strictSame(
      attempts.map(({ status }) => status),
      [302, 200],
    );
    t.equal((await deliveriesTo(service, elsewhere)).length, 0);
  });

  t.test("one receiver that fails for good delays no other", async (t) => {
    const [dead, alive] = [await subscribed(), await subscribed()];
    await instruct(service, dead, { status: 500 });
    const { json: pass } = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const arrived = await eventually(async () =>
      (await deliveriesTo(service, alive)).find(({ body }) => body.includes(pass.id)),
    );
    t.equal(arrived.status, 200);
    // The schedule of this service has three attempts.
    const attempts = await eventually(async () => {
      const found = await deliveriesTo(service, dead);
      return found.length >= 3 ? found : undefined;
    });
    const { json: next } = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    await eventually(async () =>
      (await deliveriesTo(service, dead)).filter(({ body }) => body.includes(next.id)).at(2),
    );
    const first = (await deliveriesTo(service, dead)).filter(({ body }) => body.includes(pass.id));
    t.equal(first.length, attempts.length, "and no fourth came");
  });

  t.test("fifty receivers of one tenant that keep silent delay no other tenant", async (t) => {
    const [silent, alive] = [await createReceiver(service, secrets.plain), await subscribed()];
    await instruct(service, silent, { delay_ms: 60_000 });
    const webhook = { url: silent.url, events: ["pass.created"], secret: secrets.plain };
    const registered = await Promise.all(
      Array.from({ length: 50 }, () => stranger.post("/api/v1/webhooks", webhook)),
    );
    t.ok(registered.every(({ status }) => status === 201));
    for (let n = 0; n < 3; n++) await stranger.post("/api/v1/passes", loyaltyCard(surroundings));
    const { json: pass } = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const job = await client.get(`/api/v1/jobs/${pass.job_id}?wait=20`);
    t.equal(job.json.status, "completed", "its passes are made");
    // Well before the silent ones are given up.
    const told = eventually(
      async () => (await deliveriesTo(service, alive)).find(({ body }) => body.includes(pass.id)),
      20_000,
    );
    await t.resolves(told, "and its receivers are told");
  });
}
