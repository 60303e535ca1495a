import t, { type Test } from "tap";
import { upsertPass } from "../../../src/domain/passes/upsert.ts";
import type { TemplateType } from "../../../src/domain/templates/template.ts";
import { content, icon, keyOf, openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

/** A tenant with a pass, and what replaces it. */
async function opened(t: Test) {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const input = {
    tenantId: issuer.tenantId,
    externalRef: "customer-1",
    intent: "loyalty_card",
    data: { name: "Ada" },
    idempotency: null,
    workClass: "interactive" as const,
    traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  };
  const first = await issuer.create(input);
  return {
    issuer,
    input,
    first,
    async publish(type: TemplateType): Promise<string> {
      const template = await issuer.templates.find(issuer.tenantId, issuer.templateId);
      if (template === null) throw new Error("there is no template");
      const id = issuer.ids.uuid();
      await issuer.templates.publish({
        template: { ...template, id, name: `Another ${type}`, type },
        content,
        images: new Map([["icon.png", icon]]),
        publishedAtMs: issuer.clock.nowMs(),
      });
      return id;
    },
  };
}

t.test(
  "a pass moves to another template of its kind; a repeated creation still shows the first",
  async (t) => {
    const { issuer, input, first, publish } = await opened(t);
    const templateId = await publish("LoyaltyCard");
    const moved = JSON.parse((await upsertPass(issuer, { ...input, templateId })).body);
    t.match(moved, { template_id: templateId, version: 2, status: "updating" });
    t.match(await issuer.passes.find(input.tenantId, moved.id), { templateId, version: 2 });
    const again = await issuer.create(input);
    t.ok(again.replayed);
    t.strictSame(JSON.parse(again.body), JSON.parse(first.body));
  },
);

t.test("a pass does not become one of another kind", async (t) => {
  const { issuer, input, first, publish } = await opened(t);
  const templateId = await publish("Coupon");
  const replacement = upsertPass(issuer, { ...input, templateId, intent: "coupon" });
  await t.rejects(replacement, { code: "intent_mismatch", detail: /loyalty_card/ });
  t.match(await issuer.passes.find(input.tenantId, first.passId), { version: 1, intent: "loyalty_card" });
});

t.test("an equal pass that somebody creates meanwhile is one to update, also under a key", async (t) => {
  const { issuer, input, first } = await opened(t);
  let looked = 0;
  const passes: typeof issuer.passes = {
    ...issuer.passes,
    // As it was before the other creation.
    findByExternalRef: async (...names) =>
      looked++ === 0 ? null : issuer.passes.findByExternalRef(...names),
  };
  const request = { ...input, templateId: issuer.templateId, idempotency: keyOf("k1", input) };
  const put = await upsertPass({ ...issuer, passes }, request);
  t.match(put, { passId: first.passId, replayed: false });
  t.match(JSON.parse(put.body), { version: 2, status: "updating" });
  t.strictSame(await upsertPass(issuer, request), { ...put, replayed: true });
});
