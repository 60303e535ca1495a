import {
  verifyWebhook,
  type WebhookEvent,
  type WebhookUpdateRequest,
} from "../../../clients/typescript/src/index.ts";
import { eventually } from "../support/eventually.ts";
import { createTenant } from "../support/operator.ts";
import { createReceiver, deliveriesTo } from "../support/sandbox.ts";
import { typedClient } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

const types: WebhookEvent["type"][] = [
  ...(["pass.created", "pass.updated", "pass.revoked", "message.sent"] as const),
  ...(["job.completed", "job.failed", "batch.completed"] as const),
];

/** A tenant of its own, whose one webhook listens to everything. */
export async function openListener({ service, baseUrl, secrets }: Surroundings) {
  const credentials = await createTenant(service, { name: "A listener" });
  const passwright = typedClient(baseUrl, credentials);
  const secret = secrets.prefixed;
  const receiver = await createReceiver(service, secret);
  const { id } = await passwright.webhooks.create({ url: receiver.url, events: types, secret });
  const received = async () =>
    Promise.all(
      (await deliveriesTo(service, receiver)).map(async (delivery) => ({
        ...delivery,
        event: await verifyWebhook({ ...delivery, secret }),
      })),
    );
  return {
    passwright,
    tenantId: credentials.tenant_id,
    receiver,
    id,
    /** What has arrived so far, each of it verified. */
    received,
    /** The first event of a type that arrived and is about a resource. */
    event: (type: WebhookEvent["type"], resource: string) =>
      eventually(async () =>
        (await received()).find(({ event }) => event.type === type && event.data.id === resource),
      ),
    history: async () => (await passwright.webhooks.listDeliveries(id, { page_size: 100 })).data,
    change: (changes: WebhookUpdateRequest) => passwright.webhooks.update(id, changes),
  };
}
