import { randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import t, { type Test } from "tap";
import { systemClock } from "../../../../src/domain/clock.ts";
import type { AppleCredentials } from "../../../../src/domain/providers/provider.ts";
import { createApnsClient } from "../../../../src/providers/apple/apns/client.ts";
import { passCredentials } from "../../../sandbox/fixtures/apns.ts";
import { call } from "../../../sandbox/fixtures/calls.ts";
import { running } from "../../../sandbox/fixtures/running.ts";

const sandbox = await running(t);
const issued = await passCredentials(sandbox.controlUrl, { pass_type_identifier: "pass.org.example.club" });
const credentials: AppleCredentials = {
  certificate: issued.certificate,
  key: issued.key,
  wwdr: issued.wwdr,
  passTypeIdentifier: "pass.org.example.club",
  teamIdentifier: issued.team_identifier,
  apnsUrl: sandbox.apnsUrl,
};
const never = new AbortController().signal;
const newToken = (): string => randomBytes(32).toString("hex");

function clientOf(t: Test, options: { proxy?: URL; mostConnections?: number } = {}) {
  const client = createApnsClient({ clock: systemClock, ca: issued.root, ...options });
  t.teardown(() => client.close());
  return client;
}

async function pushesTo(token: string) {
  return (await call(`${sandbox.controlUrl}/apns/notifications?token=${token}`)).json.notifications;
}

/** What APNs does next, once. */
const script = (resource_prefix: string, fault: object) =>
  call(`${sandbox.controlUrl}/apns/faults`, { method: "POST", body: { resource_prefix, ...fault } });

t.test("a push is an empty dictionary with the pass type as its topic", async (t) => {
  const token = newToken();
  t.strictSame(await clientOf(t).push(credentials, token, never), { outcome: "sent" });
  t.match(await pushesTo(token), [{ topic: "pass.org.example.club", priority: "5", payload: {} }]);
});

t.test("a device that is gone is gone since an instant", async (t) => {
  const token = newToken();
  await call(`${sandbox.controlUrl}/apns/devices/${token}`, { method: "POST", body: { gone_since: 1234 } });
  t.strictSame(await clientOf(t).push(credentials, token, never), { outcome: "gone", sinceMs: 1234 });
});

t.test("a token that is none is refused, and with the reason", async (t) => {
  t.strictSame(await clientOf(t).push(credentials, "abcd", never), {
    outcome: "refused",
    reason: "BadDeviceToken",
  });
});

t.test("what APNs cannot take now is for later, when it says", async (t) => {
  const client = clientOf(t);
  for (const [status, reason] of [
    [429, "TooManyRequests"],
    [503, "ServiceUnavailable"],
  ] as const) {
    const token = newToken();
    await script(token, { status, headers: { "retry-after": "7" } });
    t.strictSame(await client.push(credentials, token, never), {
      outcome: "later",
      reason,
      retryAfterSeconds: 7,
    });
    t.strictSame(await client.push(credentials, token, never), { outcome: "sent" });
  }
});

t.test("a stream that ends without an answer is begun anew", async (t) => {
  const token = newToken();
  await script(token, { reset: true });
  t.strictSame(await clientOf(t).push(credentials, token, never), { outcome: "sent" });
});

t.test("a certificate of another authority is refused as a credential", async (t) => {
  const other = await running(t);
  const foreign = await passCredentials(other.controlUrl, { pass_type_identifier: "pass.org.example.club" });
  const mixed = { ...credentials, certificate: foreign.certificate, key: foreign.key };
  await t.rejects(clientOf(t).push(mixed, newToken(), never), {
    code: "provider_credentials_invalid",
    detail: /BadCertificate/,
  });
});

t.test("an APNs that is not there is unavailable, and asked again only after a pause", async (t) => {
  const client = clientOf(t);
  const nowhere = { ...credentials, apnsUrl: "https://127.0.0.1:1" };
  for (const detail of [/ECONNREFUSED/, /moment ago/]) {
    await t.rejects(client.push(nowhere, newToken(), never), { code: "provider_unavailable", detail });
  }
});

t.test("pushes to one device that are asked for together are one, those after it are not", async (t) => {
  const [client, token] = [clientOf(t), newToken()];
  await Promise.all(Array.from({ length: 5 }, () => client.push(credentials, token, never)));
  t.equal((await pushesTo(token)).length, 1);
  await client.push(credentials, token, never);
  t.equal((await pushesTo(token)).length, 2);
});

t.test("what a GOAWAY left unanswered is sent again over another connection", async (t) => {
  const client = clientOf(t, { mostConnections: 1 });
  const tokens = Array.from({ length: 300 }, newToken);
  await client.push(credentials, newToken(), never);
  const pushes = Promise.all(tokens.map((token) => client.push(credentials, token, never)));
  await call(`${sandbox.controlUrl}/apns/goaway`, { method: "POST", body: {} });
  t.ok((await pushes).every(({ outcome }) => outcome === "sent"));
  t.ok((await pushesTo(tokens[0] ?? "")).length >= 1);
});

t.test("an aborted push rejects with the signal's reason", async (t) => {
  const client = clientOf(t);
  const end = new AbortController();
  const pushed = client.push({ ...credentials, apnsUrl: "https://192.0.2.1" }, newToken(), end.signal);
  end.abort(new Error("enough"));
  await t.rejects(pushed, { message: "enough" });
});

t.test("a proxy is asked for a tunnel, with its user and password", async (t) => {
  const asked: { url: string | undefined; authorization: string | undefined }[] = [];
  const sockets = new Set<Socket>();
  const proxy = createServer().on("connect", (request, socket: Socket, head: Buffer) => {
    asked.push({ url: request.url, authorization: request.headers["proxy-authorization"] });
    const { hostname, port } = new URL(`http://${request.url}`);
    const upstream = connect(Number(port), hostname, () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    sockets.add(socket).add(upstream);
    socket.on("error", () => {});
    upstream.on("error", () => {});
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  const { port } = proxy.address() as AddressInfo;
  const client = clientOf(t, { proxy: new URL(`http://user:pa%20ss@127.0.0.1:${port}`) });
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    proxy.close();
  });
  t.strictSame(await client.push(credentials, newToken(), never), { outcome: "sent" });
  const authorization = `Basic ${Buffer.from("user:pa ss").toString("base64")}`;
  t.strictSame(asked, [{ url: new URL(sandbox.apnsUrl).host, authorization }]);
});

t.test("a proxy that refuses is named", async (t) => {
  const proxy = createServer().on("connect", (_request, socket: Socket) => {
    socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
  });
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  t.teardown(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const client = clientOf(t, { proxy: new URL(`http://127.0.0.1:${port}`) });
  await t.rejects(client.push(credentials, newToken(), never), {
    code: "provider_unavailable",
    detail: /the proxy 127\.0\.0\.1:\d+ answered 407/,
  });
});
