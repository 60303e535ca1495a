import { createHmac, timingSafeEqual } from "node:crypto";
import { Webhook } from "standardwebhooks";
import type { Test } from "tap";
import { patch, put, remove } from "../support/changes.ts";
import type { Client } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { addFault, endFaults, googleObject } from "../support/google-faults.ts";
import {
  judgeBatch,
  judgeDelivery,
  judgeJob,
  judgeList,
  judgeMembers,
  judgeMessage,
  judgePass,
} from "../support/judgements.ts";
import { finished, issuePass, newReference } from "../support/passes.ts";
import { type Delivery, deliveriesTo } from "../support/sandbox.ts";
import { eventTypes, instant, uuid } from "../support/shapes.ts";
import { loyaltyCard, type Subscription, type Surroundings, subscribe } from "./surroundings.ts";

const judgeData: Record<string, (t: Test, data: never) => void> = {
  pass: judgePass,
  message: judgeMessage,
  job: judgeJob,
  batch: judgeBatch,
};

export async function events(t: Test, surroundings: Surroundings) {
  const { service, client, unlucky } = surroundings;
  const pausing = (who: Client, ...more: [string?]) => subscribe(surroundings, who, eventTypes, ...more);
  const arrived = async ({ receiver }: Subscription) =>
    (await deliveriesTo(service, receiver)).map((delivery) => ({
      ...delivery,
      event: JSON.parse(delivery.body),
    }));
  /** All that arrived of a type about a resource, once there are as many. */
  const about = (subscription: Subscription, type: string, id: string, count = 1) =>
    eventually(async () => {
      const found = (await arrived(subscription)).filter(
        ({ event }) => event.type === type && event.data.id === id,
      );
      return found.length >= count ? found : undefined;
    });

  t.test("every type arrives, whole, signed, with the resource as its GET shows it", async (t) => {
    const secrets = [
      "plain \u00fc secret",
      `whsec_${Buffer.from("0123456789abcdef01234567").toString("base64")}`,
    ];
    const [plain, prefixed] = await Promise.all(secrets.map((secret) => pausing(client, secret)));
    if (plain === undefined || prefixed === undefined) return;
    const created = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const createJob = await finished(client, created);
    const at = `/api/v1/passes/${created.json.id}`;
    const updated = await patch(client, at, { data: { points: "2" } });
    await finished(client, updated);
    const text = { header: "Hello", body: "there" };
    const message = await client.post("/api/v1/messages", { pass_id: created.json.id, ...text });
    await finished(client, message);
    const pass = loyaltyCard(surroundings);
    const batch = await client.post("/api/v1/batches", { operations: [{ type: "create", pass }] });
    await finished(client, batch);
    const revoked = await remove(client, at);
    await finished(client, revoked);

    const expected: [type: string, id: string, data: object | null][] = [
      ["pass.created", created.json.id, created.json],
      ["pass.updated", created.json.id, updated.json],
      ["pass.revoked", created.json.id, revoked.json],
      ["message.sent", message.json.id, message.json],
      ["job.completed", createJob.json.id, createJob.json],
      ["batch.completed", batch.json.id, (await client.get(`/api/v1/batches/${batch.json.id}`)).json],
    ];
    for (const subscription of [plain, prefixed]) {
      for (const [type, id, data] of expected) {
        const [delivery, ...more] = await about(subscription, type, id);
        t.strictSame(more, [], `${type} once`);
        if (delivery === undefined) continue;
        judgeEnvelope(t, delivery, type, client.tenantId);
        judgeSignatures(t, delivery, subscription.secret);
        judgeData[type.split(".")[0] ?? ""]?.(t, delivery.event.data as never);
        t.strictSame(delivery.event.data, data, `${type} shows the resource of that moment`);
      }
    }
    for (const [type, id] of expected) {
      const [one] = await about(plain, type, id);
      const [other] = await about(prefixed, type, id);
      t.equal(one?.event.id, other?.event.id, "one event, whoever hears of it");
      t.not(one?.headers["x-service-delivery"], other?.headers["x-service-delivery"]);
    }
  });

  t.test("a job that failed is an event too", async (t) => {
    const subscription = await pausing(unlucky);
    const { json } = await issuePass(unlucky, loyaltyCard(surroundings));
    const { type, issuerId } = await googleObject(service, json.id);
    await addFault(service, { status: 503, times: 1000, resource_prefix: `${type}/${issuerId}.` });
    const accepted = await unlucky.post("/api/v1/passes", loyaltyCard(surroundings));
    const job = await finished(unlucky, accepted);
    await endFaults(service);
    t.equal(job.json.status, "failed");
    const [delivery] = await about(subscription, "job.failed", job.json.id);
    if (delivery === undefined) return;
    judgeEnvelope(t, delivery, "job.failed", unlucky.tenantId);
    judgeSignatures(t, delivery, subscription.secret);
    t.strictSame(delivery.event.data, job.json);
    const completed = (await arrived(subscription)).filter(({ event }) => event.type === "job.completed");
    t.notOk(completed.some(({ event }) => event.data.id === job.json.id));
  });

  t.test("created and updated are fired by every way to create and to update, once each", async (t) => {
    const subscription = await subscribe(surroundings, client, ["pass.created", "pass.updated"]);
    const byPut = loyaltyCard(surroundings);
    const byReference = `/api/v1/passes/by-external-ref/${byPut.external_ref}`;
    const created = await put(client, byReference, byPut);
    await put(client, byReference, byPut);
    await patch(client, byReference, { data: {} });
    await patch(
      client,
      `/api/v1/passes/${created.json.id}`,
      { data: {} },
      { "idempotency-key": byPut.external_ref },
    );
    await patch(
      client,
      `/api/v1/passes/${created.json.id}`,
      { data: {} },
      { "idempotency-key": byPut.external_ref },
    );
    const byBatch = loyaltyCard(surroundings);
    const { external_ref } = byBatch;
    const operations = [
      { type: "create", pass: byBatch },
      { type: "update", external_ref, data: {} },
    ];
    await finished(client, await client.post("/api/v1/batches", { operations }));
    const found = await client.get(`/api/v1/passes?external_ref=${external_ref}`);
    const batchPass = found.json.data[0].id;
    const updates = await about(subscription, "pass.updated", created.json.id, 3);
    t.strictSame(updates.map(({ event }) => event.data.version).sort(), [2, 3, 4]);
    t.equal((await about(subscription, "pass.created", created.json.id)).length, 1);
    t.equal((await about(subscription, "pass.created", batchPass)).length, 1);
    const [update, ...more] = await about(subscription, "pass.updated", batchPass);
    t.equal(update?.event.data.version, 2);
    t.strictSame(more, []);
    // What comes later is there, so nothing of before is on its way any more.
    const last = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    await about(subscription, "pass.created", last.json.id);
    t.equal((await arrived(subscription)).length, 7);
    const versions = [...updates.map(({ event }) => event.data.version)];
    t.equal(new Set(versions).size, versions.length);
  });

  t.test("the history of a webhook shows each delivery with its attempts", async (t) => {
    const subscription = await subscribe(surroundings, client, ["pass.created"]);
    for (let n = 0; n < 3; n++) await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const list = await eventually(async () => {
      const reply = await client.get(`${subscription.at}/deliveries`);
      const done = reply.json.data.filter(({ status }: { status: string }) => status === "delivered");
      return done.length === 3 ? reply : undefined;
    });
    judgeList(t, list, judgeDelivery);
    t.match(list.json, { total: 3, page: 1, page_size: 20 });
    const received = await arrived(subscription);
    for (const record of list.json.data) {
      const match = received.find(({ headers }) => headers["x-service-delivery"] === record.id);
      t.equal(match?.event.id, record.event_id);
      t.equal(record.event_type, "pass.created");
      t.match(record, { next_attempt_at: null, attempts: [{ number: 1, status_code: 200, error: null }] });
      t.equal(record.attempts.length, 1);
    }
    const times = list.json.data.map(({ created_at }: { created_at: string }) => created_at);
    t.strictSame(times, [...times].sort().reverse(), "newest first");
    const last = await client.get(`${subscription.at}/deliveries?page=3&page_size=1`);
    t.strictSame(last.json, { data: [list.json.data[2]], total: 3, page: 3, page_size: 1 });
  });

  t.test("a changed secret signs what comes from then on; an inactive webhook gets nothing", async (t) => {
    const subscription = await subscribe(surroundings, client, ["pass.created"]);
    const secret = newReference();
    t.equal((await patch(client, subscription.at, { secret })).json.secret_prefix, "ref-");
    const first = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    const [delivery] = await about(subscription, "pass.created", first.json.id);
    if (delivery !== undefined) judgeSignatures(t, delivery, secret);
    const witness = await subscribe(surroundings, client, ["pass.created"]);
    await patch(client, subscription.at, { is_active: false });
    const second = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    await about(witness, "pass.created", second.json.id);
    await patch(client, subscription.at, { is_active: true });
    const third = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    await about(subscription, "pass.created", third.json.id);
    t.strictSame(
      new Set((await arrived(subscription)).map(({ event }) => event.data.id)),
      new Set([first.json.id, third.json.id]),
    );
  });
}

function judgeEnvelope(t: Test, delivery: Delivery, type: string, tenantId: string): void {
  const { headers } = delivery;
  const event = JSON.parse(delivery.body);
  judgeMembers(t, event, ["id", "type", "created_at", "tenant_id", "data"]);
  t.match(event, { id: uuid, created_at: instant });
  t.equal(event.type, type);
  t.equal(event.tenant_id, tenantId);
  t.equal(headers["x-service-event"], type);
  t.match(headers["x-service-delivery"], uuid);
  t.match(headers["content-type"], /^application\/json\b/);
  t.match(headers["user-agent"], /^Passwright\/\d+\.\d+\.\d+/);
  t.ok(headers["webhook-id"]);
  t.match(headers["webhook-timestamp"], /^\d{10}$/);
  t.match(headers["webhook-signature"], /^v1,\S+$/);
}

function judgeSignatures(t: Test, { headers, body }: Delivery, secret: string): void {
  const hex = createHmac("sha256", secret).update(body).digest("hex");
  const [ours, theirs] = [`sha256=${hex}`, headers["x-service-signature"] ?? ""].map((text) =>
    Buffer.from(text),
  );
  t.ok(
    ours !== undefined && theirs?.length === ours.length && timingSafeEqual(ours, theirs),
    "X-Service-Signature",
  );
  const verifier = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
  t.doesNotThrow(() => verifier.verify(body, headers), "webhook-signature");
  t.throws(() => verifier.verify(body.replace("id", "di"), headers));
}
