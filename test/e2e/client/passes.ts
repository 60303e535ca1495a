import type { Test } from "tap";
import { newReference } from "../support/passes.ts";
import { ask } from "../support/requests.ts";
import { filledSample, issuePass } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

export async function passes(t: Test, { passwright, templateId }: Surroundings) {
  t.test("from the list of templates to a pass in both wallets", async (t) => {
    const types: string[] = [];
    for await (const { template_type } of passwright.templates.list({ page_size: 3 }))
      types.push(template_type);
    t.equal(types.length, 7);
    t.equal(new Set(types).size, 7);

    const template = await passwright.templates.get(templateId);
    t.match(template, { id: templateId, intent: "loyalty_card", status: "active" });
    const latest = await passwright.templates.getLatestVersion(templateId);
    t.equal(latest.version, template.latest_version);

    const accepted = await passwright.passes.create(await filledSample(passwright, templateId));
    t.match(accepted, { status: "pending", version: 1, providers: { apple: { status: "queued" } } });
    const job = await passwright.jobs.waitFor(accepted);
    t.match(job, { type: "pass.create", resource: { type: "pass", id: accepted.id }, error: null });

    const pass = await passwright.passes.get(accepted.id);
    t.equal(pass.status, "active");
    t.equal((await ask(pass.providers.apple?.save_link ?? "")).status, 200);
    t.match(pass.providers.google?.save_link, /^https:\/\/pay\.google\.com\/gp\/v\/save\//);
    t.equal((await ask(pass.page_url)).status, 200);
  });

  t.test("an update is a version, and null takes a value away", async (t) => {
    const body = { ...(await filledSample(passwright, templateId)), data: { member: "Ada", points: "1" } };
    const { id } = await issuePass(passwright, body);
    const updated = await passwright.passes.update(id, { data: { points: null } });
    t.match(updated, { id, status: "updating", version: 2 });
    t.strictSame(updated.data, { member: "Ada" });
    await passwright.jobs.waitFor(updated);
    t.equal((await passwright.passes.get(id)).status, "active");
    const versions = await passwright.passes.listVersions(id);
    t.strictSame(
      versions.data.map(({ version, change, data }) => ({ version, change, data })),
      [
        { version: 2, change: "updated", data: { member: "Ada" } },
        { version: 1, change: "created", data: { member: "Ada", points: "1" } },
      ],
    );
  });

  t.test("external references with odd characters reach their passes", async (t) => {
    const body = await filledSample(passwright, templateId);
    for (const odd of ["a b", "a?b&c=d#e", "100%", "Zoë 🎫", "%2e%2e", "a+b;c", "...", "a/b"]) {
      const external_ref = `${odd} ${newReference()}`;
      const created = await passwright.passes.upsertByExternalRef(external_ref, { ...body, external_ref });
      t.match(created, { status: "pending", version: 1, external_ref });
      const replaced = await passwright.passes.upsertByExternalRef(external_ref, {
        ...body,
        external_ref,
        data: { member: "Grace" },
      });
      t.match(replaced, { id: created.id, status: "updating", version: 2, data: { member: "Grace" } });
      const updated = await passwright.passes.updateByExternalRef(external_ref, { data: { points: "7" } });
      t.match(updated, { id: created.id, version: 3, data: { member: "Grace", points: "7" } });
      const found = await passwright.passes.list({ external_ref });
      t.match(found, { total: 1, data: [{ id: created.id }] }, external_ref);
    }
  });

  t.test("a list is every pass there is, page by page, and filters hold on all of them", async (t) => {
    const ids = new Set<string>();
    for await (const { id } of passwright.passes.list({ page_size: 2 })) ids.add(id);
    const { total } = await passwright.passes.list({ page_size: 1 });
    t.ok(total > 4);
    t.equal(ids.size, total);
    for await (const { status } of passwright.passes.list({ page_size: 1, status: "active" })) {
      t.equal(status, "active");
    }
  });

  t.test("a revoked pass is void, and stays", async (t) => {
    const { id, page_url } = await issuePass(passwright, await filledSample(passwright, templateId));
    const revoking = await passwright.passes.revoke(id);
    t.equal(revoking.status, "revoking");
    t.equal((await passwright.jobs.waitFor(revoking)).type, "pass.revoke");
    t.equal((await passwright.passes.get(id)).status, "revoked");
    t.equal((await ask(page_url)).status, 410);
    await t.rejects(passwright.passes.update(id, { data: {} }), { status: 409, code: "invalid_state" });
  });
}
