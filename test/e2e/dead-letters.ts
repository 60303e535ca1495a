import t from "tap";
import { eventually } from "./support/eventually.ts";
import { addFault, endFaults, googleObject } from "./support/google-faults.ts";
import { createTenant } from "./support/operator.ts";
import { newReference } from "./support/passes.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { createReceiver, deliveriesTo, instruct } from "./support/sandbox.ts";
import { typedClient } from "./support/typed-client.ts";

const service = await startPasswright(t, {
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
    PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: "0s,100ms",
    PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,100ms",
  },
});

/** A tenant of its own, its client, and a card that it can make. */
async function opened(name: string) {
  const credentials = await createTenant(service, { name });
  const passwright = typedClient(service.announced.base_url, credentials);
  const create = async () => {
    const [template] = (await passwright.templates.list()).data.filter(
      ({ template_type }) => template_type === "LoyaltyCard",
    );
    return passwright.passes.create({
      template_id: template?.id ?? "",
      intent: "loyalty_card",
      external_ref: newReference(),
      data: { member: "Ada" },
    });
  };
  const ofTenant = ["--tenant", credentials.tenant_id];
  const letters = async () => {
    const { stdout } = await service.cli("deadletter", "list", ...ofTenant, "--json");
    return JSON.parse(stdout);
  };
  return { passwright, create, ofTenant, letters };
}

t.test("a delivery that was given up arrives when it is replayed, with the id that it had", async (t) => {
  const { passwright, create, ofTenant, letters } = await opened("Deliveries");
  const secret = `whsec_${newMasterKey()}`;
  const receiver = await createReceiver(service, secret);
  const webhook = await passwright.webhooks.create({ url: receiver.url, events: ["pass.created"], secret });
  await instruct(service, receiver, { status: 503 });
  await create();
  const [letter] = await eventually(async () => {
    const found = await letters();
    return found.length > 0 ? found : undefined;
  });
  t.match(letter, { kind: "webhook", endpoint: webhook.id, reason: "http_503", attempts: 2 });

  await instruct(service, receiver, { status: 200 });
  const replay = await service.cli("deadletter", "replay", ...ofTenant, "--json");
  t.match(replay.json(), { matched: 1, replayed: 1 });
  await eventually(async () => {
    const { data } = await passwright.webhooks.listDeliveries(webhook.id);
    return data[0]?.status === "delivered" ? data : undefined;
  });
  const sent = await deliveriesTo(service, receiver);
  t.strictSame(
    sent.map(({ status }) => status),
    [503, 503, 200],
  );
  t.equal(new Set(sent.map(({ headers }) => headers["x-service-delivery"])).size, 1);
  t.strictSame(await letters(), []);
});

t.test("a pass that a wallet was away for is issued when its job is replayed", async (t) => {
  const { passwright, create, ofTenant, letters } = await opened("Passes");
  await addFault(service, { status: 503, times: 1000 });
  const { id, job_id: jobId } = await create();
  await eventually(async () => ((await passwright.jobs.get(jobId)).status === "failed" ? true : undefined));
  await endFaults(service);
  t.match(await passwright.passes.get(id), { status: "failed" });
  t.match(await letters(), [{ kind: "job", job_id: jobId, reason: "provider_unavailable", attempts: 2 }]);

  const replay = await service.cli("deadletter", "replay", ...ofTenant, "--json");
  t.match(replay.json(), { matched: 1, replayed: 1 });
  await eventually(async () =>
    (await passwright.jobs.get(jobId)).status === "completed" ? true : undefined,
  );
  t.match(await passwright.passes.get(id), { status: "active" });
  t.ok(await googleObject(service, id));
  t.equal(
    (await service.cli("deadletter", "replay", ...ofTenant)).code,
    4,
    "there is nothing left to replay",
  );
});
