import { generateKeyPairSync, randomBytes } from "node:crypto";
import { createSecureServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { decodeProtectedHeader, jwtVerify } from "jose";
import t, { type Test } from "tap";
import type { AppleCredentials } from "../../../../src/domain/providers/provider.ts";
import { createApnsClient } from "../../../../src/providers/apple/apns/client.ts";
import { certify } from "../../../egress/fixtures/receiver.ts";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const tls = certify();
const startMs = Date.parse("2026-11-21T06:43:46Z");
const never = new AbortController().signal;
const newToken = (): string => randomBytes(32).toString("hex");

/** An APNs that takes provider tokens, and answers what the test says. */
async function opened(t: Test) {
  const seen: IncomingHttpHeaders[] = [];
  const answers: [status: number, body: string][] = [];
  const server = createSecureServer({ key: tls.key, cert: tls.certificate });
  server.on("stream", (stream: ServerHttp2Stream, headers) => {
    seen.push(headers);
    const [status, body] = answers.shift() ?? [200, ""];
    stream.respond({ ":status": status });
    stream.end(body);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  let nowMs = startMs;
  const client = createApnsClient({ clock: { nowMs: () => nowMs }, ca: tls.ca });
  t.teardown(() => {
    client.close();
    server.close();
  });
  const credentials: AppleCredentials = {
    certificate: "",
    key: "",
    wwdr: "",
    passTypeIdentifier: "pass.org.example.club",
    teamIdentifier: "ABCDE12345",
    apnsUrl: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pushKey: { keyId: "KEY1234567", key: privateKey.export({ type: "pkcs8", format: "pem" }).toString() },
  };
  return {
    answers,
    push: () => client.push(credentials, newToken(), never),
    tokens: () => seen.map(({ authorization = "" }) => authorization.replace(/^bearer /, "")),
    later(byMs: number) {
      nowMs += byMs;
    },
  };
}

t.test("a push key signs for its team, in place of a certificate", async (t) => {
  const at = await opened(t);
  t.strictSame(await at.push(), { outcome: "sent" });
  const [token = ""] = at.tokens();
  const { payload } = await jwtVerify(token, publicKey, {
    issuer: "ABCDE12345",
    currentDate: new Date(startMs),
  });
  t.strictSame(payload, { iss: "ABCDE12345", iat: startMs / 1000 });
  t.strictSame(decodeProtectedHeader(token), { alg: "ES256", kid: "KEY1234567" });
});

t.test("a token serves for a while, and is made anew before Apple has enough of it", async (t) => {
  const at = await opened(t);
  await at.push();
  at.later(20 * 60_000);
  await at.push();
  at.later(30 * 60_000);
  await at.push();
  const [first, second, third] = at.tokens();
  t.equal(first, second);
  t.not(third, first);
});

t.test("a token that has expired all the same is replaced at once", async (t) => {
  const at = await opened(t);
  await at.push();
  at.later(60_000);
  at.answers.push([403, '{"reason":"ExpiredProviderToken"}']);
  t.strictSame(await at.push(), { outcome: "sent" });
  const [, second, third] = at.tokens();
  t.not(third, second);
});

t.test("a key that Apple does not know is the tenant's to mend", async (t) => {
  const at = await opened(t);
  at.answers.push([403, '{"reason":"InvalidProviderToken"}']);
  await t.rejects(at.push(), { code: "provider_credentials_invalid", detail: /key id or the team/ });
});
