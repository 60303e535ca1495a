import { execFileSync } from "node:child_process";
import { Webhook } from "standardwebhooks";
import type { Test } from "tap";
import { eventually } from "../support/eventually.ts";
import { finished } from "../support/passes.ts";
import { createReceiver, type Delivery, deliveriesTo, type Receiver } from "../support/sandbox.ts";
import { instant, uuid, uuidV7 } from "../support/shapes.ts";
import { loyaltyCard, type Surroundings } from "./surroundings.ts";

export async function deliveries(t: Test, surroundings: Surroundings) {
  const { service, client, stranger, secrets } = surroundings;
  const subscribed = async (secret: string, ...events: string[]) => {
    const receiver = await createReceiver(service, secret);
    const reply = await client.post("/api/v1/webhooks", { url: receiver.url, events, secret });
    if (reply.status !== 201) throw new Error(reply.text);
    return receiver;
  };
  const plain = await subscribed(secrets.plain, "pass.created");
  const prefixed = await subscribed(secrets.prefixed, "pass.created", "pass.updated");
  const others = await subscribed(secrets.plain, "message.sent", "pass.revoked");

  const accepted = await client.post("/api/v1/passes", loyaltyCard(surroundings));
  await finished(client, accepted);
  const passId: string = accepted.json.id;
  const pass = await client.get(`/api/v1/passes/${passId}`);
  const about = (receiver: Receiver, id: string) =>
    eventually(async () => {
      const found = (await deliveriesTo(service, receiver)).filter(({ body }) => body.includes(id));
      return found.length > 0 ? found : undefined;
    });

  for (const [kind, receiver, secret] of [
    ["plain", plain, secrets.plain],
    ["whsec_", prefixed, secrets.prefixed],
  ] as const) {
    t.test(`one delivery of pass.created, signed with a ${kind} secret`, async (t) => {
      const found = await about(receiver, passId);
      t.equal(found.length, 1);
      const [delivery] = found;
      if (delivery === undefined) return;
      t.equal(delivery.status, 200);
      t.match(delivery.signatures, {
        x_service_signature: { valid: true },
        standard_webhooks: { valid: true },
      });
      judgeHeaders(t, delivery);
      judgeSignatures(t, delivery, secret);
    });
  }

  t.test("the body tells of the event, and shows the pass as its GET does", async (t) => {
    const [delivery] = await about(plain, passId);
    const body = JSON.parse(delivery?.body ?? "");
    t.strictSame(Object.keys(body).sort(), ["created_at", "data", "id", "tenant_id", "type"]);
    t.match(body, { id: uuidV7, type: "pass.created", created_at: instant, tenant_id: client.tenantId });
    t.strictSame(Object.keys(body.data).sort(), Object.keys(pass.json).sort());
    const { status, providers, updated_at, ...constant } = pass.json;
    t.match(body.data, constant);
    t.match(body.data.status, /^(pending|partial|active)$/);
    t.strictSame(Object.keys(body.data.providers).sort(), Object.keys(providers).sort());
    const [other] = await about(prefixed, passId);
    t.equal(JSON.parse(other?.body ?? "").id, body.id, "one event, whoever hears of it");
    t.not(other?.headers["x-service-delivery"], delivery?.headers["x-service-delivery"]);
  });

  t.test("a repeated request tells nobody anything, and other events none", async (t) => {
    const { template_id, intent, external_ref, data } = accepted.json;
    const again = await client.post("/api/v1/passes", { template_id, intent, external_ref, data });
    t.equal(again.headers["idempotent-replayed"], "true");
    // What comes later of the same kind is there: so what came before is, too.
    const next = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    await about(plain, next.json.id);
    t.equal((await about(plain, passId)).length, 1);
    t.equal((await deliveriesTo(service, others)).length, 0);
  });

  t.test("another tenant's passes are its own affair", async (t) => {
    const theirs = await stranger.post("/api/v1/passes", loyaltyCard(surroundings));
    t.equal(theirs.status, 202, theirs.text);
    await finished(stranger, theirs);
    const mine = await client.post("/api/v1/passes", loyaltyCard(surroundings));
    await about(plain, mine.json.id);
    for (const receiver of [plain, prefixed]) {
      const found = (await deliveriesTo(service, receiver)).filter(({ body }) =>
        body.includes(theirs.json.id),
      );
      t.equal(found.length, 0);
    }
  });
}

export function judgeHeaders(t: Test, { headers, body }: Delivery) {
  t.equal(headers["x-service-event"], JSON.parse(body).type);
  t.match(headers["x-service-delivery"], uuid);
  t.match(headers["content-type"], /^application\/json\b/);
  t.match(headers["user-agent"], /^Passwright\/\d+\.\d+\.\d+/);
}

/** The documented signature by OpenSSL, the standard one by the standard's own library. */
export function judgeSignatures(t: Test, { headers, body }: Delivery, secret: string) {
  const printed = execFileSync("openssl", ["dgst", "-sha256", "-hmac", secret], {
    input: body,
    encoding: "utf8",
  });
  const hex = printed.trim().split(" ").at(-1);
  t.equal(headers["x-service-signature"], `sha256=${hex}`);

  const hook = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret), { format: "raw" });
  t.strictSame(hook.verify(body, headers), JSON.parse(body));
  t.throws(() => hook.verify(`${body} `, headers), "one character more is noticed");
}
