import { randomBytes } from "node:crypto";
import { once } from "node:events";
import t from "tap";
import { openAuthority } from "../../../src/sandbox/authority/authority.ts";
import { apnsSession, passCredentials, push } from "../fixtures/apns.ts";
import { call } from "../fixtures/calls.ts";
import { running } from "../fixtures/running.ts";

const sandbox = await running(t);
const apple = await passCredentials(sandbox.controlUrl, { pass_type_identifier: "pass.org.example.club" });
const topic = "pass.org.example.club";
const session = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
t.teardown(() => session.destroy());

const newToken = () => randomBytes(32).toString("hex");
const to = (token: string, more: Record<string, string> = {}) => ({
  ":path": `/3/device/${token}`,
  "apns-topic": topic,
  ...more,
});
const accepted = async (token: string) =>
  (await call(`${sandbox.controlUrl}/apns/notifications?token=${token}`)).json.notifications;

t.test("the credentials say where APNs is", async (t) => {
  const { status, json } = await call(`${sandbox.controlUrl}/credentials/apple`, { method: "POST" });
  t.equal(status, 201);
  t.match(json, {
    certificate: /BEGIN CERTIFICATE/,
    key: /BEGIN PRIVATE KEY/,
    wwdr: /BEGIN CERTIFICATE/,
    root: /BEGIN CERTIFICATE/,
    pass_type_identifier: /^pass\./,
    team_identifier: /^[A-Z0-9]{10}$/,
    apns_url: sandbox.apnsUrl,
  });
});

t.test("an empty dictionary to a device token is accepted and can be looked at", async (t) => {
  const token = newToken();
  const reply = await push(session, to(token, { "apns-priority": "5" }));
  t.equal(reply.status, 200);
  t.match(reply.apnsId, /^[0-9A-F-]{36}$/);
  t.match(await accepted(token), [
    { apns_id: reply.apnsId, token, topic, priority: "5", push_type: null, payload: {}, at: /Z$/ },
  ]);
});

t.test("an apns-id of the caller's comes back", async (t) => {
  const id = "123e4567-e89b-12d3-a456-4266554400a0";
  t.equal((await push(session, to(newToken(), { "apns-id": id }))).apnsId, id);
});

const long = "ab".repeat(101);
const refusals: [
  name: string,
  headers: Record<string, string>,
  payload: string,
  status: number,
  reason: string,
][] = [
  ["no topic", { ":path": `/3/device/${newToken()}` }, "{}", 400, "MissingTopic"],
  ["a topic that is none", to(newToken(), { "apns-topic": "club" }), "{}", 400, "BadTopic"],
  [
    "another's topic",
    to(newToken(), { "apns-topic": "pass.org.other" }),
    "{}",
    400,
    "DeviceTokenNotForTopic",
  ],
  ["a short token", to("abcd"), "{}", 400, "BadDeviceToken"],
  ["a long token", to(long), "{}", 400, "BadDeviceToken"],
  ["a token that is not hex", to("z".repeat(64)), "{}", 400, "BadDeviceToken"],
  ["a token of half a byte", to("a".repeat(65)), "{}", 400, "BadDeviceToken"],
  ["no token", to(""), "{}", 400, "MissingDeviceToken"],
  ["another path", { ...to(newToken()), ":path": "/4/device/x" }, "{}", 404, "BadPath"],
  ["another method", { ...to(newToken()), ":method": "PUT" }, "{}", 405, "MethodNotAllowed"],
  ["no payload", to(newToken()), "", 400, "PayloadEmpty"],
  ["a payload that is not JSON", to(newToken()), "{", 400, "BadPayload"],
  ["a payload that is no dictionary", to(newToken()), "[]", 400, "BadPayload"],
  ["4097 bytes", to(newToken()), JSON.stringify({ a: "x".repeat(4089) }), 413, "PayloadTooLarge"],
  ["far too many bytes", to(newToken()), "x".repeat(300_000), 413, "PayloadTooLarge"],
  ["a bad apns-id", to(newToken(), { "apns-id": "1" }), "{}", 400, "BadMessageId"],
  ["a bad priority", to(newToken(), { "apns-priority": "7" }), "{}", 400, "BadPriority"],
  ["a bad expiration", to(newToken(), { "apns-expiration": "soon" }), "{}", 400, "BadExpirationDate"],
  ["a long collapse id", to(newToken(), { "apns-collapse-id": "x".repeat(65) }), "{}", 400, "BadCollapseId"],
  ["an unknown push type", to(newToken(), { "apns-push-type": "pass" }), "{}", 400, "InvalidPushType"],
];
for (const [name, headers, payload, status, reason] of refusals) {
  t.test(`a push is refused: ${name}`, async (t) => {
    t.match(await push(session, headers, payload), { status, reason });
    t.match(session.closed, false, "the session goes on");
  });
}

t.test("4096 bytes and a token of 100 bytes are accepted", async (t) => {
  const payload = JSON.stringify({ a: "x".repeat(4088) });
  t.equal(payload.length, 4096);
  t.equal((await push(session, to("ab".repeat(100)), payload)).status, 200);
});

t.test("without a client certificate it is 403", async (t) => {
  const bare = apnsSession(sandbox.apnsUrl, apple.root);
  t.teardown(() => bare.destroy());
  t.match(await push(bare, to(newToken())), { status: 403, reason: "BadCertificate" });
  const withJwt = to(newToken(), { authorization: "bearer eyJhbGciOiJFUzI1NiJ9.e30.AA" });
  t.match(await push(bare, withJwt), { status: 403, reason: "InvalidProviderToken" });
});

t.test("a certificate of the same name from another authority is 403", async (t) => {
  const foreign = await openAuthority(t.testdir(), Date.now);
  const wanted = { passTypeIdentifier: topic, teamIdentifier: "ABCDE12345", keyType: "ec" } as const;
  const { certificate: cert, key } = await foreign.issuePassCertificate(wanted);
  const stranger = apnsSession(sandbox.apnsUrl, apple.root, { cert, key });
  t.teardown(() => stranger.destroy());
  t.match(await push(stranger, to(newToken())), { status: 403, reason: "BadCertificate" });
});

t.test("an EC certificate serves as well", async (t) => {
  const ec = await passCredentials(sandbox.controlUrl, { key_type: "ec", pass_type_identifier: topic });
  const other = apnsSession(sandbox.apnsUrl, ec.root, { cert: ec.certificate, key: ec.key });
  t.teardown(() => other.destroy());
  t.equal((await push(other, to(newToken()))).status, 200);
});

t.test("a token that is scripted gone is 410 with its time, until it is not", async (t) => {
  const token = newToken();
  const device = `${sandbox.controlUrl}/apns/devices/${token}`;
  const scripted = await call(device, { method: "POST", body: { gone_since: 1_800_000_000_000 } });
  t.strictSame(scripted.json, { token, gone_since: 1_800_000_000_000 });
  t.match(await push(session, to(token)), {
    status: 410,
    reason: "Unregistered",
    timestamp: 1_800_000_000_000,
  });
  t.strictSame(await accepted(token), []);
  await call(device, { method: "POST", body: { gone_since: null } });
  t.equal((await push(session, to(token.toUpperCase()))).status, 200);
  t.equal((await accepted(token)).length, 1);
  t.equal((await call(`${sandbox.controlUrl}/apns/devices/xyz`, { method: "POST" })).status, 400);
});

t.test("faults can be scripted for tokens", async (t) => {
  const token = newToken();
  const script = (body: object) =>
    call(`${sandbox.controlUrl}/apns/faults`, { method: "POST", body: { resource_prefix: token, ...body } });
  await script({ status: 429, headers: { "retry-after": "2" } });
  t.match(await push(session, to(token)), { status: 429, reason: "TooManyRequests" });
  await script({ status: 503 });
  t.equal((await push(session, to(newToken()))).status, 200, "another token is not hit");
  t.match(await push(session, to(token)), { status: 503, reason: "ServiceUnavailable" });
  t.strictSame(await accepted(token), []);
  await script({ reset: true });
  await t.rejects(push(session, to(token)));
  t.equal((await push(session, to(token))).status, 200);
});

t.test("GOAWAY ends every session, with what is under way answered first", async (t) => {
  const leaving = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
  t.equal((await push(leaving, to(newToken()))).status, 200);
  const token = newToken();
  const body = { resource_prefix: token, delay_ms: 150 };
  await call(`${sandbox.controlUrl}/apns/faults`, { method: "POST", body });
  const goaway = once(leaving, "goaway");
  const pending = push(leaving, to(token));
  const faults = async () => (await call(`${sandbox.controlUrl}/apns/faults`)).json.faults.length;
  while ((await faults()) > 0);
  const { json } = await call(`${sandbox.controlUrl}/apns/goaway`, { method: "POST" });
  t.ok(json.sessions >= 1);
  const [code, , data] = await goaway;
  t.equal(code, 0);
  t.match(data.toString(), /Shutdown/);
  t.equal((await pending).status, 200);
  if (!leaving.destroyed) await once(leaving, "close");

  const next = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
  t.teardown(() => next.destroy());
  t.equal((await push(next, to(newToken()))).status, 200);
});

t.test("many pushes share one session", async (t) => {
  const busy = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
  t.teardown(() => busy.destroy());
  const replies = await Promise.all(Array.from({ length: 500 }, () => push(busy, to(newToken()))));
  t.ok(replies.every(({ status }) => status === 200));
  t.equal(new Set(replies.map(({ apnsId }) => apnsId)).size, 500);
});

t.test("a device gets its pushes as they come, behind its cursor, and none of another's", async (t) => {
  const session = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
  t.teardown(() => session.destroy());
  const { status, json } = await call(`${sandbox.controlUrl}/apns/devices`, { method: "POST" });
  t.equal(status, 201);
  t.match(json.token, /^[0-9a-f]{64}$/);
  const inbox = `${sandbox.controlUrl}/apns/devices/${json.token}/pushes`;
  const first = (await call(inbox)).json;
  t.strictSame(first.pushes, []);

  const waiting = call(`${inbox}?wait=30&after=${first.cursor}`);
  await push(session, to(newToken()));
  const { apnsId } = await push(session, to(json.token));
  const second = (await waiting).json;
  t.match(second.pushes, [{ apns_id: apnsId }], "while it waited");

  await push(session, to(json.token));
  const third = (await call(`${inbox}?after=${second.cursor}`)).json;
  t.equal(third.pushes.length, 1, "and what came while it did not");
  t.strictSame((await call(`${inbox}?wait=0.01&after=${third.cursor}`)).json.pushes, []);
  t.equal((await call(`${inbox}?after=an-earlier-run.7`)).json.pushes.length, 2, "from the beginning");
  t.equal((await call(`${inbox}?wait=31`)).status, 400);
});
