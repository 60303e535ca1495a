import t from "tap";
import { call } from "../fixtures/calls.ts";
import { becomeIssuer, genericObject } from "../fixtures/google.ts";
import { running, settableClock } from "../fixtures/running.ts";

const sandbox = await running(t);
const issuer = await becomeIssuer(sandbox.controlUrl);
const api = `${sandbox.controlUrl}/walletobjects/v1`;
const faults = `${sandbox.controlUrl}/sandbox/google/faults`;
const classId = `${issuer.issuerId}.front`;
await issuer.wallet("POST", "genericClass", { id: classId });

t.test("without a bearer token, or with a bad one, it is 401 in Google's envelope", async (t) => {
  const missing = await call(`${api}/genericClass/${classId}`);
  t.equal(missing.status, 401);
  t.match(missing.headers["www-authenticate"], /^Bearer/);
  t.match(missing.json.error, {
    code: 401,
    status: "UNAUTHENTICATED",
    message: /missing required authentication credential/,
    errors: [{ domain: "global", reason: "required" }],
  });
  const token = issuer.token;
  const changed = `${token.slice(0, -2)}${token.endsWith("AA") ? "BB" : "AA"}`;
  for (const value of [`Bearer ${changed}`, "Bearer ya29.x.y", "Bearer x", `Basic ${token}`, "Bearer"]) {
    const bad = await call(`${api}/genericClass/${classId}`, { headers: { authorization: value } });
    t.equal(bad.status, 401, value.slice(0, 12));
  }
});

t.test("there is no DELETE, nor any path but those of the API", async (t) => {
  const absent = [
    await issuer.wallet("DELETE", `genericClass/${classId}`),
    await issuer.wallet("DELETE", "genericClass"),
    await issuer.wallet("POST", `genericClass/${classId}`, {}),
    await issuer.wallet("POST", `genericClass/${classId}/removeMessage`, {}),
    await issuer.wallet("GET", `genericClass/${classId}/addMessage`),
    await issuer.wallet("GET", "couponClass"),
    await issuer.wallet("GET", "genericClass/"),
  ];
  for (const { status, headers } of absent) {
    t.equal(status, 404);
    t.match(headers["content-type"], /^text\/html/);
  }
  t.equal((await issuer.wallet("GET", `genericClass/${classId}`)).status, 200);
});

t.test("HEAD works wherever GET does", async (t) => {
  const { status, text } = await issuer.wallet("HEAD", `genericClass/${classId}`);
  t.equal(status, 200);
  t.equal(text, "");
});

t.test("a body that is not a JSON object is refused", async (t) => {
  const json = { "content-type": "application/json" };
  const attempts = [
    await issuer.wallet("POST", "genericClass", "{", json),
    await issuer.wallet("POST", "genericClass", "[]", json),
    await issuer.wallet("POST", "genericClass", "null", json),
    await issuer.wallet(
      "POST",
      "genericClass",
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      json,
    ),
    await issuer.wallet("POST", "genericClass", "{}", { "content-type": "text/plain" }),
    await issuer.wallet("POST", "genericClass"),
  ];
  for (const { status, json } of attempts) {
    t.equal(status, 400);
    t.match(json.error, { status: "INVALID_ARGUMENT", errors: [{ reason: "parseError" }] });
  }
});

t.test("an id in the path may be percent-encoded", async (t) => {
  const { json } = await issuer.wallet("GET", `genericClass/${classId.replace(".", "%2E")}`);
  t.equal(json.id, classId);
  const bad = await issuer.wallet("GET", "genericClass/%E0%A4%A");
  t.equal(bad.status, 400);
});

t.test("another issuer's classes are forbidden, to read and to write", async (t) => {
  const other = await becomeIssuer(sandbox.controlUrl);
  const attempts = [
    await other.wallet("GET", `genericClass/${classId}`),
    await other.wallet("POST", "genericClass", { id: `${issuer.issuerId}.mine` }),
    await other.wallet("PATCH", `genericClass/${classId}`, {}),
    await other.wallet("GET", `genericClass?issuerId=${issuer.issuerId}`),
    await other.wallet("GET", `genericObject?classId=${classId}`),
    await other.wallet("POST", "genericObject", genericObject(`${other.issuerId}.o`, classId)),
    await other.wallet("POST", `genericClass/${classId}/addMessage`, { message: { header: "a", body: "b" } }),
  ];
  for (const { status, json } of attempts) {
    t.equal(status, 403);
    t.match(json.error, { status: "PERMISSION_DENIED", errors: [{ reason: "permissionDenied" }] });
  }
});

t.test("several service accounts may act for one issuer", async (t) => {
  const colleague = await becomeIssuer(sandbox.controlUrl, issuer.issuerId);
  t.not(colleague.keyFile.client_email, issuer.keyFile.client_email);
  t.equal((await colleague.wallet("GET", `genericClass/${classId}`)).status, 200);
});

t.test("a scripted status is answered as often as it says, to the resources that it names", async (t) => {
  const scripted = await call(faults, {
    method: "POST",
    body: {
      status: 429,
      times: 2,
      resource_prefix: `genericObject/${issuer.issuerId}.hit`,
      headers: { "retry-after": "1" },
    },
  });
  t.equal(scripted.status, 201);
  const insert = (name: string) =>
    issuer.wallet("POST", "genericObject", genericObject(`${issuer.issuerId}.${name}`, classId));
  const first = await insert("hit-1");
  t.equal(first.status, 429);
  t.equal(first.headers["retry-after"], "1");
  t.match(first.json.error, {
    code: 429,
    status: "RESOURCE_EXHAUSTED",
    errors: [{ reason: "rateLimitExceeded" }],
  });
  t.equal((await insert("miss")).status, 200);
  t.match((await call(faults)).json.faults, [{ status: 429, times: 1 }]);
  t.equal((await issuer.wallet("GET", `genericObject/${issuer.issuerId}.hit-1`)).status, 429);
  t.equal((await insert("hit-1")).status, 200);
  t.strictSame((await call(faults)).json.faults, []);
});

t.test("a fault after the fact loses the answer, not the write", async (t) => {
  const id = `${issuer.issuerId}.lost`;
  await call(faults, { method: "POST", body: { status: 503, after: true } });
  t.equal((await issuer.wallet("POST", "genericObject", genericObject(id, classId))).status, 503);
  t.equal((await issuer.wallet("POST", "genericObject", genericObject(id, classId))).status, 409);
});

t.test("a reset cuts the connection without an answer", async (t) => {
  await call(faults, { method: "POST", body: { reset: true } });
  await t.rejects(issuer.wallet("GET", `genericClass/${classId}`), { code: "ECONNRESET" });
  t.equal((await issuer.wallet("GET", `genericClass/${classId}`)).status, 200);
});

t.test("a delay alone ends in the truth", async (t) => {
  await call(faults, { method: "POST", body: { delay_ms: 50 } });
  const began = performance.now();
  t.equal((await issuer.wallet("GET", `genericClass/${classId}`)).status, 200);
  t.ok(performance.now() - began >= 49);
});

t.test("the token endpoint has faults too, and DELETE ends them all", async (t) => {
  await call(faults, { method: "POST", body: { status: 500, times: 100, resource_prefix: "token" } });
  t.equal((await call(`${sandbox.controlUrl}/token`, { method: "POST" })).status, 500);
  t.equal((await issuer.wallet("GET", `genericClass/${classId}`)).status, 200);
  t.equal((await call(faults, { method: "DELETE" })).status, 204);
  t.equal((await call(`${sandbox.controlUrl}/token`, { method: "POST" })).status, 400);
});

t.test("a fault that says nothing sensible is refused", async (t) => {
  for (const body of [
    {},
    { status: 200 },
    { status: 404 },
    { status: 503, times: 0 },
    { foo: 1 },
    { reset: "yes" },
  ]) {
    t.equal((await call(faults, { method: "POST", body })).status, 400, JSON.stringify(body));
  }
});

t.test("what is stored can be looked at", async (t) => {
  const { json } = await call(`${sandbox.controlUrl}/sandbox/google/state?id_prefix=${classId}`);
  t.match(json.classes, [{ type: "genericClass", id: classId, resource: { id: classId } }]);
  t.strictSame(json.objects, []);
  t.ok(json.service_accounts.some((account: { issuer_id: string }) => account.issuer_id === issuer.issuerId));
  t.notMatch(JSON.stringify(json), /PRIVATE KEY/);
});

t.test("the limit of requests a second holds where it is switched on, for each account alone", async (t) => {
  const clock = settableClock();
  const limited = await running(t, { dataDir: t.testdir(), googleRequestsPerSecond: 20, clock });
  const one = await becomeIssuer(limited.controlUrl);
  const two = await becomeIssuer(limited.controlUrl);
  const path = (id: string) => `genericClass?issuerId=${id}`;
  const statuses = [];
  for (let n = 0; n < 21; n++) statuses.push((await one.wallet("GET", path(one.issuerId))).status);
  t.strictSame(statuses, [...new Array(20).fill(200), 429]);
  t.equal((await two.wallet("GET", path(two.issuerId))).status, 200);
  clock.forward(1000);
  t.equal((await one.wallet("GET", path(one.issuerId))).status, 200);
});
