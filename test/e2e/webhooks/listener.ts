import { signIn } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { createTenant } from "../support/operator.ts";
import { createReceiver, deliveriesTo } from "../support/sandbox.ts";
import type { Surroundings } from "./surroundings.ts";

const types = [
  ...["pass.created", "pass.updated", "pass.revoked", "message.sent"],
  ...["job.completed", "job.failed", "batch.completed"],
];

/** A tenant of its own, whose one webhook listens to everything. */
export async function openListener({ service, baseUrl, secrets }: Surroundings) {
  const client = await signIn(baseUrl, await createTenant(service, { name: "A listener" }));
  const secret = secrets.prefixed;
  const receiver = await createReceiver(service, secret);
  const created = await client.post("/api/v1/webhooks", { url: receiver.url, events: types, secret });
  if (created.status !== 201) throw new Error(created.text);
  const path = `/api/v1/webhooks/${created.json.id}`;
  return {
    client,
    receiver,
    path,
    /** The first event of a type that arrived and is about a resource. */
    event: (type: string, resource: string) =>
      eventually(async () => {
        const arrived = (await deliveriesTo(service, receiver)).map((one) => ({
          ...one,
          event: JSON.parse(one.body),
        }));
        return arrived.find(({ event }) => event.type === type && event.data.id === resource);
      }),
    history: async () => (await client.get(`${path}/deliveries?page_size=100`)).json.data,
    change: (changes: object) => client.ask(path, { method: "PATCH", body: changes }),
  };
}
