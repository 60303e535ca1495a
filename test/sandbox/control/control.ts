import t from "tap";
import { call } from "../fixtures/calls.ts";
import { becomeIssuer, genericObject, press, saveClaims, savePageOf } from "../fixtures/google.ts";
import { running } from "../fixtures/running.ts";

const events: [string, Record<string, unknown>][] = [];
const sandbox = await running(t, { log: (event, facts) => events.push([event, facts]) });
const at = (path: string) => `${sandbox.controlUrl}${path}`;

t.test("it says that it is well", async (t) => {
  const { status, json } = await call(at("/healthz"));
  t.equal(status, 200);
  t.strictSame(json, { status: "ok" });
  t.equal((await call(at("/healthz"), { method: "HEAD" })).text, "");
});

t.test("the page lists addresses, receivers, and what Google Wallet stores, escaped", async (t) => {
  const issuer = await becomeIssuer(sandbox.controlUrl);
  const title = "<script>alert(1)</script>";
  const body = {
    id: `${issuer.issuerId}.x`,
    issuerName: "E",
    reviewStatus: "UNDER_REVIEW",
    merchantName: "E",
  };
  await issuer.wallet("POST", "giftCardClass", { ...body, issuerName: title });
  await call(at("/receivers"), { method: "POST", body: { name: "shown-here", secret: "long enough" } });
  const { status, text, headers } = await call(at("/"));
  t.equal(status, 200);
  t.match(headers["content-type"], /^text\/html/);
  for (const shown of [sandbox.controlUrl, sandbox.apnsUrl, sandbox.webhookUrl, "shown-here", body.id]) {
    t.ok(text.includes(shown), shown);
  }
  t.match(text, "1 classes, 0 objects");
  t.notOk(text.includes(title));
  t.ok(text.includes("&#60;script&#62;"));
});

t.test("the page shows who saved what, what was called back, and what troubles an account", async (t) => {
  const issuer = await becomeIssuer(sandbox.controlUrl);
  const [classId, id] = [`${issuer.issuerId}.c`, `${issuer.issuerId}.o`];
  await issuer.wallet("POST", "genericClass", { id: classId });
  await issuer.wallet("POST", "genericObject", genericObject(id, classId));
  await press(savePageOf(sandbox.controlUrl, issuer, saveClaims(issuer, [id])), "save");
  const { client_email: email } = issuer.keyFile;
  const accountPath = at(`/sandbox/google/service-accounts/${email}`);
  await call(accountPath, { method: "PATCH", body: { key: "deleted", issuer_user: false } });
  await call(at(`/sandbox/google/issuers/${issuer.issuerId}`), { method: "PATCH", body: { demo: true } });
  const { text } = await call(at("/"));
  t.match(text, `<td>${id}</td><td>Member</td><td>yes</td>`);
  t.match(text, `<td>save</td><td>${id}</td>`);
  t.match(text, `<td>${email}</td><td>key deleted, no user of the issuer</td>`);
  t.match(text, `<td>${issuer.issuerId}</td><td>demo mode</td>`);
});

t.test("unknown paths are 404, wrong methods 405 with Allow", async (t) => {
  t.equal((await call(at("/nowhere"))).status, 404);
  t.equal((await call(at("//x"))).status, 404);
  const wrong = await call(at("/receivers"), { method: "PUT" });
  t.equal(wrong.status, 405);
  t.equal(wrong.headers.allow, "GET, POST");
});

t.test("bodies must be JSON objects with known members, said to be JSON", async (t) => {
  const post = (body: unknown, headers = {}) =>
    call(at("/credentials/apple"), { method: "POST", body, headers });
  t.equal((await post({ foo: 1 })).status, 400);
  t.equal((await post([])).status, 400);
  t.equal((await post("{", { "content-type": "application/json" })).status, 400);
  t.equal((await post("{}", { "content-type": "text/plain" })).status, 415);
  t.equal((await post({ pass_type_identifier: "com.example" })).status, 400);
  t.equal((await post({ team_identifier: "short" })).status, 400);
  t.equal((await post({ key_type: "dsa" })).status, 400);
  t.equal((await post({ key_type: 5 })).status, 400);
  const google = (body: unknown) => call(at("/credentials/google"), { method: "POST", body });
  t.equal((await google({ issuer_id: "abc" })).status, 400);
  t.equal((await google({ issuer_id: 5 })).status, 400);
  t.equal((await google("x".repeat(4_200_000))).status, 413);
});

t.test("every finished request is logged once, with its facts", async (t) => {
  events.length = 0;
  await call(at("/healthz?x=1"));
  await call(at("/nowhere"));
  t.strictSame(events, [
    ["sandbox.request", { server: "control", method: "GET", path: "/healthz?x=1", status: 200 }],
    ["sandbox.request", { server: "control", method: "GET", path: "/nowhere", status: 404 }],
  ]);
});
