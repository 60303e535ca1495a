import t from "tap";
import { createPass } from "../../../src/domain/passes/create.ts";
import { keyOf, openIssuer } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";

// «A repeat with the same key returns the original response»: also when the request would be refused today.

const store = await openStore(t);
const issuer = await openIssuer(store);
const request = (externalRef: string) => ({
  tenantId: issuer.tenantId,
  templateId: issuer.templateId,
  intent: "loyalty_card",
  externalRef,
  data: { name: "Ada" },
  idempotency: keyOf(externalRef, externalRef),
  traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
  workClass: "interactive" as const,
});
const noWallets = { ...issuer.providerConfigurations, enabledWallets: async () => [] };
const { templates } = issuer;
const archived = {
  ...templates,
  async find(tenantId: string | null, templateId: string) {
    const template = await templates.find(tenantId, templateId);
    return template && { ...template, status: "archived" as const };
  },
};

t.test("a repeat gets its answer after the template was archived", async (t) => {
  const first = await createPass(issuer, request("archived"));
  const repeat = await createPass({ ...issuer, templates: archived }, request("archived"));
  t.strictSame(repeat, { ...first, replayed: true });
});

t.test("a repeat gets its answer after the tenant's wallets were disabled", async (t) => {
  const first = await createPass(issuer, request("no wallets"));
  const repeat = await createPass({ ...issuer, providerConfigurations: noWallets }, request("no wallets"));
  t.strictSame(repeat, { ...first, replayed: true });
});

t.test(
  "external_ref alone is a key as well: whatever has changed since, a repeat gets the first answer",
  async (t) => {
    const worlds = [
      { code: "invalid_template", changed: { templates: archived } },
      { code: "no_providers", changed: { providerConfigurations: noWallets } },
    ];
    for (const { code, changed } of worlds) {
      const again = { ...request(`without a key, ${code}`), idempotency: null };
      const first = await createPass(issuer, again);
      const repeat = await createPass({ ...issuer, ...changed }, again);
      t.strictSame(repeat, { ...first, replayed: true, repeated: true });
      const other = createPass({ ...issuer, ...changed }, { ...again, data: { name: "Bob" } });
      await t.rejects(other, { code }, "what is no repeat is refused as if it were new");
    }
  },
);

t.test("of an answer that only has to be known to have been given, little is kept", async (t) => {
  const idempotency = { scope: "batch:1:0", fingerprint: "create", brief: true as const };
  const once = { ...request("brief"), data: { name: "A".repeat(4000) }, idempotency };
  const first = await createPass(issuer, once);
  const key = store.keys.idempotency(issuer.tenantId, idempotency.scope);
  t.ok(await store.connection.exists(key));
  t.ok((await store.connection.hstrlen(key, "response")) < 100);
  const { passId, jobId } = first;
  t.match(await createPass(issuer, once), { passId, jobId, replayed: true });
});
