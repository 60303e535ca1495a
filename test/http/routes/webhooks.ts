import t, { type Test } from "tap";
import { scopesOf } from "../../../src/domain/applications/application.ts";
import { webhookEventTypes } from "../../../src/domain/events/event.ts";
import type { Client } from "../../e2e/support/client.ts";
import { faultyPaths, withoutTrace } from "../../e2e/support/requests.ts";
import { openApi } from "../../support/api.ts";
import { addEvent, openOutbox } from "../../support/outbox.ts";

// Addresses that are judged without a resolver.
const api = await openApi(t, { settings: { PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/8" } });
const url = "https://10.1.2.3/hook";
const body = { url, events: ["pass.created", "job.completed"], secret: "correct horse battery" };
const path = "/api/v1/webhooks";

/** A tenant of its own, and a webhook. */
async function opened() {
  const caller = await api.caller();
  const created = (await caller.post(path, body)).json;
  return { caller, created, at: `${path}/${created.id}` };
}

const patch = (caller: Client, at: string, changes: unknown, headers = {}) =>
  caller.ask(at, { method: "PATCH", body: changes, headers });
const remove = (caller: Client, at: string, headers = {}) => caller.ask(at, { method: "DELETE", headers });

t.test("a webhook is registered, read, changed and deleted", async (t) => {
  const caller = await api.caller();
  const posted = await caller.post(path, body);
  t.equal(posted.status, 201);
  const { id, ...rest } = posted.json;
  t.equal(posted.headers.location, `${api.baseUrl}${path}/${id}`);
  t.strictSame(rest, {
    url,
    events: body.events,
    is_active: true,
    secret_prefix: "corr",
    created_at: new Date(api.clock.nowMs()).toISOString(),
  });
  const read = await caller.get(`${path}/${id}`);
  t.strictSame([read.status, read.json], [200, posted.json]);

  const changes = {
    url: "https://10.9.9.9/other",
    events: ["batch.completed"],
    secret: "12345678",
    is_active: false,
  };
  const patched = await patch(caller, `${path}/${id}`, changes);
  const { secret, ...shown } = changes;
  t.strictSame([patched.status, patched.json], [200, { ...posted.json, ...shown, secret_prefix: "1234" }]);
  t.strictSame((await caller.get(`${path}/${id}`)).json, patched.json);
  t.notOk(patched.text.includes(secret));

  const deleted = await remove(caller, `${path}/${id}`);
  t.strictSame([deleted.status, deleted.text, deleted.headers["content-type"]], [204, "", undefined]);
  for (const reply of [
    await caller.get(`${path}/${id}`),
    await caller.get(`${path}/${id}/deliveries`),
    await patch(caller, `${path}/${id}`, {}),
    await remove(caller, `${path}/${id}`),
  ]) {
    t.match(reply, { status: 404, json: { error: "not_found" } });
  }
});

t.test("webhooks are listed newest first, in pages", async (t) => {
  const caller = await api.caller();
  const ids = [];
  for (let i = 0; i < 3; i++) {
    api.clock.forward(1);
    ids.unshift((await caller.post(path, body)).json.id);
  }
  const list = async (query: string) => {
    const { status, json } = await caller.get(`${path}${query}`);
    t.equal(status, 200);
    return { ...json, data: json.data.map(({ id }: { id: string }) => id) };
  };
  t.strictSame(await list(""), { data: ids, total: 3, page: 1, page_size: 20 });
  t.strictSame(await list("?page=2&page_size=2&colour=red"), {
    data: ids.slice(2),
    total: 3,
    page: 2,
    page_size: 2,
  });
  for (const query of ["?page=0", "?page=x", "?page_size=101", "?page_size=1.5", "?page=1&page=2"]) {
    for (const where of [path, `${path}/${ids[0]}/deliveries`]) {
      t.match(
        await caller.get(where + query),
        { status: 400, json: { error: "invalid_request" } },
        where + query,
      );
    }
  }
});

// biome-ignore format: read as a table
const faults: readonly [what: string, member: string, values: readonly unknown[]][] = [
  ["url",       "/url",       ["", 5, null, "http://10.1.2.3/", "https://127.0.0.1/", "https://u@10.1.2.3/", `${url}#`,
                               "https://10.1.2.3:6379/", "https://[::ffff:169.254.169.254]/", "https://2130706433/", `https://10.1.2.3/${"ü".repeat(2032)}`]],
  ["events",    "/events",    ["pass.created", [], null, ["pass.created", "pass.created"]]],
  ["events",    "/events/0",  [["pass.activated"], ["*"], [5]]],
  ["secret",    "/secret",    ["1234567", "x".repeat(256), 12345678, null]],
  ["is_active", "/is_active", ["true", 1, null]],
  ["colour",    "/colour",    ["red"]],
];

t.test("each rule of a member holds when it is registered and when it is changed", async (t) => {
  const { caller, created, at } = await opened();
  for (const [member, expected, values] of faults) {
    for (const value of values) {
      const says = `${member} = ${JSON.stringify(value)?.slice(0, 60)}`;
      const changed = await patch(caller, at, { [member]: value });
      t.match(changed, { status: 400, json: { error: "invalid_request" } }, `PATCH ${says}`);
      t.strictSame([...new Set(faultyPaths(changed))], [expected], `PATCH ${says}`);
      const posted = await caller.post(path, { ...body, [member]: value });
      t.equal(posted.status, 400, `POST ${says}`);
      t.strictSame([...new Set(faultyPaths(posted))], [expected], `POST ${says}`);
    }
  }
  t.strictSame((await caller.get(at)).json, created);
  t.equal((await caller.get(path)).json.total, 1);
});

t.test("all violations of a body are named at once", async (t) => {
  const { caller, at } = await opened();
  const changes = { url: 5, events: [], secret: "short", is_active: "no", colour: "red" };
  const expected = ["/colour", "/events", "/is_active", "/secret", "/url"];
  t.strictSame(faultyPaths(await patch(caller, at, changes)), expected);
  for (const wrong of ["[]", "null", '"x"', "{", '{"__proto__":1}']) {
    const headers = { "content-type": "application/json" };
    const reply = await caller.ask(at, { method: "PATCH", body: wrong, headers });
    t.match(reply, { status: 400, json: { error: "invalid_request" } }, wrong);
  }
});

t.test("limits are counted in code points, and their ends are within", async (t) => {
  const caller = await api.caller();
  const long = `https://10.1.2.3/${"ü".repeat(2048 - "https://10.1.2.3/".length)}`;
  const secret = "🔑".repeat(255);
  const posted = await caller.post(path, { url: long, events: webhookEventTypes, secret });
  t.match(posted, { status: 201, json: { url: long, secret_prefix: "🔑🔑🔑🔑" } });
  t.equal((await patch(caller, `${path}/${posted.json.id}`, { secret: "12345678" })).status, 200);
});

t.test("an empty change is a 200 that changes nothing", async (t) => {
  const { caller, created, at } = await opened();
  const reply = await patch(caller, at, {});
  t.strictSame([reply.status, reply.json], [200, created]);
});

t.test(
  "a repeat with the same Idempotency-Key gets the first answer, of every method that changes",
  async (t) => {
    const caller = await api.caller();
    const key = { "idempotency-key": "k-1" };
    const first = await caller.post(path, body, key);
    const again = await caller.post(path, body, key);
    t.strictSame(
      [again.status, again.text, again.headers.location],
      [201, first.text, first.headers.location],
    );
    t.equal(again.headers["idempotent-replayed"], "true");
    t.equal(first.headers["idempotent-replayed"], undefined);

    const at = `${path}/${first.json.id}`;
    const patched = await patch(caller, at, { is_active: false }, key);
    t.equal(patched.status, 200);
    await patch(caller, at, { is_active: true });
    const repeated = await patch(caller, at, { is_active: false }, key);
    t.strictSame([repeated.status, repeated.text], [200, patched.text]);
    t.equal(repeated.headers["idempotent-replayed"], "true");
    t.equal((await caller.get(at)).json.is_active, true, "a repeat changes nothing");
    const reused = await patch(caller, at, { is_active: true }, key);
    t.match(reused, { status: 409, json: { error: "idempotency_key_reused" } });

    t.match(await remove(caller, at, key), { status: 204, headers: { "idempotent-replayed": undefined } });
    t.match(await remove(caller, at, key), {
      status: 204,
      text: "",
      headers: { "idempotent-replayed": "true" },
    });
    t.equal((await remove(caller, at)).status, 404);
    t.match(await patch(caller, at, { is_active: false }, key), { status: 200, text: patched.text });
  },
);

t.test("another tenant's webhook looks like none, in every method", async (t) => {
  const { created, at } = await opened();
  const stranger = await api.caller();
  const nowhere = `${path}/${api.ids.uuid()}`;
  for (const [name, call] of Object.entries({
    read: (where: string) => stranger.get(where),
    deliveries: (where: string) => stranger.get(`${where}/deliveries`),
    change: (where: string) => patch(stranger, where, { is_active: false }),
    remove: (where: string) => remove(stranger, where),
  })) {
    const [foreign, missing] = [await call(at), await call(nowhere)];
    t.equal(foreign.status, 404, name);
    t.strictSame(withoutTrace(foreign), withoutTrace(missing), name);
  }
  t.equal((await stranger.get(path)).json.total, 0);
  const owner = await api.caller({ tenantId: (await opened()).caller.tenantId });
  t.equal((await owner.get(path)).json.total, 1);
  t.strictSame((await (await api.caller()).get(`${path}/not-a-uuid`)).status, 404);
  t.ok(created.id);
});

t.test("every endpoint needs the scope webhooks:write", async (t) => {
  const { at, caller } = await opened();
  const others = scopesOf.backend.filter((scope) => scope !== "webhooks:write");
  const weak = await api.caller({ tenantId: caller.tenantId, scopes: others });
  for (const reply of [
    await weak.get(path),
    await weak.post(path, body),
    await weak.get(at),
    await patch(weak, at, {}),
    await remove(weak, at),
    await weak.get(`${at}/deliveries`),
  ]) {
    t.match(reply, { status: 403, json: { error: "insufficient_scope" } });
    t.match(reply.headers["www-authenticate"], /scope="webhooks:write"/);
  }
});

t.test("methods that the paths do not have are told apart, and HEAD is answered", async (t) => {
  const { at, caller } = await opened();
  for (const [where, method, allow] of [
    [path, "PUT", "POST, GET, HEAD"],
    [at, "POST", "GET, HEAD, PATCH, DELETE"],
    [`${at}/deliveries`, "DELETE", "GET, HEAD"],
  ] as const) {
    const reply = await caller.ask(where, { method });
    t.match(reply, { status: 405, headers: { allow } }, `${method} ${where}`);
  }
  for (const where of [path, at, `${at}/deliveries`]) {
    t.match(await caller.ask(where, { method: "HEAD" }), { status: 200, text: "" }, where);
  }
});

t.test("the fifty-first webhook is refused, and a deletion makes room", async (t) => {
  const { caller, at } = await opened();
  await Promise.all(Array.from({ length: 49 }, () => caller.post(path, body)));
  t.match(await caller.post(path, body), { status: 409, json: { error: "too_many_webhooks" } });
  await remove(caller, at);
  t.equal((await caller.post(path, body)).status, 201);
});

/** What the fan-out and a worker do, as far as the history shows it. */
async function fire(t: Test, tenantId: string) {
  const event = await addEvent(api.store, { tenantId, type: "pass.created" });
  await openOutbox(api.store).fanOut(10);
  t.ok(event);
  return event;
}

t.test("the delivery history has exactly the documented members", async (t) => {
  const { caller, created, at } = await opened();
  const event = await fire(t, caller.tenantId);
  const now = new Date(api.clock.nowMs()).toISOString();
  const pending = (await caller.get(`${at}/deliveries`)).json;
  const [{ id }] = pending.data;
  t.strictSame(pending, {
    data: [
      {
        id,
        event_id: event,
        event_type: "pass.created",
        status: "pending",
        attempts: [],
        next_attempt_at: now,
        created_at: now,
      },
    ],
    total: 1,
    page: 1,
    page_size: 20,
  });
  const key = api.store.keys.record(caller.tenantId, "delivery", id);
  const attempt = { number: 1, atMs: 0, statusCode: null, durationMs: 30_000, error: "no complete answer" };
  await api.store.connection.hset(key, {
    status: "retrying",
    next_at: "60000",
    "attempt:1": JSON.stringify(attempt),
  });
  t.match((await caller.get(`${at}/deliveries`)).json.data[0], {
    status: "retrying",
    next_attempt_at: "1970-01-01T00:01:00.000Z",
    attempts: [
      {
        number: 1,
        at: "1970-01-01T00:00:00.000Z",
        status_code: null,
        duration_ms: 30_000,
        error: "no complete answer",
      },
    ],
  });
  t.ok(created.id);
});

t.test("the delivery history reaches back thirty days, in pages", async (t) => {
  const { caller, at } = await opened();
  const old = await fire(t, caller.tenantId);
  api.clock.forward(29 * 24 * 3600 * 1000);
  const young = await fire(t, caller.tenantId);
  const idsOf = async (query = "") => {
    const { json } = await caller.get(`${at}/deliveries${query}`);
    return { events: json.data.map((one: { event_id: string }) => one.event_id), total: json.total };
  };
  t.strictSame(await idsOf(), { events: [young, old], total: 2 });
  t.strictSame(await idsOf("?page=2&page_size=1"), { events: [old], total: 2 });
  api.clock.forward(24 * 3600 * 1000 + 1);
  t.strictSame(await idsOf(), { events: [young], total: 1 });
});
