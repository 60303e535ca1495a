import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { call } from "../../sandbox/fixtures/calls.ts";
import { openApi } from "../../support/api.ts";
import { googleSigner, type Wish } from "../../support/google-callbacks.ts";
import { credentials, openIssuer, passOf } from "../../support/issuer.ts";
import { startKeyServer } from "../../support/key-server.ts";

const { issuerId } = credentials.google;
const signer = () => googleSigner({ issuerId, nowMs: () => Date.now() });

/** A tenant with a pass in Google Wallet, and whoever signs for Google and for the sandbox. */
async function opened(t: Test, given: { sandbox?: boolean; settings?: Record<string, string> } = {}) {
  const [google, sandbox] = [signer(), signer()];
  const [googleKeys, sandboxKeys] = [await startKeyServer(t, google), await startKeyServer(t, sandbox)];
  const api = await openApi(t, {
    settings: {
      PASSWRIGHT_GOOGLE_CALLBACK_KEYS_URL: `${googleKeys.url}/gp/m/issuer/keys`,
      PASSWRIGHT_SANDBOX_URL: sandboxKeys.url,
      PASSWRIGHT_DEVICE_RATE_LIMIT: "10000/1m",
      ...given.settings,
    },
  });
  const issuerOf = async (isSandbox: boolean) => {
    const issuer = await openIssuer(api.store);
    const { tenantId } = issuer;
    const configuration = { tenantId, wallet: "google", enabled: true, sandbox: isSandbox } as const;
    const summary = { issuer_id: issuerId };
    const whole = { ...configuration, summary, updatedAtMs: 0 };
    await api.providerConfigurations.save(whole, credentials.google);
    return { tenantId, passId: passOf(await issuer.create()).id };
  };
  const { tenantId, passId } = await issuerOf(given.sandbox === true);
  const about = { message: { objectId: `${issuerId}.${passId}` } };
  const send = (body: Buffer | string, of = tenantId) =>
    call(`${api.url}/google/${of}/callback`, { method: "POST", body });
  return {
    api,
    google,
    sandbox,
    googleKeys,
    sandboxKeys,
    tenantId,
    passId,
    issuerOf,
    send,
    /** A body about the pass. */
    genuine: (wish: Wish = {}) => google.body({ ...wish, message: { ...about.message, ...wish.message } }),
    about,
    async events() {
      const page = await api.events.list(tenantId, { passId }, { page: 1, pageSize: 100 });
      return page.items.map(({ type }) => type).filter((type) => /installed/.test(type));
    },
  };
}

t.test("a save and a removal are events, and are answered with nothing", async (t) => {
  const { send, genuine, events, googleKeys } = await opened(t);
  const { status, text } = await send(genuine());
  t.strictSame({ status, text }, { status: 200, text: "" });
  t.equal((await send(genuine({ message: { eventType: "del" } }))).status, 200);
  t.strictSame(await events(), ["pass.uninstalled", "pass.installed"]);
  t.equal(googleKeys.asked, 1);
});

t.test("20 deliveries of one call-back at a moment are one event", async (t) => {
  const { send, genuine, events, googleKeys } = await opened(t);
  const body = genuine();
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(body)));
  t.strictSame(new Set(replies.map(({ status }) => status)), new Set([200]));
  t.strictSame(await events(), ["pass.installed"]);
  t.equal(googleKeys.asked, 1);
});

t.test("1,000 bad signatures have no keys fetched, and all learn the same", async (t) => {
  const { send, genuine, events, googleKeys, sandbox } = await opened(t);
  await send(genuine());
  const bad = [
    sandbox.body(),
    genuine({ recipient: "1" }),
    genuine({ keyExpiration: "1" }),
    Buffer.from("{"),
  ];
  const answers = new Set<string>();
  for (let n = 0; n < 50; n++) {
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => send(bad[index % 4] ?? "")));
    for (const { status, json } of replies) answers.add(`${status} ${json.error} ${json.error_description}`);
  }
  t.strictSame([...answers], ["400 invalid_request This is no call-back of Google Wallet for this tenant."]);
  t.equal(googleKeys.asked, 1);
  t.strictSame(await events(), ["pass.installed"]);
});

t.test(
  "an address that is refused too much is not listened to; what is Google's does not count",
  async (t) => {
    const { send, genuine } = await opened(t, { settings: { PASSWRIGHT_DEVICE_RATE_LIMIT: "3/1m" } });
    for (let n = 0; n < 6; n++) t.equal((await send(genuine())).status, 200);
    for (let n = 0; n < 3; n++) t.equal((await send("{}")).status, 400);
    const reply = await send(genuine());
    t.match(reply, { status: 429, json: { error: "too_many_requests" }, headers: { "retry-after": "60" } });
  },
);

t.test("the sandbox is believed by its own tenants, Google by all others, and neither by both", async (t) => {
  const { send, google, sandbox, about, tenantId, issuerOf, googleKeys, sandboxKeys } = await opened(t);
  const ofSandbox = await issuerOf(true);
  t.equal((await send(google.body(about), tenantId)).status, 200);
  t.equal((await send(sandbox.body(about), tenantId)).status, 400);
  t.equal(sandboxKeys.asked, 0);
  t.equal((await send(sandbox.body(about), ofSandbox.tenantId)).status, 200);
  t.equal((await send(google.body(about), ofSandbox.tenantId)).status, 400);
  t.strictSame([googleKeys.asked, sandboxKeys.asked], [1, 1]);
});

t.test("what is about no pass of the tenant is taken, and nothing follows", async (t) => {
  const { send, google, api, tenantId, issuerOf, events } = await opened(t);
  const other = await issuerOf(false);
  for (const message of [
    { objectId: `${issuerId}.${other.passId}` },
    { objectId: `${issuerId}.${api.ids.uuid()}` },
    { objectId: `${issuerId}.made-by-hand` },
    { objectId: `${issuerId}.${other.passId}`, eventType: "of tomorrow" },
  ]) {
    t.equal((await send(google.body({ message }), tenantId)).status, 200);
  }
  t.strictSame(await events(), []);
  t.strictSame(await api.callbacks.standing(other), null);
});

t.test("who has no Google Wallet is not found", async (t) => {
  const { send, genuine, api, tenantId } = await opened(t);
  await api.providerConfigurations.setEnabled({ tenantId, wallet: "google" }, false, 1);
  t.equal((await send(genuine())).status, 200, "passes of a wallet that is disabled are out there still");
  await api.providerConfigurations.remove(tenantId, "google");
  for (const unknown of [tenantId, api.ids.uuid(), "x"]) {
    t.match(await send(genuine(), unknown), { status: 404, json: { error: "not_found" } });
  }
});

t.test("without keys Google is asked to come again, and what it brings then counts", async (t) => {
  const { send, genuine, googleKeys, api, events } = await opened(t);
  googleKeys.status = 500;
  const body = genuine();
  const reply = await send(body);
  t.match(reply, {
    status: 503,
    json: { error: "provider_unavailable" },
    headers: { "retry-after": /^\d+$/ },
  });
  t.equal((await send(body)).status, 503);
  t.equal(googleKeys.asked, 1);
  googleKeys.status = 200;
  api.clock.forward(60_000);
  t.equal((await send(body)).status, 200);
  t.strictSame(await events(), ["pass.installed"]);
});

t.test("keys from a file are gone by where one is set", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const [first, second] = [signer(), signer()];
  writeFileSync(file, JSON.stringify(first.keysDocument()));
  const settings = { PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE: file };
  const { send, about, api, googleKeys } = await opened(t, { settings });
  t.equal((await send(first.body(about))).status, 200);
  writeFileSync(file, JSON.stringify(second.keysDocument()));
  api.clock.forward(5000);
  t.equal((await send(first.body(about))).status, 400);
  t.equal((await send(second.body(about))).status, 200);
  t.equal(googleKeys.asked, 0);
});

t.test("a body above the limit is not read", async (t) => {
  const { send } = await opened(t);
  t.match(await send("x".repeat(70_000)), { status: 413 });
});

t.test("robots may come for call-backs and images, and stay off the pages of passes", async (t) => {
  const { api } = await opened(t);
  const { status, text, headers } = await call(`${api.url}/robots.txt`);
  t.match({ status, headers }, { status: 200, headers: { "content-type": /^text\/plain/ } });
  t.strictSame(text.trimEnd().split("\n"), [
    "User-agent: *",
    "Allow: /google/",
    "Allow: /images/",
    "Disallow: /p/",
  ]);
});
