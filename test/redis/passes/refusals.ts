import t, { type Test } from "tap";
import type { CreatePassInput } from "../../../src/domain/passes/create.ts";
import { createTemplateStore } from "../../../src/redis/templates.ts";
import { content, type Issuer, keyOf, openIssuer } from "../../support/issuer.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";

const store = await openStore(t);

/** Refuses a create with `code`, and proves by the whole key space that nothing was written. */
async function refuses(t: Test, issuer: Issuer, input: Partial<CreatePassInput>, code: string) {
  const before = await keySpace(store);
  store.clock.forward(1000);
  await t.rejects(issuer.create({ idempotency: keyOf("fresh key", input), ...input }), { code });
  t.strictSame(await keySpace(store), before, `${code} leaves the store as it was`);
}

t.test("a request that its template does not allow writes nothing", async (t) => {
  const issuer = await openIssuer(store);
  await refuses(t, issuer, { templateId: store.ids.uuid() }, "invalid_template");
  await refuses(t, issuer, { intent: "coupon" }, "intent_mismatch");
  await refuses(t, issuer, { data: {} }, "invalid_request");
  await refuses(t, issuer, { data: { name: "Ada", points: "1234567" } }, "invalid_request");
  await refuses(t, issuer, { data: { name: "Ada", other: "x" } }, "invalid_request");
});

t.test("a template of another tenant, or an archived one, is none", async (t) => {
  const [one, two] = [await openIssuer(store), await openIssuer(store)];
  await refuses(t, one, { templateId: two.templateId }, "invalid_template");
  const templates = createTemplateStore(store);
  const template = await templates.find(one.tenantId, one.templateId);
  if (template === null) throw new Error("the template is not there");
  await templates.publish({
    template: { ...template, status: "archived", latestVersion: 2 },
    content,
    images: new Map(),
    publishedAtMs: store.clock.nowMs(),
  });
  await refuses(t, one, { templateId: one.templateId }, "invalid_template");
});

t.test("a tenant without a wallet that the template supports writes nothing", async (t) => {
  const issuer = await openIssuer(store, { wallets: [] });
  await refuses(t, issuer, {}, "no_providers");
});

t.test("a key that was used with another body writes nothing", async (t) => {
  const issuer = await openIssuer(store);
  await issuer.create({ idempotency: keyOf("k1", { a: 1 }) });
  await refuses(t, issuer, { idempotency: keyOf("k1", { a: 2 }) }, "idempotency_key_reused");
});

t.test("a duplicate external_ref writes nothing", async (t) => {
  const issuer = await openIssuer(store);
  await issuer.create({ externalRef: "member-1" });
  await refuses(t, issuer, { externalRef: "member-1", data: { name: "Bob" } }, "duplicate_external_ref");
});

t.test("a create without credits writes nothing", async (t) => {
  const issuer = await openIssuer(store, { billing: { mode: "prepaid", credits: 0 } });
  await refuses(t, issuer, {}, "insufficient_credits");
});

t.test("a create beyond the contract's cap writes nothing", async (t) => {
  const issuer = await openIssuer(store, { billing: { mode: "contract", monthlyCap: 1 } });
  await issuer.create();
  await refuses(t, issuer, {}, "contract_cap_reached");
});
