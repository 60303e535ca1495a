import t from "tap";
import { createWebhook } from "../../../src/domain/webhooks/create.ts";
import type { TargetPolicy } from "../../../src/domain/webhooks/target-url.ts";
import { createIdempotencyStore } from "../../../src/redis/idempotency.ts";
import { createWebhookStore } from "../../../src/redis/webhooks.ts";
import { openStore } from "../../support/store.ts";
import { refusalOf, violationsOf } from "../fixtures/refusal.ts";

const store = await openStore(t);
const asked: string[] = [];
const webhookTargets: TargetPolicy = {
  async refusal(url) {
    asked.push(url.hostname);
    return url.hostname.endsWith(".internal") ? "leads inside" : null;
  },
};
const webhooks = createWebhookStore(store);
const idempotency = createIdempotencyStore(store);
const deps = { webhooks, webhookTargets, idempotency, ids: store.ids, clock: store.clock };
const create = (input: { url?: string; tenantId?: string; secret?: string } = {}) =>
  createWebhook(deps, {
    tenantId: store.ids.uuid(),
    url: "https://hooks.example.com/passes?x=1",
    events: ["pass.created", "pass.revoked"],
    secret: "s3cret-of-mine",
    idempotency: null,
    ...input,
  });

t.test("a webhook is stored, and answered with the beginning of its secret only", async (t) => {
  const tenantId = store.ids.uuid();
  const { body, id, replayed } = await create({ tenantId });
  t.strictSame(JSON.parse(body), {
    id,
    url: "https://hooks.example.com/passes?x=1",
    events: ["pass.created", "pass.revoked"],
    is_active: true,
    secret_prefix: "s3cr",
    created_at: "2026-11-21T06:43:46.625Z",
  });
  t.notMatch(body, /s3cret/);
  t.equal(replayed, false);
  t.match(await webhooks.target(tenantId, id), { secret: "s3cret-of-mine" });
});

t.test("the prefix is four characters, not four UTF-16 units", async (t) => {
  t.equal(JSON.parse((await create({ secret: "🎟🎟🎟🎟🎟🎟🎟🎟" })).body).secret_prefix, "🎟🎟🎟🎟");
});

t.test("an address and a secret that are no good are both named, and nothing is stored", async (t) => {
  const tenantId = store.ids.uuid();
  const secretFault = "/secret must have base64 behind whsec_";
  for (const [url, urlFault] of [
    ["http://hooks.example.com", "/url must begin with https://"],
    ["https://db.internal/", "/url leads inside"],
  ] as const) {
    const refused = await violationsOf(() => create({ tenantId, url, secret: "whsec_!" }));
    t.strictSame(refused, [urlFault, secretFault]);
  }
  t.equal((await webhooks.list(tenantId, { page: 1, pageSize: 1 })).total, 0);
});

t.test("the policy is asked about the host that would be called, whatever it looks like", async (t) => {
  const spellings: [string, string][] = [
    ["https://2130706433/", "127.0.0.1"],
    ["https://0x7f.1/", "127.0.0.1"],
    ["https://0177.0.0.1/", "127.0.0.1"],
    ["https://127。0。0。1/", "127.0.0.1"],
    ["https://①②⑦.0.0.1./", "127.0.0.1"],
    ["https://[::ffff:7f00:1]/", "[::ffff:7f00:1]"],
    ["https://a.example\\@127.0.0.1/", "a.example"],
    ["HTTPS://HOOKS.Example.COM/", "hooks.example.com"],
  ];
  for (const [url, host] of spellings) {
    asked.length = 0;
    await create({ url });
    t.strictSame(asked, [host], url);
  }
});

t.test("the 51st webhook of a tenant is refused, and another tenant's first is not", async (t) => {
  const tenantId = store.ids.uuid();
  for (let made = 0; made < 50; made += 1) await create({ tenantId });
  const refusal = await refusalOf(() => create({ tenantId }));
  t.match(refusal, { code: "too_many_webhooks", kind: "conflict" });
  await create();
});
