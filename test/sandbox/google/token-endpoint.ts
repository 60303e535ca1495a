import { createHmac, generateKeyPairSync } from "node:crypto";
import t from "tap";
import { call } from "../fixtures/calls.ts";
import { askToken, bearerGrant, goodClaims, jws, type KeyFile } from "../fixtures/google.ts";
import { running, settableClock } from "../fixtures/running.ts";

const clock = settableClock();
const sandbox = await running(t, { clock });
const registered = await call(`${sandbox.controlUrl}/credentials/google`, {
  method: "POST",
  body: { issuer_id: "3388000000012345678" },
});
const keyFile: KeyFile = registered.json.service_account;
const header = { alg: "RS256", typ: "JWT", kid: keyFile.private_key_id };

const ask = (claims: object, head: object = header, key = keyFile.private_key) =>
  askToken(keyFile.token_uri, { grant_type: bearerGrant, assertion: jws(key, head, claims) });

t.test("a service account is a key file like Google's", async (t) => {
  t.equal(registered.status, 201);
  t.equal(registered.json.issuer_id, "3388000000012345678");
  t.equal(registered.json.api_url, sandbox.controlUrl);
  t.equal(keyFile.token_uri, `${sandbox.controlUrl}/token`);
  t.match(registered.json.service_account, {
    type: "service_account",
    project_id: String,
    private_key_id: /^[0-9a-f]{40}$/,
    private_key: /^-----BEGIN PRIVATE KEY-----/,
    client_email: /^wallet@[\w-]+\.iam\.gserviceaccount\.com$/,
    client_id: /^\d{21}$/,
  });
});

t.test("a right assertion is answered by a bearer token for 3599 seconds", async (t) => {
  const { status, json, headers } = await ask(goodClaims(keyFile));
  t.equal(status, 200);
  t.match(json, { access_token: /^ya29\.[\w.-]+$/, expires_in: 3599, token_type: "Bearer" });
  t.match(headers["cache-control"], /no-store/);
});

t.test("the scope may be one of several", async (t) => {
  const scope = `https://www.googleapis.com/auth/devstorage.read_only ${goodClaims(keyFile).scope}`;
  t.equal((await ask({ ...goodClaims(keyFile), scope })).status, 200);
});

const stranger = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
});
const now = Math.floor(Date.now() / 1000);
const refusals: [name: string, change: object, error: string, description: RegExp, status?: number][] = [
  ["an unknown issuer", { iss: "who@example.com" }, "invalid_grant", /account not found/],
  ["another audience", { aud: "https://oauth2.googleapis.com/token" }, "invalid_grant", /audience check/],
  ["an expired one", { iat: now - 7200, exp: now - 3600 }, "invalid_grant", /short-lived token/],
  ["one for more than an hour", { iat: now, exp: now + 3601 }, "invalid_grant", /short-lived token/],
  ["one from the future", { iat: now + 600, exp: now + 700 }, "invalid_grant", /short-lived token/],
  ["one without iat", { iat: undefined }, "invalid_grant", /short-lived token/],
  ["a time that is not a number", { exp: "soon" }, "invalid_grant", /short-lived token/],
  ["no scope", { scope: "" }, "invalid_scope", /scope/],
  ["another scope", { scope: "https://www.googleapis.com/auth/drive" }, "invalid_scope", /scope/],
  ["another subject", { sub: "boss@example.com" }, "unauthorized_client", /unauthorized/, 401],
];
for (const [name, change, error, description, expected = 400] of refusals) {
  t.test(`an assertion is refused: ${name}`, async (t) => {
    const { status, json } = await ask({ ...goodClaims(keyFile), ...change });
    t.equal(status, expected);
    t.match(json, { error, error_description: description });
  });
}

t.test("an assertion is refused: a foreign or missing signature, key id or algorithm", async (t) => {
  const claims = goodClaims(keyFile);
  const wrongKey = await ask(claims, header, stranger.privateKey);
  t.match(wrongKey.json, { error: "invalid_grant", error_description: "Invalid JWT Signature." });
  t.equal(wrongKey.status, 400);
  t.equal((await ask(claims, { ...header, kid: "0".repeat(40) })).json.error, "invalid_grant");
  t.equal((await ask(claims, { ...header, alg: "none" })).json.error, "invalid_grant");

  const [head, body] = jws(keyFile.private_key, { ...header, alg: "HS256" }, claims).split(".");
  const mac = createHmac("sha256", keyFile.private_key).update(`${head}.${body}`).digest("base64url");
  const form = { grant_type: bearerGrant, assertion: `${head}.${body}.${mac}` };
  t.equal((await askToken(keyFile.token_uri, form)).json.error, "invalid_grant");
});

t.test("a changed claim breaks the signature", async (t) => {
  const [head, , signature] = jws(keyFile.private_key, header, goodClaims(keyFile)).split(".");
  const changed = Buffer.from(JSON.stringify({ ...goodClaims(keyFile), extra: 1 })).toString("base64url");
  const form = { grant_type: bearerGrant, assertion: `${head}.${changed}.${signature}` };
  t.match((await askToken(keyFile.token_uri, form)).json, { error_description: "Invalid JWT Signature." });
});

t.test("what is not the grant is refused in the words of RFC 6749", async (t) => {
  const assertion = jws(keyFile.private_key, header, goodClaims(keyFile));
  const error = async (form: Record<string, string>) => {
    const { status, json } = await askToken(keyFile.token_uri, form);
    return [status, json.error];
  };
  t.strictSame(await error({ assertion }), [400, "invalid_request"]);
  t.strictSame(await error({ grant_type: bearerGrant }), [400, "invalid_request"]);
  t.strictSame(await error({ grant_type: "client_credentials", assertion }), [400, "unsupported_grant_type"]);
  t.strictSame(await error({ grant_type: bearerGrant, assertion: "a.b" }), [400, "invalid_grant"]);
  t.strictSame(await error({ grant_type: bearerGrant, assertion: "a.b.c" }), [400, "invalid_grant"]);
  const asJson = await call(keyFile.token_uri, {
    method: "POST",
    body: { grant_type: bearerGrant, assertion },
  });
  t.equal(asJson.status, 400);
  t.equal((await call(keyFile.token_uri)).status, 405);
});

t.test("a token ends with its hour", async (t) => {
  const { json } = await ask(goodClaims(keyFile, clock.nowMs()));
  const list = () =>
    call(`${sandbox.controlUrl}/walletobjects/v1/genericClass?issuerId=3388000000012345678`, {
      headers: { authorization: `Bearer ${json.access_token}` },
    });
  t.equal((await list()).status, 200);
  clock.forward(3_598_000);
  t.equal((await list()).status, 200);
  clock.forward(1_500);
  t.equal((await list()).status, 401);
});
