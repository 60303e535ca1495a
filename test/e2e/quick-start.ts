import { importSPKI, jwtVerify } from "jose";
import t, { type Test } from "tap";
import { checkedPassFile, signers } from "./support/apple-file.ts";
import { askToken, type Client, withToken } from "./support/client.ts";
import { verifyByJsonwebtoken } from "./support/jsonwebtoken.ts";
import { nothingLogged } from "./support/logs.ts";
import { finished, sampleRequest } from "./support/passes.ts";
import { startPasswright } from "./support/passwright.ts";
import { ask, type Reply } from "./support/requests.ts";
import { googleState, rootCertificate, serviceAccountKey } from "./support/sandbox.ts";
import { instant, uuidV7 } from "./support/shapes.ts";

// With no setting at all, as on a newcomer's machine.
const service = await startPasswright(t);
const { announced } = service;
const { base_url: baseUrl } = announced;
const { tenant_id, application_id, application_secret, template_id: templateId } = announced;
const credentials = { tenant_id, application_id, application_secret };
const token = await askToken(baseUrl, credentials);
const client = withToken(baseUrl, token.json?.access_token, tenant_id);

t.test("one line of JSON says everything that a script needs", async (t) => {
  t.match(service.stdout(), /^\{[^\n]*\}\n$/);
  t.strictSame(Object.keys(announced).sort(), [
    "application_id",
    "application_secret",
    "base_url",
    "metrics_url",
    "redis_url",
    "sandbox_url",
    "template_id",
    "tenant_id",
  ]);
  t.match(announced.application_secret, /^pws_[0-9A-Za-z]{51}$/);
});

t.test("it is alive and ready, and shows its metrics on an address of their own", async (t) => {
  for (const path of ["/healthz", "/readyz"]) t.equal((await ask(`${baseUrl}${path}`)).status, 200, path);
  const metrics = await ask(announced.metrics_url);
  t.equal(metrics.status, 200);
  t.match(metrics.headers["content-type"], /^text\/plain/);
  t.match(metrics.text, /^# TYPE passwright_\w+ (counter|gauge|histogram)$/m);
  t.not(new URL(announced.metrics_url).host, new URL(baseUrl).host);
  t.equal((await ask(`${baseUrl}/metrics`)).status, 404);
});

t.test("the printed credentials get a token", async (t) => {
  t.equal(token.status, 200, token.text);
  t.match(token.json, { token_type: "Bearer", scope: "passes:read" });
});

t.test("the demo tenant has a pass already, made through the same API", async (t) => {
  const { json } = await client.get("/api/v1/passes");
  t.equal(json.total, 1);
  t.match(json.data, [{ status: "active", template_id: templateId }]);
});

t.test("from the sample body to a pass in both wallets", async (t) => {
  const request = await sampleRequest(client, templateId);
  const accepted = await client.post("/api/v1/passes", request);
  t.equal(accepted.status, 202, accepted.text);
  t.match(accepted.json, {
    status: "pending",
    version: 1,
    external_ref: request.external_ref,
    template_id: templateId,
    intent: request.intent,
    providers: { apple: { status: "queued" }, google: { status: "queued" } },
  });
  t.strictSame(accepted.json.data, request.data);
  t.match(accepted.json, { id: uuidV7, job_id: uuidV7, created_at: instant, updated_at: instant });
  t.equal(pathOf(accepted.headers.location), `/api/v1/jobs/${accepted.json.job_id}`);

  const job = await finished(client, accepted);
  t.match(job.json, {
    id: accepted.json.job_id,
    type: "pass.create",
    status: "completed",
    resource: { type: "pass", id: accepted.json.id },
    error: null,
    created_at: instant,
    started_at: instant,
    finished_at: instant,
  });
  t.ok(job.json.attempts >= 1);
  t.ok(job.json.progress.total >= 1);
  t.equal(job.json.progress.done, job.json.progress.total);
  t.equal(job.headers["retry-after"], undefined, "nothing is left to wait for");

  const pass = await client.get(`/api/v1/passes/${accepted.json.id}`);
  t.equal(pass.json.status, "active");
  t.equal(pass.json.version, 1);
  for (const wallet of ["apple", "google"]) {
    t.match(pass.json.providers[wallet], { status: "completed", save_link: String, updated_at: instant });
  }
  await judgePage(t, pass);
  await judgeAppleFile(t, pass);
  await judgeGoogleLink(t, pass);
});

t.test("each of the seven types that ship with it makes a pass for both wallets", async (t) => {
  const { json } = await client.get("/api/v1/templates?page_size=100");
  const types = json.data.map((template: { template_type: string }) => template.template_type).sort();
  t.strictSame(types, [
    "BoardingPass",
    "Coupon",
    "EventTicket",
    "Generic",
    "GiftCard",
    "LoyaltyCard",
    "MembershipCard",
  ]);
  for (const { id, template_type } of json.data) {
    t.test(`${template_type}, from its sample`, async (t) => {
      const pass = await issued(client, id);
      t.equal(pass.json.status, "active", pass.text);
      const { passJson } = await judgeAppleFile(t, pass);
      t.ok(passJson.barcodes?.[0]?.message, "it has a barcode");
      await judgeGoogleLink(t, pass);
    });
  }
});

t.test("the eleventh token request in a minute is refused, whatever the request was worth", async (t) => {
  // Every address of 127.0.0.0/8 is ours to come from; the budget is per address.
  const attempt = (from: string, headers = {}) =>
    ask(`${baseUrl}/api/v1/auth/token`, { from, body: { grant_type: "client_credentials" }, headers });
  for (let n = 1; n <= 10; n++) t.equal((await attempt("127.0.0.77")).status, 400, `request ${n}`);
  for (const headers of [{}, { "x-forwarded-for": "198.51.100.7" }, { forwarded: "for=198.51.100.7" }]) {
    const refused = await attempt("127.0.0.77", headers);
    t.equal(refused.status, 429, JSON.stringify(headers));
    t.match(refused.json, { error: "too_many_requests", error_description: String, trace_id: String });
    const { "retry-after": retryAfter, ...limits } = refused.headers;
    t.match(retryAfter, /^([1-9]|[1-5]\d|60)$/);
    t.match(limits, { "ratelimit-limit": "10", "ratelimit-remaining": "0", "ratelimit-reset": /^\d+$/ });
    t.match(refused.headers["cache-control"], /no-store/);
  }
  const good = { ...credentials, grant_type: "client_credentials" };
  const late = await ask(`${baseUrl}/api/v1/auth/token`, { from: "127.0.0.77", body: good });
  t.equal(late.status, 429, "right credentials wait too");
  t.equal((await attempt("127.0.0.78")).status, 400, "another address is not held back");
});

t.test("the rate of tokens does not hold back who has one", async (t) => {
  const reply = await ask(`${baseUrl}/api/v1/templates`, {
    from: "127.0.0.77",
    headers: { authorization: `Bearer ${client.token}` },
  });
  t.equal(reply.status, 200);
});

t.test("no secret was logged on the way", async (t) => {
  nothingLogged(t, service, {
    "the application's secret": announced.application_secret,
    "the access token": client.token,
  });
});

async function issued(client: Client, template: string): Promise<Reply> {
  const accepted = await client.post("/api/v1/passes", await sampleRequest(client, template));
  if (accepted.status !== 202) throw new Error(accepted.text);
  await finished(client, accepted);
  return client.get(`/api/v1/passes/${accepted.json.id}`);
}

async function judgePage(t: Test, pass: Reply) {
  const { page_url: pageUrl } = pass.json;
  t.match(pageUrl, new RegExp(`^${baseUrl}/p/[A-Za-z0-9_-]{22,}$`), "128 bits, as letters and digits");
  t.equal(pass.json.providers.apple.save_link, `${pageUrl}/pass.pkpass`);
  const page = await ask(pageUrl);
  t.equal(page.status, 200);
  t.match(page.headers["content-type"], /^text\/html/);
  const savePage = `${service.announced.sandbox_url}${pathOf(pass.json.providers.google.save_link)}`;
  t.ok(page.text.includes(savePage), "it offers Google Wallet, at the sandbox that stands in for it");
  t.equal((await ask(savePage)).status, 200);
  t.ok(page.text.includes("/pass.pkpass"), "it offers Apple Wallet");
  t.notOk(page.text.includes(tenant_id), "the page does not say whose it is");
  const unknown = pageUrl.replace(/.$/, (last: string) => (last === "A" ? "B" : "A"));
  for (const path of ["", "/pass.pkpass"]) t.equal((await ask(`${unknown}${path}`)).status, 404);
}

async function judgeAppleFile(t: Test, pass: Reply) {
  const file = await checkedPassFile(t, pass.json.providers.apple.save_link, rootCertificate(service));
  const { passJson } = file;
  t.match(passJson, {
    formatVersion: 1,
    passTypeIdentifier: /^pass\./,
    teamIdentifier: /^[A-Z0-9]{10}$/,
    serialNumber: String,
    organizationName: String,
    description: String,
    webServiceURL: `${baseUrl}/apple/${tenant_id}`,
  });
  t.ok(passJson.authenticationToken.length >= 16, "Apple asks for sixteen characters");
  const subjects = signers(file);
  t.ok(subjects.includes(passJson.passTypeIdentifier), "signed by a certificate for this very type");
  t.ok(subjects.includes(passJson.teamIdentifier), "and this very team");
  return file;
}

async function judgeGoogleLink(t: Test, pass: Reply) {
  const link: string = pass.json.providers.google.save_link;
  // Google's own converter refuses to make longer ones.
  t.ok(link.length < 1800, `${link.length} characters`);
  t.match(link, /^https:\/\/pay\.google\.com\/gp\/v\/save\/[\w-]+\.[\w-]+\.[\w-]+$/);
  const jwt = link.slice(link.lastIndexOf("/") + 1);

  const { service_accounts: accounts, classes, objects } = await googleState(service);
  t.equal(accounts.length, 1);
  const [{ client_email: issuer, issuer_id: issuerId } = { client_email: "", issuer_id: "" }] = accounts;
  const key = serviceAccountKey(service, issuer);
  const expected = { algorithms: ["RS256"], audience: "google", issuer };
  const { payload } = await jwtVerify(jwt, await importSPKI(key, "RS256"), expected);
  t.strictSame(verifyByJsonwebtoken(jwt, key, expected), payload, "two verifiers read the same");
  t.equal(payload.typ, "savetowallet");
  t.ok(Array.isArray(payload.origins));

  const named = Object.entries(payload.payload as Record<string, { id: string }[]>);
  t.equal(named.length, 1, "the object is named, and nothing else is carried");
  const [[kind, [object]] = ["", []]] = named;
  t.match(kind, /^[a-zA-Z]+Objects$/);
  const stored = objects.find(({ id }) => id === object?.id);
  t.ok(stored, "the object is at Google");
  t.equal(`${stored?.type}s`, kind);
  t.ok(object?.id.startsWith(`${issuerId}.`));
  const stateClass = classes.find(({ id }) => id === stored?.resource.classId);
  t.equal(stateClass?.type, stored?.type.replace("Object", "Class"), "and so is its class");
  t.match(stateClass?.resource.callbackOptions, { url: `${baseUrl}/google/${tenant_id}/callback` });
}

/** A Location may be given whole or as a path (RFC 9110 section 10.2.2). */
function pathOf(location: string | undefined): string {
  return new URL(location ?? "", baseUrl).pathname;
}
