import type { Test } from "tap";
import { createApplication, createTenant } from "../support/operator.ts";
import { filledSample, typedClient } from "../support/typed-client.ts";
import type { Surroundings } from "./surroundings.ts";

export async function refusals(
  t: Test,
  { service, baseUrl, passwright, templateId, credentials }: Surroundings,
) {
  const [body, reporting, poor] = await Promise.all([
    filledSample(passwright, templateId),
    createApplication(service, credentials.tenant_id, "reporting"),
    createTenant(service, { name: "Poor", funds: [] }),
  ]);

  t.test("400 names every violation", async (t) => {
    await t.rejects(passwright.passes.create({ ...body, intent: "", external_ref: "" }), {
      status: 400,
      code: "invalid_request",
      traceId: /^[0-9a-f]{32}$/,
      details: [{ path: "/intent" }, { path: "/external_ref" }],
    });
    await t.rejects(passwright.passes.create({ ...body, intent: "coupon" }), { code: "intent_mismatch" });
    await t.rejects(passwright.passes.list({ page_size: 101 }), { code: "invalid_request" });
  });

  t.test("401 for a wrong secret, and for nobody", async (t) => {
    const wrong = { ...credentials, application_secret: "pws_wrong" };
    await t.rejects(typedClient(baseUrl, wrong).passes.list(), { status: 401, code: "invalid_client" });
  });

  t.test("402 for who has no credits", async (t) => {
    await t.rejects(typedClient(baseUrl, poor).passes.create(body), {
      status: 402,
      code: "insufficient_credits",
    });
  });

  t.test("403 for who lacks the scope, by type or by own wish", async (t) => {
    const reader = typedClient(baseUrl, reporting);
    t.ok((await reader.passes.list()).total > 0);
    await t.rejects(reader.passes.create(body), { status: 403, code: "insufficient_scope" });
    const modest = typedClient(baseUrl, credentials, { scope: "templates:read" });
    await modest.templates.get(templateId);
    await t.rejects(modest.passes.list(), { status: 403, code: "insufficient_scope" });
    const greedy = typedClient(baseUrl, reporting, { scope: "passes:write" });
    await t.rejects(greedy.passes.list(), { status: 400, code: "invalid_scope" });
  });

  t.test("404 for what is not there", async (t) => {
    const nobody = "0193a0b4-7c11-7abc-8def-0123456789ab";
    await t.rejects(passwright.passes.get(nobody), { status: 404, code: "not_found" });
    await t.rejects(passwright.passes.updateByExternalRef("nobody's", { data: {} }), { code: "not_found" });
    await t.rejects(passwright.jobs.waitFor(nobody), { status: 404, code: "not_found" });
  });

  t.test("409 for a reference that is taken, and for a key that was", async (t) => {
    const idempotencyKey = crypto.randomUUID();
    const first = await passwright.passes.create(body, { idempotencyKey });
    t.strictSame(await passwright.passes.create(body, { idempotencyKey }), first);
    const changed = { ...body, data: { ...body.data, points: "7" } };
    await t.rejects(passwright.passes.create(changed), { status: 409, code: "duplicate_external_ref" });
    await t.rejects(passwright.passes.create(changed, { idempotencyKey }), {
      status: 409,
      code: "idempotency_key_reused",
    });
  });
}
