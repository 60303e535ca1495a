import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import t, { type Test } from "tap";
import {
  apns,
  appleCertificates,
  google,
  googleDemoMode,
  publicAddress,
} from "../../../src/domain/doctor/wallet-checks.ts";
import { webhookEgress } from "../../../src/domain/doctor/webhook-checks.ts";
import { createReach } from "../../../src/egress/reach.ts";
import { certify, receive } from "../../egress/fixtures/receiver.ts";
import {
  createAuthority,
  passTypeIdentifier,
  teamIdentifier,
} from "../../providers/apple/fixtures/authority.ts";
import { credentialsFor } from "../../providers/google/fixtures/service-account.ts";
import { openExamined } from "../../support/examination.ts";
import { freePort } from "../../support/redis-server.ts";
import { dayMs } from "../../support/signing-keys.ts";

const authority = createAuthority(t.testdir());

type Examined = Awaited<ReturnType<typeof openExamined>>;

/** A tenant with a certificate of so many days, under an intermediate of so many. */
async function addApple(
  examined: Examined,
  given: { days?: number; wwdr?: string; apnsUrl?: string; certificate?: string } = {},
): Promise<string> {
  const { id: tenantId } = await examined.addTenant();
  const leaf = authority.leaf(`leaf-${given.days ?? 365}`, { kind: "ec", days: given.days ?? 365 });
  await examined.providerConfigurations.save(
    { tenantId, wallet: "apple", enabled: true, sandbox: false, summary: {}, updatedAtMs: 0 },
    {
      certificate: given.certificate ?? leaf.certificate,
      key: leaf.key,
      wwdr: given.wwdr ?? authority.intermediate,
      passTypeIdentifier,
      teamIdentifier,
      apnsUrl: given.apnsUrl ?? "https://api.push.apple.com",
    },
  );
  return tenantId;
}

async function addGoogle(examined: Examined, url: string): Promise<string> {
  const { id: tenantId } = await examined.addTenant();
  await examined.providerConfigurations.save(
    { tenantId, wallet: "google", enabled: true, sandbox: false, summary: {}, updatedAtMs: 0 },
    credentialsFor(url),
  );
  return tenantId;
}

/** A Google that grants tokens, or refuses them as a deleted account's. */
async function startGoogle(t: Test, grants: boolean): Promise<string> {
  const server = createServer((request, response) => {
    const isToken = request.url === "/token";
    response.writeHead(isToken && !grants ? 400 : 200, { "content-type": "application/json" });
    const refused = { error: "invalid_grant", error_description: "Invalid grant: account not found" };
    response.end(JSON.stringify(!isToken ? {} : grants ? { access_token: "t", expires_in: 3600 } : refused));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

t.test("certificates that last are well, and their number is told", async (t) => {
  const examined = await openExamined(t);
  t.match(await appleCertificates.look(examined), [
    { status: "ok", message: /^0 certificates of 0 tenants/ },
  ]);
  await addApple(examined);
  t.match(await appleCertificates.look(examined), [{ status: "ok", message: /^1 certificate of 1 tenant/ }]);
});

t.test(
  "a certificate is spoken of 60 days before its end, warned of at 30, and wrong from 7 on",
  async (t) => {
    const examined = await openExamined(t);
    const tenantId = await addApple(examined, { days: 90 });
    const later = (days: number) =>
      appleCertificates.look({ ...examined, clock: { nowMs: () => Date.now() + days * dayMs } });
    t.match(await later(29), [{ status: "ok", message: /none ends soon/ }]);
    t.match(await later(31), [
      {
        status: "ok",
        message: `pass.example.loyalty of the tenant ${tenantId} ends in 59 days`,
        remedy: null,
      },
    ]);
    t.match(await later(61), [
      {
        status: "warning",
        message: /pass\.example\.loyalty.*ends in 29 days/,
        remedy: `--tenant ${tenantId}`,
      },
    ]);
    t.match(await later(84), [
      { status: "failed", message: /ends in 6 days/, remedy: `--tenant ${tenantId}` },
    ]);
    t.match(await later(91), [{ status: "failed", message: /has expired.*no pass can be signed/ }]);
  },
);

t.test("the WWDR certificate is looked at by itself", async (t) => {
  const examined = await openExamined(t);
  const ending = createAuthority(t.testdir(), { name: "old", days: 10 });
  await addApple(examined, { wwdr: ending.intermediate });
  t.match(await appleCertificates.look(examined), [
    { status: "warning", message: /^The WWDR certificate of .*ends in/, remedy: /certificateauthority/ },
  ]);
});

t.test("a certificate that is none, and a sealed one, are told", async (t) => {
  const examined = await openExamined(t);
  await addApple(examined, { certificate: "nonsense" });
  t.match(await appleCertificates.look(examined), [{ status: "failed", message: /cannot be read/ }]);
  const wrong = await examined.open({ PASSWRIGHT_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") });
  t.match(await appleCertificates.look(wrong), [{ status: "unknown", remedy: /master-keys/ }]);
});

t.test("no more tenants are looked at than may be, and that is said", async (t) => {
  const examined = await openExamined(t);
  for (let i = 0; i < 3; i++) await examined.addTenant();
  const [finding] = await appleCertificates.look({ ...examined, mostTenants: 2 });
  t.match(finding, { message: /of the newest 2 of 3 tenants \(all with --deep\)/ });
});

t.test("Google is asked with a tenant's own account", async (t) => {
  const examined = await openExamined(t);
  t.match(await google.look(examined), [{ status: "ok", message: /No tenant/ }]);
  await addGoogle(examined, await startGoogle(t, true));
  t.match(await google.look(examined), [{ status: "ok", message: /1 of 1 service account tried/ }]);
});

t.test("an account that Google refuses is another matter than a Google that is out of reach", async (t) => {
  const refused = await openExamined(t);
  const tenantId = await addGoogle(refused, await startGoogle(t, false));
  t.match(await google.look(refused), [
    { status: "failed", message: /account not found/, remedy: `providers set google --tenant ${tenantId}` },
  ]);
  const away = await openExamined(t);
  await addGoogle(away, `http://127.0.0.1:${await freePort()}`);
  t.match(await google.look(away), [
    { status: "failed", message: /could not be reached/, remedy: /this machine may reach 127/ },
  ]);
});

t.test("APNs is reached over TLS, once for all tenants that use it", async (t) => {
  const examined = await openExamined(t);
  t.match(await apns.look(examined), [{ status: "ok", message: /No tenant/ }]);
  const certified = certify();
  const server = await receive(t, certified);
  for (let i = 0; i < 2; i++) await addApple(examined, { apnsUrl: server.url });
  const reach = { ...examined.reach, ...createReach({ allowed: [], ca: certified.ca }) };
  t.match(await apns.look({ ...examined, reach }), [{ status: "ok", message: server.url }]);
  t.equal(server.connections(), 1);
  t.match(
    await apns.look(examined),
    [{ status: "failed", message: /certificate/ }],
    "a stranger is not believed",
  );
});

t.test("receivers of webhooks are visited through the guard, and get nothing", async (t) => {
  const certified = certify();
  const receiver = await receive(t, certified);
  const examined = await openExamined(t, { settings: { PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8" } });
  const { id: tenantId } = await examined.addTenant();
  const allowed = examined.config.webhookAllowCidrs;
  const reach = { ...examined.reach, ...createReach({ allowed, ca: certified.ca }) };
  t.match(await webhookEgress.look({ ...examined, reach }), [{ status: "ok", message: /no active webhook/ }]);
  await examined.addWebhook(tenantId, `${receiver.url}/hooks`);
  t.match(await webhookEgress.look({ ...examined, reach }), [{ status: "ok", message: /^1 receiver/ }]);
  t.strictSame(receiver.received, []);

  const guarded = { ...examined.reach, ...createReach({ allowed: [], ca: certified.ca }) };
  t.match(await webhookEgress.look({ ...examined, reach: guarded }), [
    { status: "warning", message: /not a public address/, remedy: /webhooks test/ },
  ]);
  t.equal(receiver.connections(), 1, "the guard kept it from being visited");

  await examined.addWebhook(tenantId, `https://127.0.0.1:${await freePort()}/hooks`);
  t.match(await webhookEgress.look({ ...examined, reach }), [{ status: "warning", message: /ECONNREFUSED/ }]);
  t.match(await webhookEgress.look({ ...examined, reach: guarded }), [
    { status: "failed", message: /^None of 2 receivers/, remedy: /PASSWRIGHT_WEBHOOK_ALLOW_CIDRS/ },
  ]);
});

t.test("where Google itself shows passes, it must reach their pictures", async (t) => {
  const examined = await openExamined(t);
  await addGoogle(examined, "http://127.0.0.1:1");
  t.match(await publicAddress.look(examined), [{ status: "ok", message: /^No tenant uses/ }]);
  await addGoogle(examined, "https://walletobjects.googleapis.com");
  t.match(await publicAddress.look(examined), [
    {
      status: "warning",
      message: /PASSWRIGHT_BASE_URL is not set.*passes of 1 tenant/,
      remedy: /PASSWRIGHT_BASE_URL/,
    },
  ]);
  const settled = await examined.open({ PASSWRIGHT_BASE_URL: "https://passes.acme.com" });
  t.match(await publicAddress.look(settled), [{ status: "ok", message: /from https:\/\/passes\.acme\.com/ }]);
});

t.test("issuers in demo mode are told, and that is nothing wrong", async (t) => {
  const examined = await openExamined(t);
  const tenantId = await addGoogle(examined, "http://127.0.0.1:1");
  t.match(await googleDemoMode.look(examined), [{ status: "ok", message: /^No issuer of 1 tenant is said/ }]);
  await examined.providerConfigurations.setDemoMode({ tenantId, wallet: "google" }, true, 0);
  t.match(await googleDemoMode.look(examined), [
    { status: "ok", message: new RegExp(`of the tenant ${tenantId} is in demo mode.*--no-demo-mode$`) },
  ]);
});
