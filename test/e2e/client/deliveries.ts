import type { Test } from "tap";
import { verifyWebhook } from "../../../clients/typescript/src/index.ts";
import { eventually } from "../support/eventually.ts";
import { newMasterKey } from "../support/passwright.ts";
import { createReceiver, type Delivery, deliveriesTo } from "../support/sandbox.ts";
import { filledSample } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

export async function deliveries(t: Test, { service, passwright, templateId }: Surroundings) {
  for (const [form, secret] of [
    ["a word", "correct horse battery"],
    ["whsec_ and base64", `whsec_${newMasterKey()}`],
  ] as const) {
    t.test(`a delivery that the service sends is verified, under ${form}`, async (t) => {
      const receiver = await createReceiver(service, secret);
      const webhook = await passwright.webhooks.create({
        url: receiver.url,
        events: ["pass.created", "pass.revoked"],
        secret,
      });
      t.match(webhook, { is_active: true, secret_prefix: secret.slice(0, 4) });
      const pass = await passwright.passes.create(await filledSample(passwright, templateId));
      const delivery = await arrived(() => deliveriesTo(service, receiver));

      const event = await verifyWebhook({ body: delivery.body, headers: delivery.headers, secret });
      t.equal(event.type, "pass.created");
      t.strictSame(event.data, pass, "the pass as it was accepted");
      const changed = delivery.body.replace(pass.external_ref, "another");
      const forged = verifyWebhook({ body: changed, headers: delivery.headers, secret });
      await t.rejects(forged, { name: "WebhookVerificationError" });
      const tomorrow = { now: Date.now() / 1000 + 86_400 };
      const old = verifyWebhook({ body: delivery.body, headers: delivery.headers, secret, ...tomorrow });
      await t.rejects(old, { name: "WebhookVerificationError", message: /too old/ });

      const record = await eventually(async () => {
        const { data } = await passwright.webhooks.listDeliveries(webhook.id);
        return data.find(({ status }) => status === "delivered");
      });
      t.match(record, { id: delivery.headers["x-service-delivery"], event_id: event.id });
      await passwright.webhooks.delete(webhook.id);
      await t.rejects(passwright.webhooks.get(webhook.id), { status: 404, code: "not_found" });
    });
  }

  t.test("a webhook is changed, listed and deleted", async (t) => {
    const receiver = await createReceiver(service, "correct horse battery");
    const { id } = await passwright.webhooks.create({
      url: receiver.url,
      events: ["pass.created"],
      secret: "correct horse battery",
    });
    const changed = await passwright.webhooks.update(id, { events: ["job.failed"], is_active: false });
    t.match(changed, { id, events: ["job.failed"], is_active: false });
    t.strictSame(await passwright.webhooks.get(id), changed);
    const { data, total } = await passwright.webhooks.list();
    t.strictSame(data[0], changed);
    t.equal(await passwright.webhooks.delete(id), undefined);
    t.equal((await passwright.webhooks.list()).total, total - 1);
  });
}

function arrived(look: () => Promise<Delivery[]>): Promise<Delivery> {
  return eventually(async () => (await look())[0]);
}
