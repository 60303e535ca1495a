import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { Webhook } from "standardwebhooks";
import t from "tap";
import { call } from "../fixtures/calls.ts";
import { running, settableClock } from "../fixtures/running.ts";

const clock = settableClock();
const sandbox = await running(t, { clock });
const ca = readFileSync(sandbox.caFile, "utf8");
const control = (method: string, path: string, body?: unknown) =>
  call(`${sandbox.controlUrl}${path}`, { method, body });

const plainSecret = "correct horse battery stäple";
const prefixedSecret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
await control("POST", "/receivers", { name: "plain", secret: plainSecret });
await control("POST", "/receivers", { name: "prefixed", secret: prefixedSecret });

const body = JSON.stringify({ id: "evt_1", type: "pass.created", data: { name: "Zoë" } });

/** Signs as a sender does: the standard set by the standard's own library. */
function signed(secret: string, content: string | Buffer = body, at = new Date(clock.nowMs())) {
  // As bytes: given a string, the library takes a character outside ASCII for one byte.
  const hook = secret.startsWith("whsec_")
    ? new Webhook(secret)
    : new Webhook(Buffer.from(secret, "utf8"), { format: "raw" });
  const id = "b2c9bcd2-0000-7000-8000-000000000001";
  return {
    "content-type": "application/json",
    "x-service-signature": `sha256=${createHmac("sha256", secret).update(content).digest("hex")}`,
    "x-service-event": "pass.created",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": hook.sign(id, at, content.toString()),
  };
}

const deliver = (name: string, headers: Record<string, string>, content: string | Buffer = body) =>
  call(`${sandbox.webhookUrl}/hooks/${name}`, { method: "POST", headers, body: content, ca });
const last = async (name: string) => (await control("GET", `/receivers/${name}`)).json.deliveries.at(-1);

t.test("a receiver is registered under a name, and its address is https", async (t) => {
  const { status, json } = await control("POST", "/receivers", { name: "fresh", secret: "long enough" });
  t.equal(status, 201);
  t.match(json, { name: "fresh", url: `${sandbox.webhookUrl}/hooks/fresh`, secret_registered: true });
  t.match(json.url, /^https:\/\/127\.0\.0\.1:/);
  t.notMatch(JSON.stringify(json), /long enough/);
  const unnamed = await control("POST", "/receivers", { secret: "long enough" });
  t.match(unnamed.json.name, /^receiver-[0-9a-f]{8}$/);
  t.equal((await control("POST", "/receivers", { name: "fresh", secret: "long enough" })).status, 409);
  for (const wrong of [
    {},
    { secret: "short" },
    { secret: "long enough", name: "a/b" },
    { secret: 12345678 },
  ]) {
    t.equal((await control("POST", "/receivers", wrong)).status, 400, JSON.stringify(wrong));
  }
});

for (const [name, secret] of [
  ["plain", plainSecret],
  ["prefixed", prefixedSecret],
] as const) {
  t.test(`both signatures right, with a ${name} secret: 200, and recorded`, async (t) => {
    const headers = signed(secret);
    const reply = await deliver(name, headers);
    t.equal(reply.status, 200);
    t.match(await last(name), {
      at: new Date(clock.nowMs()).toISOString(),
      body,
      body_bytes: Buffer.byteLength(body),
      headers: { "x-service-event": "pass.created", "webhook-id": headers["webhook-id"] },
      signatures: {
        x_service_signature: { valid: true, reason: null },
        standard_webhooks: { valid: true, reason: null },
      },
      status: 200,
    });
  });
}

const good = signed(plainSecret);
const upper = good["x-service-signature"].replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase());
const old = signed(plainSecret, body, new Date(clock.nowMs() - 301_000));
const ahead = signed(plainSecret, body, new Date(clock.nowMs() + 302_000));
const refusals: [
  name: string,
  headers: Record<string, string>,
  service: boolean,
  standard: boolean,
  reason: RegExp,
][] = [
  ["no X-Service-Signature", omit("x-service-signature"), false, true, /missing/],
  ["X-Service-Signature in capitals", { ...good, "x-service-signature": upper }, false, true, /lower-case/],
  [
    "X-Service-Signature without sha256=",
    { ...good, "x-service-signature": upper.slice(7) },
    false,
    true,
    /sha256=/,
  ],
  ["another secret", signed("another secret"), false, false, /does not match/],
  ["no webhook-id", omit("webhook-id"), true, false, /webhook-id/],
  ["a changed webhook-id", { ...good, "webhook-id": "other" }, true, false, /does not match/],
  ["no webhook-timestamp", omit("webhook-timestamp"), true, false, /webhook-timestamp/],
  [
    "a timestamp in milliseconds",
    { ...good, "webhook-timestamp": `${Date.now()}` },
    true,
    false,
    /webhook-timestamp/,
  ],
  ["no webhook-signature", omit("webhook-signature"), true, false, /webhook-signature is missing/],
  [
    "an asymmetric signature only",
    { ...good, "webhook-signature": "v1a,AAAA" },
    true,
    false,
    /does not match/,
  ],
  ["more than five minutes old", old, true, false, /300 s away/],
  ["more than five minutes ahead", ahead, true, false, /300 s away/],
];
function omit(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(signed(plainSecret)).filter(([key]) => key !== name));
}
for (const [name, headers, service, standard, reason] of refusals) {
  t.test(`401, and recorded: ${name}`, async (t) => {
    t.equal((await deliver("plain", headers)).status, 401);
    const { signatures, status } = await last("plain");
    t.equal(status, 401);
    t.equal(signatures.x_service_signature.valid, service);
    t.equal(signatures.standard_webhooks.valid, standard);
    t.match(`${signatures.x_service_signature.reason} ${signatures.standard_webhooks.reason}`, reason);
  });
}

t.test("one changed byte of the body breaks both signatures", async (t) => {
  const changed = body.replace("evt_1", "evt_2");
  t.equal((await deliver("plain", good, changed)).status, 401);
  t.match((await last("plain")).signatures, {
    x_service_signature: { valid: false },
    standard_webhooks: { valid: false },
  });
});

t.test("any of several standard signatures may match, as while a secret is changed", async (t) => {
  const headers = signed(plainSecret);
  const other = signed("the secret of yesterday")["webhook-signature"];
  const both = { ...headers, "webhook-signature": `${other} ${headers["webhook-signature"]}` };
  t.equal((await deliver("plain", both)).status, 200);
});

t.test("an unknown receiver is 404, another method 405, a body over a mebibyte 413", async (t) => {
  t.equal((await deliver("nobody", good)).status, 404);
  t.equal((await call(`${sandbox.webhookUrl}/`, { ca })).status, 404);
  t.equal((await call(`${sandbox.webhookUrl}/hooks/plain`, { ca })).status, 405);
  t.equal((await deliver("plain", good, Buffer.alloc(1_048_577, 0x20))).status, 413);
});

t.test("a long body is verified whole and recorded in part", async (t) => {
  const long = JSON.stringify({ text: "x".repeat(200_000) });
  t.equal((await deliver("plain", signed(plainSecret, long), long)).status, 200);
  const recorded = await last("plain");
  t.equal(recorded.body_bytes, long.length);
  t.equal(recorded.body.length, 65_536);
});

t.test("the certificate holds for localhost, and only under the sandbox's root", async (t) => {
  const local = sandbox.webhookUrl.replace("127.0.0.1", "localhost");
  await t.rejects(call(`${sandbox.webhookUrl}/hooks/plain`), { code: /UNABLE_TO_VERIFY|SELF_SIGNED/ });
  const viaName = await call(`${local}/hooks/plain`, { ca }).catch((error) => error);
  t.ok(viaName.status === 405 || viaName.code === "ECONNREFUSED", "localhost may be ::1 here");
});

t.test("a script changes what is answered, until it is taken away", async (t) => {
  await control("PATCH", "/receivers/plain", {
    respond: { status: 503, headers: { "Retry-After": "7" } },
  });
  const scripted = await deliver("plain", signed(plainSecret));
  t.equal(scripted.status, 503);
  t.equal(scripted.headers["retry-after"], "7");
  t.match(await last("plain"), { status: 503, signatures: { x_service_signature: { valid: true } } });
  await control("PATCH", "/receivers/plain", { respond: null });
  t.equal((await deliver("plain", signed(plainSecret))).status, 200);
});

t.test("fail_first fails so many deliveries, then answers as they deserve", async (t) => {
  await control("PATCH", "/receivers/plain", { respond: { fail_first: 2 } });
  const statuses = [];
  for (let n = 0; n < 3; n++) statuses.push((await deliver("plain", signed(plainSecret))).status);
  t.strictSame(statuses, [500, 500, 200]);
  await control("PATCH", "/receivers/plain", { respond: { fail_first: 1, status: 410 } });
  t.equal((await deliver("plain", signed(plainSecret))).status, 410);
  t.equal((await control("GET", "/receivers/plain")).json.respond, null);
});

t.test("a delay holds the answer back; a redirect and 204 are answered as scripted", async (t) => {
  await control("PATCH", "/receivers/plain", { respond: { delay_ms: 60 } });
  const began = performance.now();
  t.equal((await deliver("plain", signed(plainSecret))).status, 200);
  t.ok(performance.now() - began >= 59);
  await control("PATCH", "/receivers/plain", {
    respond: { status: 302, headers: { location: "https://example.com/" } },
  });
  t.equal((await deliver("plain", signed(plainSecret))).headers.location, "https://example.com/");
  await control("PATCH", "/receivers/plain", { respond: { status: 204 } });
  const bare = await deliver("plain", signed(plainSecret));
  t.equal(bare.status, 204);
  t.equal(bare.text, "");
  await control("PATCH", "/receivers/plain", { respond: null });
});

t.test("a script that says nothing sensible is refused", async (t) => {
  const wrong = [{ status: 99 }, { status: "500" }, { delay_ms: -1 }, { fail_first: 0 }, { foo: 1 }];
  for (const respond of [...wrong, { headers: { "a\r\nb": "c" } }, { headers: { a: "b\r\nc" } }, 5, []]) {
    t.equal((await control("PATCH", "/receivers/plain", { respond })).status, 400, JSON.stringify(respond));
  }
});

t.test("the secret can be changed", async (t) => {
  await control("POST", "/receivers", { name: "rotating", secret: "the first secret" });
  await control("PATCH", "/receivers/rotating", { secret: "the second secret" });
  t.equal((await deliver("rotating", signed("the first secret"))).status, 401);
  t.equal((await deliver("rotating", signed("the second secret"))).status, 200);
});

t.test("the last 1000 deliveries are kept, and all are counted", async (t) => {
  await control("POST", "/receivers", { name: "busy", secret: plainSecret });
  const batch = () => Promise.all(Array.from({ length: 100 }, () => deliver("busy", good, "{}")));
  for (let n = 0; n < 10; n++) await batch();
  await deliver("busy", signed(plainSecret));
  const { json } = await control("GET", "/receivers/busy");
  t.equal(json.total, 1001);
  t.equal(json.deliveries.length, 1000);
  t.equal(json.deliveries.at(-1).status, 200);
});

t.test("a deleted receiver is gone, with what it received", async (t) => {
  t.equal((await control("DELETE", "/receivers/busy")).status, 204);
  t.equal((await control("DELETE", "/receivers/busy")).status, 404);
  t.equal((await control("GET", "/receivers/busy")).status, 404);
  t.equal((await deliver("busy", good)).status, 404);
  await control("POST", "/receivers", { name: "busy", secret: plainSecret });
  t.equal((await control("GET", "/receivers/busy")).json.total, 0);
});
