import type { Test } from "tap";
import { finished } from "../support/passes.ts";
import { instant } from "../support/shapes.ts";
import { type Customer, type Operation, openBatches, revoke, update } from "./surroundings.ts";

/** What a batch comes to, with a worker at work. */
export async function carryingOut(t: Test) {
  const { customer } = await openBatches(t, { workers: 1 });

  /** Submits a batch and answers with it as it ended, its job beside it. */
  const carriedOut = async ({ client, submit, read }: Customer, operations: readonly Operation[]) => {
    const accepted = await submit(operations);
    if (accepted.status !== 202) throw new Error(accepted.text);
    const job = (await finished(client, accepted)).json;
    return { batch: await read(accepted.json.id), job };
  };
  const settled = async ({ client, passOf }: Customer, ref: string) => {
    await finished(client, { json: await passOf(ref) } as never);
    return passOf(ref);
  };

  t.test("operations of one pass are carried out in their order", async (t) => {
    const tenant = await customer();
    const refs = Array.from({ length: 12 }, (_, i) => `ordered-${i}`);
    // Interleaved, so that nothing but the pass keeps them apart.
    const steps = [
      (ref: string) => tenant.create(ref),
      (ref: string) => update(ref, { points: "1" }),
      (ref: string) => update(ref, { name: "fine again", points: null }),
      revoke,
    ];
    const { batch, job } = await carriedOut(
      tenant,
      steps.flatMap((step) => refs.map(step)),
    );
    t.match(batch, { status: "completed", total: 48, succeeded: 48, failed: 0, errors: [] });
    t.match(batch, { started_at: instant, finished_at: instant });
    t.match(job, { status: "completed", progress: { done: 48, total: 48 }, error: null, attempts: 1 });
    for (const ref of refs) {
      const pass = await settled(tenant, ref);
      t.match(pass, { status: "revoked", version: 3, data: { name: "fine again" } });
      const { json } = await tenant.client.get(`/api/v1/passes/${pass.id}/versions`);
      t.strictSame(
        json.data.map(({ version, change, data }: Record<string, unknown>) => [version, change, data]),
        [
          [3, "updated", { name: "fine again" }],
          [2, "updated", { name: "fine", points: "1" }],
          [1, "created", { name: "fine" }],
        ],
      );
    }
  });

  t.test("the same pass by its id and by its reference is one pass", async (t) => {
    const tenant = await customer();
    const { id } = (await tenant.client.post("/api/v1/passes", tenant.pass("named"))).json;
    const operations = Array.from({ length: 40 }, (_, i) => ({
      ...{ type: "update", data: { points: String(i) } },
      ...(i % 2 === 0 ? { pass_id: id } : { external_ref: "named" }),
    }));
    const { batch } = await carriedOut(tenant, operations);
    t.match(batch, { succeeded: 40, failed: 0 });
    const { json } = await tenant.client.get(`/api/v1/passes/${id}/versions?page_size=100`);
    const points = json.data.map(({ data }: { data: { points?: string } }) => data.points);
    t.strictSame(points.reverse(), [undefined, ...operations.map(({ data }) => data.points)]);
  });

  t.test("what fails is told with its index and error, and stops nothing", async (t) => {
    const tenant = await customer();
    const { create, pass, client } = tenant;
    await client.post("/api/v1/passes", pass("there"));
    const stranger = await customer();
    const foreign = (await stranger.client.post("/api/v1/passes", stranger.pass("theirs"))).json;
    const cases: [Operation, string | null][] = [
      [create("a"), null],
      [create("b", { points: "1" }), "invalid_request"],
      [{ type: "create", pass: { ...pass("c"), template_id: crypto.randomUUID() } }, "invalid_template"],
      [{ type: "create", pass: { ...pass("c"), intent: "coupon" } }, "intent_mismatch"],
      [create("there"), null],
      [create("there", { name: "other" }), "duplicate_external_ref"],
      [update("nobody"), "not_found"],
      [{ type: "update", pass_id: foreign.id, data: {} }, "not_found"],
      [update("there", { colour: "red" }), "invalid_request"],
      [update("there", { name: null }), "invalid_request"],
      [revoke("there"), null],
      [revoke("there"), "invalid_state"],
      [update("there", {}), "invalid_state"],
      [create("there"), "duplicate_external_ref"],
      [update("a", { points: "7" }), null],
    ];
    const { batch, job } = await carriedOut(
      tenant,
      cases.map(([operation]) => operation),
    );
    const wanted = cases.flatMap(([, error], index) => (error === null ? [] : [{ index, error }]));
    t.match(batch, { status: "completed", total: cases.length, failed: wanted.length });
    t.equal(batch.succeeded, cases.length - wanted.length);
    t.strictSame(
      batch.errors.map(({ index, error }: Record<string, unknown>) => ({ index, error })),
      wanted,
    );
    for (const { error_description } of batch.errors) t.match(error_description, /\S/);
    t.match(job, { status: "completed", progress: { done: cases.length, total: cases.length } });
    t.match(await settled(tenant, "a"), { status: "active", version: 2, data: { points: "7" } });
  });

  t.test("ten thousand that fail are counted, and the hundred lowest are told", async (t) => {
    const tenant = await customer();
    const operations = Array.from({ length: 10_000 }, (_, i) =>
      i === 37 ? tenant.create("one") : update("nobody"),
    );
    const { batch, job } = await carriedOut(tenant, operations);
    t.match(batch, { total: 10_000, succeeded: 1, failed: 9999 });
    t.strictSame(
      batch.errors.map(({ index }: { index: number }) => index),
      Array.from({ length: 101 }, (_, i) => i).filter((i) => i !== 37),
    );
    t.strictSame(job.progress, { done: 10_000, total: 10_000 });
  });

  t.test("the job tells how far it is while it runs, and a batch that runs is not cancelled", async (t) => {
    const tenant = await customer();
    const { client, read } = tenant;
    const accepted = await tenant.submit(Array.from({ length: 3000 }, () => update("nobody")));
    const { id, job_id } = accepted.json;
    const seen = new Set<number>();
    let refusals = 0;
    for (;;) {
      const { json } = await client.get(`/api/v1/jobs/${job_id}`);
      const batch = await read(id);
      if (batch.status === "processing") {
        t.match(batch, { started_at: instant, finished_at: null });
        seen.add(json.progress.done);
        const refused = await client.ask(`/api/v1/batches/${id}`, { method: "DELETE" });
        if (refused.json.error === "invalid_state") refusals += 1;
      }
      if (json.status === "completed") break;
    }
    t.ok(
      [...seen].some((done) => done > 0 && done < 3000),
      `seen at ${[...seen].slice(0, 5)} …`,
    );
    t.ok(refusals > 0);
    t.match(await read(id), { status: "completed", failed: 3000 });
    t.equal(
      (await client.ask(`/api/v1/batches/${id}`, { method: "DELETE" })).status,
      409,
      "nor one that ended",
    );
  });

  t.test("what was reserved and not used comes back, of failed and of repeated creations", async (t) => {
    for (const billing of [
      { mode: "prepaid", credits: 10 },
      { mode: "contract", monthlyCap: 10 },
    ] as const) {
      const tenant = await customer(billing);
      const { create } = tenant;
      const { batch } = await carriedOut(tenant, [
        create("a"),
        create("a"),
        create("a", { name: "other" }),
        create("b", { points: "1" }),
        create("c", { name: "both_refuse" }),
      ]);
      t.match(batch, { succeeded: 3, failed: 2 });
      t.match(await settled(tenant, "c"), { status: "failed" });
      t.equal(await tenant.left(), 9, "one pass lives");
    }
  });

  t.test("an ended batch makes room for another", async (t) => {
    const tenant = await customer();
    for (let i = 0; i < 12; i++) await carriedOut(tenant, [update("nobody")]);
    const { json } = await tenant.client.get("/api/v1/batches?status=completed");
    t.equal(json.total, 12);
  });
}
