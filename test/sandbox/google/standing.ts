import t from "tap";
import { call } from "../fixtures/calls.ts";
import { askToken, bearerGrant, becomeIssuer, goodClaims, type Issuer, jws } from "../fixtures/google.ts";
import { running } from "../fixtures/running.ts";

const dataDir = t.testdir();
const sandbox = await running(t, { dataDir });
const { controlUrl } = sandbox;

const set = ({ keyFile }: Issuer, body: object) =>
  call(`${controlUrl}/sandbox/google/service-accounts/${encodeURIComponent(keyFile.client_email)}`, {
    method: "PATCH",
    body,
  });

function newToken({ keyFile }: Issuer) {
  const header = { alg: "RS256", typ: "JWT", kid: keyFile.private_key_id };
  const assertion = jws(keyFile.private_key, header, goodClaims(keyFile));
  return askToken(keyFile.token_uri, { grant_type: bearerGrant, assertion });
}

const classes = (who: Issuer) => who.wallet("GET", `genericClass?issuerId=${who.issuerId}`);

const noTokens: [name: string, change: object, description: string, live: number][] = [
  ["a deleted account", { account: "deleted" }, "Invalid grant: account not found", 401],
  ["a disabled account", { account: "disabled" }, "Robot is disabled.", 401],
  // What was handed out before is good until its hour ends.
  ["a deleted key", { key: "deleted" }, "Invalid JWT Signature.", 200],
];
for (const [name, change, error_description, live] of noTokens) {
  t.test(`${name} gets no tokens, in Google's words, until it is well again`, async (t) => {
    const who = await becomeIssuer(controlUrl);
    const set_ = await set(who, change);
    t.equal(set_.status, 200);
    t.match(set_.json, { client_email: who.keyFile.client_email, ...change });
    const refused = await newToken(who);
    t.equal(refused.status, 400);
    t.strictSame(refused.json, { error: "invalid_grant", error_description });
    t.equal((await classes(who)).status, live);
    await set(who, { account: "enabled", key: "valid" });
    t.equal((await newToken(who)).status, 200);
  });
}

t.test("where the project has no Wallet API, Google's front end says so, in its two forms", async (t) => {
  const who = await becomeIssuer(controlUrl);
  await set(who, { wallet_api: "disabled" });
  t.equal((await newToken(who)).status, 200);
  const { status, json } = await classes(who);
  t.equal(status, 403);
  const { error } = json;
  t.match(error, {
    code: 403,
    status: "PERMISSION_DENIED",
    message:
      /^Google Wallet API has not been used in project (\d+) before or it is disabled\. Enable it by visiting/,
    errors: [{ domain: "usageLimits", reason: "accessNotConfigured" }],
  });
  t.match(error.details[0], {
    "@type": "type.googleapis.com/google.rpc.ErrorInfo",
    reason: "SERVICE_DISABLED",
    domain: "googleapis.com",
    metadata: { service: "walletobjects.googleapis.com", consumer: /^projects\/\d+$/ },
  });
  await set(who, { wallet_api: "enabled" });
  t.equal((await classes(who)).status, 200);
});

t.test("an account that is no user of the issuer is denied its resources", async (t) => {
  const who = await becomeIssuer(controlUrl);
  await set(who, { issuer_user: false });
  const { status, json } = await classes(who);
  t.equal(status, 403);
  t.match(json.error, {
    message: "Permission denied.",
    errors: [{ domain: "walletobjects", reason: "permissionDenied" }],
  });
  t.equal((await who.wallet("GET", `issuer/${who.issuerId}`)).status, 403);
  t.strictSame((await who.wallet("GET", "issuer")).json, {});
});

t.test("an issuer can be read, alone and in the list of its users", async (t) => {
  const who = await becomeIssuer(controlUrl);
  const named = await call(`${controlUrl}/sandbox/google/issuers/${who.issuerId}`, {
    method: "PATCH",
    body: { name: "Alpine Club" },
  });
  t.match(named.json, { issuer_id: who.issuerId, name: "Alpine Club", demo: false });
  const resource = { issuerId: who.issuerId, name: "Alpine Club" };
  t.strictSame((await who.wallet("GET", `issuer/${who.issuerId}`)).json, resource);
  t.strictSame((await who.wallet("GET", "issuer")).json, { resources: [resource] });
  const other = await becomeIssuer(controlUrl);
  t.equal((await who.wallet("GET", `issuer/${other.issuerId}`)).status, 403);
  t.equal((await who.wallet("POST", "issuer", {})).status, 404);
  t.equal((await who.wallet("GET", `issuer/${who.issuerId}/addMessage`)).status, 404);
});

t.test("what is set is shown, and outlives the sandbox; what is not known is refused", async (t) => {
  const folder = t.testdir();
  const first = await running(t, { dataDir: folder });
  const who = await becomeIssuer(first.controlUrl);
  const at = (url: string, path: string) => `${url}/sandbox/google/${path}`;
  const account = `service-accounts/${who.keyFile.client_email}`;
  await call(at(first.controlUrl, account), { method: "PATCH", body: { key: "deleted" } });
  await call(at(first.controlUrl, `issuers/${who.issuerId}`), { method: "PATCH", body: { demo: true } });
  await first.close();
  const second = await running(t, { dataDir: folder });
  const { json } = await call(at(second.controlUrl, "state"));
  t.match(json.service_accounts, [
    { account: "enabled", key: "deleted", wallet_api: "enabled", issuer_user: true },
  ]);
  t.strictSame(json.issuers, [{ issuer_id: who.issuerId, name: "Sandbox issuer", demo: true }]);
  for (const [path, body, status] of [
    [account, { key: "lost" }, 400],
    [account, { issuer_user: "no" }, 400],
    [account, { issuer: 1 }, 400],
    ["service-accounts/who@example.com", {}, 404],
    ["issuers/1", {}, 404],
    [`issuers/${who.issuerId}`, { demo: "yes" }, 400],
    [`issuers/${who.issuerId}`, { name: "" }, 400],
  ] as const) {
    const answer = await call(at(second.controlUrl, path), { method: "PATCH", body });
    t.equal(answer.status, status, `${path} ${JSON.stringify(body)}`);
  }
});
