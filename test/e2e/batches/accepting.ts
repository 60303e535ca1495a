import type { Test } from "tap";
import { faultyPaths } from "../support/requests.ts";
import { instant, uuidV7 } from "../support/shapes.ts";
import { openBatches, revoke, update } from "./surroundings.ts";

/** What is told and written when a batch is accepted, before any worker looks at it. */
export async function accepting(t: Test) {
  const { customer, service } = await openBatches(t, { workers: 0 });

  t.test("an accepted batch is queued, with its job, and read as it was answered", async (t) => {
    const { client, create } = await customer();
    const body = { name: "Spring", operations: [create("a"), update("a"), revoke("a")] };
    const accepted = await client.post("/api/v1/batches", body);
    t.equal(accepted.status, 202, accepted.text);
    const { id, job_id, created_at, ...rest } = accepted.json;
    t.match({ id, job_id, created_at }, { id: uuidV7, job_id: uuidV7, created_at: instant });
    t.strictSame(rest, {
      ...{ name: "Spring", status: "queued", total: 3, succeeded: 0, failed: 0, errors: [] },
      ...{ started_at: null, finished_at: null },
    });
    t.equal(accepted.headers.location, `${service.baseUrl}/api/v1/jobs/${job_id}`);
    t.strictSame((await client.get(`/api/v1/batches/${id}`)).json, accepted.json);
    const job = await client.get(`/api/v1/jobs/${job_id}`);
    t.match(job.json, {
      ...{ type: "batch.process", status: "queued", resource: { type: "batch", id } },
      ...{ progress: { done: 0, total: 3 }, error: null, started_at: null, finished_at: null },
    });
    t.match(job.headers, { "retry-after": "1" });
    t.equal((await customer().then((other) => other.client.get(`/api/v1/batches/${id}`))).status, 404);
  });

  t.test("a batch without a name, and without creations, is one too", async (t) => {
    for (const billing of [
      { mode: "prepaid", credits: 0 },
      { mode: "contract", monthlyCap: 0 },
    ] as const) {
      const { submit, left } = await customer(billing);
      const { status, json, text } = await submit([update("nobody")]);
      t.equal(status, 202, text);
      t.equal(json.name, null);
      t.equal(await left(), 0);
    }
  });

  t.test("operations of a wrong shape refuse the whole batch, and each is named", async (t) => {
    const { client, create, pass, submit, left } = await customer();
    const id = crypto.randomUUID();
    const wrong: [unknown, string][] = [
      [{ type: "update", data: {} }, ""],
      [{ type: "update", external_ref: "a", pass_id: id, data: {} }, ""],
      [{ type: "revoke" }, ""],
      [{ type: "revoke", pass_id: "7" }, "/pass_id"],
      [{ type: "rename", external_ref: "a" }, "/type"],
      [{ external_ref: "a" }, "/type"],
      [{ type: "create" }, "/pass"],
      [{ type: "create", pass: { ...pass("b"), external_ref: "" } }, "/pass/external_ref"],
      [{ type: "create", pass: { ...pass("b"), data: { name: 7 } } }, "/pass/data/name"],
      [{ type: "create", pass: pass("b"), data: {} }, "/data"],
      [{ type: "update", external_ref: "a" }, "/data"],
      [{ type: "update", external_ref: "a", data: { "no key": "x" } }, "/data/no key"],
      ["create", ""],
    ];
    const operations = [create("fits"), ...wrong.map(([operation]) => operation)] as never[];
    const refused = await submit(operations);
    t.equal(refused.status, 400);
    t.equal(refused.json.error, "invalid_request");
    const paths = wrong.map(([, member], i) => `/operations/${i + 1}${member}`);
    t.strictSame(faultyPaths(refused), paths.sort());

    const many = await submit(Array.from({ length: 2500 }, () => ({ type: "revoke" })));
    const named = faultyPaths(many).map((path) => Number(path.split("/")[2]));
    t.strictSame(
      named.sort((a, b) => a - b),
      Array.from({ length: 2500 }, (_, i) => i),
      "however many they are",
    );
    for (const body of [
      {},
      { operations: [] },
      { operations: {} },
      { operations: [create("c")], name: "" },
    ]) {
      t.equal((await client.post("/api/v1/batches", body)).status, 400);
    }
    t.equal((await client.get("/api/v1/batches")).json.total, 0);
    t.equal(await left(), 1000);
  });

  t.test("ten thousand operations are a batch, one more is not", async (t) => {
    const { submit } = await customer();
    const operations = Array.from({ length: 10_001 }, () => revoke("nobody"));
    t.strictSame(faultyPaths(await submit(operations)), ["/operations"]);
    const accepted = await submit(operations.slice(1));
    t.match(accepted, { status: 202, json: { total: 10_000 } });
  });

  t.test("a body of 8 MiB is taken, one of a byte more is 413", async (t) => {
    const { client, create } = await customer({ mode: "prepaid", credits: 10_000 });
    const name = "é".repeat(2000);
    const operations = Array.from({ length: 2000 }, (_, i) => create(`large-${i}`, { name }));
    const json = JSON.stringify({ operations });
    const most = 8 * 1024 * 1024;
    const padded = json.padEnd(json.length + most - Buffer.byteLength(json), " ");
    const headers = { "content-type": "application/json" };
    t.equal(Buffer.byteLength(padded), most);
    const accepted = await client.post("/api/v1/batches", padded, headers);
    t.match(accepted, { status: 202, json: { total: 2000 } });
    const refused = await client.post("/api/v1/batches", `${padded} `, headers);
    t.match(refused, { status: 413, json: { error: "invalid_request" } });
  });

  t.test("a repeat with the same key gets the first answer, and there is one batch", async (t) => {
    const { client, submit, create, left } = await customer();
    const key = { "idempotency-key": crypto.randomUUID() };
    const operations = [create("a"), create("b")];
    const [one, other] = await Promise.all([submit(operations, key), submit(operations, key)]);
    const later = await submit(operations, key);
    t.strictSame([one.status, other.status, later.status], [202, 202, 202]);
    t.strictSame([other.text, later.text], [one.text, one.text]);
    const replays = [one, other, later].map(({ headers }) => headers["idempotent-replayed"] ?? "");
    t.strictSame(replays.sort(), ["", "true", "true"]);
    t.equal(later.headers.location, one.headers.location);
    const reused = await submit([create("a")], key);
    t.match(reused, { status: 409, json: { error: "idempotency_key_reused" } });
    t.equal((await client.get("/api/v1/batches")).json.total, 1);
    t.equal(await left(), 998);
  });

  t.test(
    "creations reserve their credits, and a batch that cannot pay all of them is refused whole",
    async (t) => {
      for (const [billing, error] of [
        [{ mode: "prepaid", credits: 3 }, "insufficient_credits"],
        [{ mode: "contract", monthlyCap: 3 }, "contract_cap_reached"],
      ] as const) {
        const { client, submit, create, left } = await customer(billing);
        const refused = await submit([create("a"), create("b"), create("c"), create("d")]);
        t.match(refused, { status: 402, json: { error, required: 4, balance: 3 } });
        t.equal("purchase_url" in refused.json, billing.mode === "prepaid", "who can buy is told where");
        t.equal("resets_at" in refused.json, billing.mode === "contract", "who has a month is told its end");
        t.equal(await left(), 3);
        t.equal((await client.get("/api/v1/batches")).json.total, 0);
        t.equal((await submit([create("a"), update("a"), create("b")])).status, 202);
        t.equal(await left(), 1, "reserved at once");
        t.equal((await submit([create("c"), create("d")])).status, 402);
      }
    },
  );

  t.test("a queued batch is cancelled, once, and gives its credits back", async (t) => {
    const { client, submit, create, left, read } = await customer();
    const stranger = await customer();
    const { id, job_id } = (await submit([create("a"), create("b")])).json;
    const path = `/api/v1/batches/${id}`;
    const cancel = (headers = {}, who = client) => who.ask(path, { method: "DELETE", headers });
    t.equal((await cancel({}, stranger.client)).status, 404);
    const key = { "idempotency-key": crypto.randomUUID() };
    const [one, other] = await Promise.all([cancel(key), cancel(key)]);
    t.match(one, { status: 202, json: { id, status: "cancelled", finished_at: instant } });
    t.strictSame([other.status, other.text], [202, one.text], "two equal requests at once get one answer");
    t.strictSame(await read(id), one.json);
    t.equal(await left(), 1000);
    t.match((await client.get(`/api/v1/jobs/${job_id}`)).json, {
      ...{ status: "cancelled", progress: { done: 0, total: 2 }, finished_at: one.json.finished_at },
    });
    t.match(await cancel(), { status: 409, json: { error: "invalid_state" } });
    t.equal((await cancel(key)).text, one.text);
    t.equal(await left(), 1000, "not a second time");
    const nowhere = `/api/v1/batches/${crypto.randomUUID()}`;
    t.equal((await client.ask(nowhere, { method: "DELETE" })).status, 404);
    for (const queue of service.queues) t.strictSame(await queue.claim(service.partitions, 10), []);
  });

  t.test("ten batches may be active, an eleventh is told to wait until one has ended", async (t) => {
    const { client, submit, create } = await customer({ mode: "prepaid", credits: 0 });
    const active = [];
    for (let i = 0; i < 10; i++) active.push(await submit([revoke("nobody")]));
    t.ok(active.every(({ status }) => status === 202));
    const refused = await submit([create("too dear, but that is said later")]);
    t.match(refused, { status: 429, json: { error: "too_many_batches", error_description: /\S/ } });
    t.match(refused.headers, {
      ...{ "retry-after": /^[1-9]\d*$/, "ratelimit-limit": "10", "ratelimit-remaining": "0" },
      "ratelimit-reset": /^[1-9]\d*$/,
    });
    t.equal((await submit([])).status, 400, "a wrong body is told before");
    t.equal((await (await customer()).submit([revoke("nobody")])).status, 202, "others are not concerned");
    await client.ask(`/api/v1/batches/${active[3]?.json.id}`, { method: "DELETE" });
    t.equal((await submit([revoke("nobody")])).status, 202);
    t.equal((await submit([revoke("nobody")])).status, 429);
  });

  t.test("batches are listed newest first, by status and page", async (t) => {
    const { client, submit } = await customer();
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift((await submit([revoke("nobody")])).json.id);
    const list = async (query: string) => {
      const { json } = await client.get(`/api/v1/batches${query}`);
      return [json.data.map(({ id }: { id: string }) => id), json.total, json.page, json.page_size];
    };
    t.strictSame(await list(""), [ids, 5, 1, 20]);
    t.strictSame(await list("?page=2&page_size=2"), [ids.slice(2, 4), 5, 2, 2]);
    await client.ask(`/api/v1/batches/${ids[1]}`, { method: "DELETE" });
    t.strictSame(await list("?status=cancelled"), [[ids[1]], 1, 1, 20]);
    t.strictSame((await list("?status=queued"))[1], 4);
    for (const status of ["processing", "completed"])
      t.strictSame(await list(`?status=${status}`), [[], 0, 1, 20]);
    t.strictSame(faultyPaths(await client.get("/api/v1/batches?status=done")), ["status"]);
  });
}
