import { once } from "node:events";
import { appendFileSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect as connectTcp } from "node:net";
import { join } from "node:path";
import t from "tap";
import { startSandbox } from "../../src/sandbox/sandbox.ts";
import { apnsSession, passCredentials, push } from "./fixtures/apns.ts";
import { call } from "./fixtures/calls.ts";
import { becomeIssuer, genericObject } from "./fixtures/google.ts";
import { running } from "./fixtures/running.ts";

t.test("everything that matters is there again after a restart, under the same addresses", async (t) => {
  const dataDir = t.testdir();
  const first = await startSandbox({ dataDir });
  const issuer = await becomeIssuer(first.controlUrl);
  const id = `${issuer.issuerId}.kept`;
  await issuer.wallet("POST", "genericClass", { id });
  await issuer.wallet("POST", "genericObject", genericObject(id, id));
  await issuer.wallet("POST", `genericObject/${id}/addMessage`, { message: { header: "a", body: "b" } });
  await issuer.wallet("PATCH", `genericObject/${id}`, { state: "EXPIRED" });
  const before = (await issuer.wallet("GET", `genericObject/${id}`)).json;
  const apple = await passCredentials(first.controlUrl);
  const gone = "ab".repeat(32);
  await call(`${first.controlUrl}/apns/devices/${gone}`, { method: "POST", body: { gone_since: 5 } });
  await call(`${first.controlUrl}/receivers`, {
    method: "POST",
    body: { name: "kept", secret: "long enough" },
  });
  await call(`${first.controlUrl}/receivers/kept`, { method: "PATCH", body: { respond: { status: 418 } } });
  const hook = { method: "POST", body: "{}", ca: readFileSync(first.caFile, "utf8") };
  await call(`${first.webhookUrl}/hooks/kept`, hook);
  await first.close();

  const second = await running(t, { dataDir });
  const { controlUrl, apnsUrl, webhookUrl, caFile } = second;
  const addresses = { controlUrl, apnsUrl, webhookUrl, caFile };
  t.match(addresses, { ...first, close: undefined });
  t.strictSame((await issuer.wallet("GET", `genericObject/${id}`)).json, before, "with the token of before");
  t.equal(before.messages.length, 1);
  const again = await issuer.wallet("POST", "genericClass", { id });
  t.equal(again.status, 409);

  const session = apnsSession(apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
  const to = { ":path": `/3/device/${gone}`, "apns-topic": apple.pass_type_identifier };
  t.match(await push(session, to), { status: 410, timestamp: 5 });
  session.destroy();

  const { json } = await call(`${controlUrl}/receivers/kept`);
  t.equal(json.total, 1);
  t.match(json.deliveries, [{ body: "{}", status: 418 }]);
  t.equal((await call(`${webhookUrl}/hooks/kept`, hook)).status, 418);
});

t.test("a service account of before a restart gets a token after it", async (t) => {
  const dataDir = t.testdir();
  const first = await startSandbox({ dataDir });
  const { keyFile } = await becomeIssuer(first.controlUrl);
  await first.close();
  await running(t, { dataDir });
  const { askToken, bearerGrant, goodClaims, jws } = await import("./fixtures/google.ts");
  const assertion = jws(keyFile.private_key, { alg: "RS256", typ: "JWT" }, goodClaims(keyFile));
  t.equal((await askToken(keyFile.token_uri, { grant_type: bearerGrant, assertion })).status, 200);
});

t.test("a torn last line, as a crash leaves it, does not keep it from starting", async (t) => {
  const dataDir = t.testdir();
  const first = await startSandbox({ dataDir });
  const issuer = await becomeIssuer(first.controlUrl);
  await issuer.wallet("POST", "genericClass", { id: `${issuer.issuerId}.whole` });
  await first.close();
  appendFileSync(join(dataDir, "google-wallet.jsonl"), '["class 1.torn",{"type":"gen');
  await running(t, { dataDir });
  t.equal((await issuer.wallet("GET", `genericClass/${issuer.issuerId}.whole`)).status, 200);
});

t.test("a remembered port that is taken is given up for a free one", async (t) => {
  const dataDir = t.testdir();
  const first = await startSandbox({ dataDir });
  await first.close();
  const squatter = createServer();
  const port = Number(new URL(first.controlUrl).port);
  await new Promise<void>((resolve) => squatter.listen(port, "127.0.0.1", resolve));
  t.teardown(() => squatter.close());
  const second = await running(t, { dataDir });
  t.not(second.controlUrl, first.controlUrl);
  t.equal(second.apnsUrl, first.apnsUrl);
  t.equal((await call(`${second.controlUrl}/healthz`)).status, 200);
});

t.test("a port that was asked for is taken, or starting fails and leaves nothing behind", async (t) => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
  const { port } = holder.address() as AddressInfo;
  const dataDir = t.testdir();
  await t.rejects(startSandbox({ dataDir, ports: { control: port } }), { code: "EADDRINUSE" });
  t.notOk(existsSync(join(dataDir, "ports.json")));
  await new Promise((resolve) => holder.close(resolve));
  const sandbox = await running(t, { dataDir, ports: { control: port } });
  t.equal(sandbox.controlUrl, `http://127.0.0.1:${port}`);
});

t.test("a damaged memory of ports costs only the ports", async (t) => {
  const dataDir = t.testdir();
  writeFileSync(join(dataDir, "ports.json"), "{");
  const sandbox = await running(t, { dataDir });
  t.equal((await call(`${sandbox.controlUrl}/healthz`)).status, 200);
});

t.test("secrets are readable by the owner only", async (t) => {
  const { dataDir } = await running(t);
  const secret = [
    "access-token.key",
    "authority/root.key",
    "authority/wwdr.key",
    "receivers.jsonl",
    "deliveries.jsonl",
  ];
  for (const name of secret) t.equal(statSync(join(dataDir, name)).mode & 0o777, 0o600, name);
});

t.test("closing cuts idle, silent and waiting connections at once, and may be repeated", async (t) => {
  const sandbox = await startSandbox({ dataDir: t.testdir() });
  const post = (path: string, body: object) => call(`${sandbox.controlUrl}${path}`, { method: "POST", body });
  const apple = await passCredentials(sandbox.controlUrl);
  const session = apnsSession(sandbox.apnsUrl, apple.root, { cert: apple.certificate, key: apple.key });
  const to = { ":path": `/3/device/${"ab".repeat(32)}`, "apns-topic": apple.pass_type_identifier };
  await push(session, to);

  const issuer = await becomeIssuer(sandbox.controlUrl);
  await post("/sandbox/google/faults", { delay_ms: 60_000 });
  await post("/apns/faults", { delay_ms: 60_000 });
  const waiting = [issuer.wallet("GET", `genericClass/${issuer.issuerId}.x`), push(session, to)].map(
    (reply) =>
      reply.then(
        () => "answered",
        () => "cut",
      ),
  );
  // Both faults are used up once the two requests wait.
  const left = async (path: string) => (await call(`${sandbox.controlUrl}${path}`)).json.faults.length;
  while ((await left("/sandbox/google/faults")) + (await left("/apns/faults")) > 0);

  // Connected, and never saying a word: not even a TLS hello.
  const silent = [sandbox.controlUrl, sandbox.apnsUrl, sandbox.webhookUrl].map((url) =>
    connectTcp(Number(new URL(url).port), "127.0.0.1"),
  );
  for (const socket of silent) socket.on("error", () => {});
  await Promise.all(silent.map((socket) => once(socket, "connect")));
  const silentEnds = silent.map((socket) => once(socket, "close"));

  await sandbox.close();
  await sandbox.close();
  await Promise.all(silentEnds);
  t.strictSame(await Promise.all(waiting), ["cut", "cut"]);
  await t.rejects(call(`${sandbox.controlUrl}/healthz`), { code: "ECONNREFUSED" });
});
