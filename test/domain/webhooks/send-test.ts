import { Webhook as StandardWebhook } from "standardwebhooks";
import t, { type Test } from "tap";
import { webhookEventTypes } from "../../../src/domain/events/event.ts";
import type { Answer } from "../../../src/domain/webhooks/deliver.ts";
import { madeUpId } from "../../../src/domain/webhooks/made-up.ts";
import { sendTestDelivery } from "../../../src/domain/webhooks/send-test.ts";
import { createDocument } from "../../../src/http/openapi/document.ts";
import { routes } from "../../../src/http/routes.ts";
import { keySpace } from "../../support/key-space.ts";
import { type Document, schemasOf } from "../../support/openapi.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber, plainSecret } from "../../support/webhooks.ts";

async function opened(t: Test, answer: Answer = { statusCode: 204, retryAfterSeconds: null }) {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const sent: { url: string; headers: Record<string, string>; body: string }[] = [];
  const deps = {
    ...at,
    ids: store.ids,
    clock: store.clock,
    webhookSender: {
      async post(url: string, headers: Record<string, string>, body: string) {
        sent.push({ url, headers, body });
        store.clock.forward(7);
        return answer;
      },
    },
  };
  const test = (webhookId: string, eventType: (typeof webhookEventTypes)[number] | null = null) =>
    sendTestDelivery(deps, { tenantId: at.tenantId, webhookId, eventType });
  return { ...at, store, sent, deps, test };
}

t.test("a test is signed as a delivery is, goes to the webhook's address, and leaves no trace", async (t) => {
  const at = await opened(t);
  const webhook = await at.subscribe();
  const before = await keySpace(at.store);
  const result = await at.test(webhook.id);
  t.strictSame(await keySpace(at.store), before);
  t.match(result, { eventType: "pass.created", statusCode: 204, durationMs: 7, failure: null });
  const [{ url, headers, body } = { url: "", headers: {}, body: "" }, ...others] = at.sent;
  t.equal(others.length, 0);
  t.equal(url, webhook.url);
  t.match(headers, { "X-Service-Event": "pass.created", "X-Service-Delivery": result.deliveryId });
  const verifier = new StandardWebhook(plainSecret, { format: "raw" });
  t.equal(
    headers["webhook-signature"],
    verifier.sign(result.deliveryId, new Date(1000 * Number(headers["webhook-timestamp"])), body),
  );
});

t.test("every type has a body of the documented shape, about something that nobody has", async (t) => {
  const document = createDocument(routes, {
    baseUrl: "https://passes.example.com",
    version: "1.2.3",
  }) as unknown as Document;
  const faults = schemasOf(document);
  const at = await opened(t);
  const webhook = await at.subscribe({ events: [...webhookEventTypes] });
  for (const type of webhookEventTypes) {
    t.equal((await at.test(webhook.id, type)).eventType, type);
    const body = JSON.parse(at.sent.at(-1)?.body ?? "");
    const place = ["webhooks", type, "post", "requestBody", "content", "application/json", "schema"];
    t.strictSame(faults(place, body), [], type);
    t.equal(body.data.id, madeUpId);
    t.equal(body.tenant_id, at.tenantId);
  }
  const ids = at.sent.flatMap(({ headers, body }) => [headers["X-Service-Delivery"], JSON.parse(body).id]);
  t.equal(new Set(ids).size, 2 * webhookEventTypes.length, "none looks like a repeat of another");
});

t.test("only what the webhook is subscribed to is told to it, and what that is is said", async (t) => {
  const at = await opened(t);
  const webhook = await at.subscribe({ events: ["message.sent", "pass.revoked"] });
  t.equal((await at.test(webhook.id)).eventType, "message.sent");
  await t.rejects(at.test(webhook.id, "pass.created"), {
    code: "invalid_request",
    detail: /--event must be .*: message\.sent, pass\.revoked/,
  });
  t.equal(at.sent.length, 1);
});

t.test("a webhook can be tested before it is switched on", async (t) => {
  const at = await opened(t);
  const webhook = await at.subscribe({ isActive: false });
  t.match(await at.test(webhook.id), { webhook: { isActive: false }, failure: null });
});

t.test("what is no 2xx has failed, and so has silence; either with a remedy", async (t) => {
  for (const [answer, failure] of [
    [
      { statusCode: 307, retryAfterSeconds: null },
      { error: "answered 307", remedy: /not followed/ },
    ],
    [
      { statusCode: 401, retryAfterSeconds: null },
      { error: "answered 401", remedy: /secret/ },
    ],
    [{ error: "connect ECONNREFUSED 192.0.2.1:443" }, { error: /ECONNREFUSED/, remedy: /Nothing listens/ }],
  ] as const) {
    const at = await opened(t, answer);
    const webhook = await at.subscribe();
    const statusCode = "statusCode" in answer ? answer.statusCode : null;
    t.match(await at.test(webhook.id), { statusCode, failure });
  }
});

t.test("there is no webhook of another tenant's, nor under what is no id", async (t) => {
  const at = await opened(t);
  const webhook = await at.subscribe();
  const input = { tenantId: at.store.ids.uuid(), webhookId: webhook.id, eventType: null };
  await t.rejects(sendTestDelivery(at.deps, input), { code: "not_found" });
  await t.rejects(at.test(`${webhook.id}:deliveries`), { code: "not_found" });
  t.equal(at.sent.length, 0);
});
