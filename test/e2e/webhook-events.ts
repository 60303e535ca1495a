import t from "tap";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { createTenant } from "./support/operator.ts";
import { finished, newReference, sampleRequest } from "./support/passes.ts";
import { newMasterKey, startPasswright } from "./support/passwright.ts";
import { createReceiver, deliveriesTo, instruct } from "./support/sandbox.ts";

const settings = {
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
  PASSWRIGHT_TOKEN_RATE_LIMIT: "1000/1m",
  PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s,100ms,100ms",
};
const passwright = await startPasswright(t, { settings });
const { base_url: baseUrl, template_id: templateId } = passwright.announced;
const path = "/api/v1/webhooks";
const types = [
  ...["pass.created", "pass.updated", "pass.revoked", "message.sent"],
  ...["job.completed", "job.failed", "batch.completed"],
];

/** A tenant whose webhook listens to everything at a receiver of its own. */
async function opened() {
  const client = await signIn(baseUrl, await createTenant(passwright, { name: "Example" }));
  const secret = `whsec_${Buffer.from("twenty-four random bytes").toString("base64")}`;
  const receiver = await createReceiver(passwright, secret);
  const created = await client.post(path, { url: receiver.url, events: types, secret });
  t.equal(created.status, 201, created.text);
  const at = `${path}/${created.json.id}`;
  return {
    client,
    receiver,
    at,
    /** The first event of a type that arrived and is about a resource. */
    event: (type: string, resource: string) =>
      eventually(async () => {
        const arrived = (await deliveriesTo(passwright, receiver)).map((one) => ({
          ...one,
          event: JSON.parse(one.body),
        }));
        return arrived.find(({ event }) => event.type === type && event.data.id === resource);
      }),
    history: async () => (await client.get(`${at}/deliveries?page_size=100`)).json.data,
    change: (changes: object) => client.ask(at, { method: "PATCH", body: changes }),
  };
}

t.test("a finished job is an event with the job as its GET shows it, signed and recorded", async (t) => {
  const { client, event, history } = await opened();
  const accepted = await client.post("/api/v1/passes", await sampleRequest(client, templateId));
  const job = await finished(client, accepted);
  const arrived = await event("job.completed", job.json.id);
  t.strictSame(arrived.event.data, job.json);
  t.match(arrived.event, { tenant_id: client.tenantId, created_at: job.json.finished_at });
  t.match(arrived.signatures, { x_service_signature: { valid: true }, standard_webhooks: { valid: true } });
  const record = await eventually(async () =>
    (await history()).find(
      (one: { event_id: string; status: string }) =>
        one.event_id === arrived.event.id && one.status === "delivered",
    ),
  );
  t.match(record, {
    id: arrived.headers["x-service-delivery"],
    event_type: "job.completed",
    attempts: [{ number: 1, status_code: 200, error: null }],
    next_attempt_at: null,
  });
  t.equal((await history()).length, 2, "the pass's creation and the job's end, once each");
});

t.test("a finished batch is an event with the batch as its GET shows it", async (t) => {
  const { client, event } = await opened();
  const pass = await sampleRequest(client, templateId);
  const operations = [
    { type: "create", pass },
    { type: "create", pass: { ...pass, external_ref: newReference() } },
    { type: "update", external_ref: "nobody", data: {} },
  ];
  const accepted = await client.post("/api/v1/batches", { operations });
  t.equal(accepted.status, 202, accepted.text);
  const arrived = await event("batch.completed", accepted.json.id);
  t.strictSame(arrived.event.data, (await client.get(`/api/v1/batches/${accepted.json.id}`)).json);
  t.match(arrived.event.data, { status: "completed", total: 3, succeeded: 2, failed: 1 });
});

t.test("a webhook that is switched off gets nothing, and goes on when it is switched on", async (t) => {
  const { client, receiver, event, change } = await opened();
  const create = async () => client.post("/api/v1/passes", await sampleRequest(client, templateId));
  t.match(await change({ is_active: false }), { status: 200, json: { is_active: false } });
  await finished(client, await create());
  t.match(await change({ is_active: true }), { status: 200, json: { is_active: true } });
  const second = await create();
  await event("pass.created", second.json.id);
  const created = (await deliveriesTo(passwright, receiver))
    .map(({ body }) => JSON.parse(body))
    .filter(({ type }) => type === "pass.created");
  t.strictSame(
    created.map(({ data }) => data.id),
    [second.json.id],
  );
});

t.test(
  "a delivery that nobody takes is tried as often as the schedule says, and then shown as dead",
  async (t) => {
    const { client, receiver, history, change } = await opened();
    await change({ events: ["pass.created"] });
    await instruct(passwright, receiver, { status: 500 });
    await client.post("/api/v1/passes", await sampleRequest(client, templateId));
    const [record] = await eventually(async () => {
      const records = await history();
      return records[0]?.status === "dead_lettered" ? records : undefined;
    });
    t.match(record, {
      attempts: [1, 2, 3].map((number) => ({ number, status_code: 500, error: "answered 500" })),
      next_attempt_at: null,
    });
    const deliveries = await deliveriesTo(passwright, receiver);
    t.equal(new Set(deliveries.map(({ headers }) => headers["x-service-delivery"])).size, 1);
  },
);

t.test("a deleted webhook gets nothing more", async (t) => {
  const { client, receiver, at, change } = await opened();
  await change({ events: ["pass.created"] });
  t.equal((await client.ask(at, { method: "DELETE" })).status, 204);
  await finished(client, await client.post("/api/v1/passes", await sampleRequest(client, templateId)));
  t.strictSame(await deliveriesTo(passwright, receiver), []);
  t.equal((await client.get(`${at}/deliveries`)).status, 404);
});
