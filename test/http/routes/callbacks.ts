import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { deleteTenant } from "../../../src/domain/tenants/remove.ts";
import { createTenantRemoval } from "../../../src/redis/tenant-removal.ts";
import { call } from "../../sandbox/fixtures/calls.ts";
import { openApi } from "../../support/api.ts";
import { settableClock } from "../../support/clock.ts";
import { googleSigner, type Wish } from "../../support/google-callbacks.ts";
import { credentials, openIssuer, passOf } from "../../support/issuer.ts";
import { startKeyServer } from "../../support/key-server.ts";

const { issuerId } = credentials.google;
const dayMs = 86_400_000;
const mostRefusals = 3;

// One API for all, since each makes signing keys first, which takes a second; each test has a tenant of its own.
const clock = settableClock(Date.now());
const signer = () => googleSigner({ issuerId, nowMs: () => clock.nowMs() });
const [google, sandbox] = [signer(), signer()];
const [googleKeys, sandboxKeys] = [await startKeyServer(t, google), await startKeyServer(t, sandbox)];
const settings = {
  PASSWRIGHT_GOOGLE_CALLBACK_KEYS_URL: `${googleKeys.url}/gp/m/issuer/keys`,
  PASSWRIGHT_SANDBOX_URL: sandboxKeys.url,
  PASSWRIGHT_DEVICE_RATE_LIMIT: `${mostRefusals}/1m`,
  PASSWRIGHT_TRUSTED_PROXIES: "127.0.0.1/32",
};
const shared = await openApi(t, { settings, clock });

/** A tenant with a pass in Google Wallet. */
async function opened(given: { sandbox?: boolean; api?: typeof shared } = {}) {
  const { sandbox = false, api = shared } = given;
  const issuer = await openIssuer(api.store);
  const { tenantId } = issuer;
  const configuration = { tenantId, wallet: "google", enabled: true, sandbox, updatedAtMs: 0 } as const;
  await api.providerConfigurations.save(
    { ...configuration, summary: { issuer_id: issuerId } },
    credentials.google,
  );
  const passId = passOf(await issuer.create()).id;
  const message = { objectId: `${issuerId}.${passId}` };
  return {
    tenantId,
    passId,
    /** From an address that nobody else has, unless it is given. */
    send: (body: Buffer | string, { of = tenantId, from = newAddress() } = {}) =>
      call(`${api.url}/google/${of}/callback`, {
        method: "POST",
        headers: { "x-forwarded-for": from },
        body,
      }),
    about: { message },
    /** A body about the pass. */
    genuine: (wish: Wish = {}) => google.body({ ...wish, message: { ...message, ...wish.message } }),
    async events() {
      const page = await api.events.list(tenantId, { passId }, { page: 1, pageSize: 100 });
      return page.items.map(({ type }) => type).filter((type) => /installed/.test(type));
    },
  };
}

let addresses = 0;
function newAddress(): string {
  addresses += 1;
  return `198.18.${addresses >> 8}.${addresses & 255}`;
}

/** How often Google's keys are fetched in the course of something. */
async function fetchesIn(course: () => Promise<unknown>): Promise<number> {
  const before = googleKeys.asked;
  await course();
  return googleKeys.asked - before;
}

t.test("a save and a removal are events, and are answered with nothing", async (t) => {
  const { send, genuine, events } = await opened();
  const { status, text } = await send(genuine());
  t.strictSame({ status, text }, { status: 200, text: "" });
  t.equal((await send(genuine({ message: { eventType: "del" } }))).status, 200);
  t.strictSame(await events(), ["pass.uninstalled", "pass.installed"]);
});

t.test(
  "20 deliveries of one call-back at a moment are one event, and have the keys fetched once",
  async (t) => {
    const { send, genuine, events } = await opened();
    // By then those that are known have ended.
    clock.forward(2 * dayMs);
    const body = genuine();
    const statuses = new Set<number>();
    const fetches = await fetchesIn(async () => {
      const replies = await Promise.all(Array.from({ length: 20 }, () => send(body)));
      for (const { status } of replies) statuses.add(status);
    });
    t.strictSame([...statuses], [200]);
    t.strictSame(await events(), ["pass.installed"]);
    t.equal(fetches, 1);
  },
);

t.test("bad signatures have no keys fetched, however many, and all learn the same", async (t) => {
  const { send, genuine, events } = await opened();
  await send(genuine());
  const bad = [
    sandbox.body(),
    genuine({ recipient: "1" }),
    genuine({ keyExpiration: "1" }),
    Buffer.from("{"),
  ];
  const answers = new Set<string>();
  const fetches = await fetchesIn(async () => {
    for (let n = 0; n < 10; n++) {
      const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => send(bad[index % 4] ?? "")));
      for (const { status, json } of replies)
        answers.add(`${status} ${json.error} ${json.error_description}`);
    }
  });
  t.strictSame([...answers], ["400 invalid_request This is no call-back of Google Wallet for this tenant."]);
  t.equal(fetches, 0);
  t.strictSame(await events(), ["pass.installed"]);
});

t.test(
  "an address that is refused too much is not listened to; what is Google's does not count",
  async (t) => {
    const { send, genuine } = await opened();
    const from = newAddress();
    for (let n = 0; n < 2 * mostRefusals; n++) t.equal((await send(genuine(), { from })).status, 200);
    for (let n = 0; n < mostRefusals; n++) t.equal((await send("{}", { from })).status, 400);
    const reply = await send(genuine(), { from });
    t.match(reply, { status: 429, json: { error: "too_many_requests" }, headers: { "retry-after": "60" } });
    t.equal((await send(genuine())).status, 200, "others are");
  },
);

t.test("whoever gives his own classes this address does not keep Google out", async (t) => {
  const { send, genuine } = await opened();
  const from = newAddress();
  const other = "3388000000099999999";
  const message = { classId: `${other}.card`, objectId: `${other}.pass` };
  for (let n = 0; n <= mostRefusals; n++) {
    t.equal((await send(google.body({ recipient: other, message }), { from })).status, 400);
  }
  t.equal((await send(genuine(), { from })).status, 200);
});

t.test("what phones ask and what is refused here are counted apart", async (t) => {
  const { send, genuine, tenantId } = await opened();
  const askAsPhone = (from: string) =>
    call(`${shared.url}/apple/${tenantId}/v1/devices/d/registrations/pass.com.example`, {
      headers: { "x-forwarded-for": from },
    });
  const phones = newAddress();
  for (let n = 0; n < mostRefusals; n++) t.not((await askAsPhone(phones)).status, 429);
  t.equal((await askAsPhone(phones)).status, 429);
  t.equal((await send("{}", { from: phones })).status, 400);
  t.equal((await send(genuine(), { from: phones })).status, 200);

  const stranger = newAddress();
  for (let n = 0; n < mostRefusals; n++) await send("{}", { from: stranger });
  t.equal((await send("{}", { from: stranger })).status, 429);
  t.not((await askAsPhone(stranger)).status, 429);
});

t.test("the sandbox is believed by its own tenants, Google by all others, and neither by both", async (t) => {
  const ofGoogle = await opened();
  const ofSandbox = await opened({ sandbox: true });
  t.equal((await ofGoogle.send(google.body(ofGoogle.about))).status, 200);
  t.equal((await ofGoogle.send(sandbox.body(ofGoogle.about))).status, 400);
  t.equal(sandboxKeys.asked, 0);
  t.equal((await ofSandbox.send(sandbox.body(ofSandbox.about))).status, 200);
  t.equal((await ofSandbox.send(google.body(ofSandbox.about))).status, 400);
  t.equal(sandboxKeys.asked, 1);
});

t.test("what is about no pass of the tenant is taken, and nothing follows", async (t) => {
  const { send, events } = await opened();
  const other = await opened();
  for (const message of [
    other.about.message,
    { objectId: `${issuerId}.${shared.ids.uuid()}` },
    { objectId: `${issuerId}.made-by-hand` },
    { ...other.about.message, eventType: "of tomorrow" },
  ]) {
    t.equal((await send(google.body({ message }))).status, 200);
  }
  t.strictSame(await events(), []);
  t.strictSame(await shared.callbacks.standing(other), null);
});

t.test("a revoked pass is in wallets still, and its removal is an event", async (t) => {
  const { send, genuine, events, tenantId, passId } = await opened();
  await shared.store.connection.hset(shared.store.keys.pass(tenantId, passId), "status", "revoked");
  t.equal((await send(genuine({ message: { eventType: "del" } }))).status, 200);
  t.strictSame(await events(), ["pass.uninstalled"]);
  t.strictSame((await shared.passes.find(tenantId, passId))?.status, "revoked");
});

t.test("a tenant that is deleted takes along what is known of its call-backs", async (t) => {
  const { send, genuine, tenantId } = await opened();
  t.equal((await send(genuine())).status, 200);
  const ofTenant = () => shared.store.connection.keys(`${shared.store.keys.ofTenant(tenantId)}:*`);
  t.equal((await ofTenant()).filter((key) => key.includes(":callback:")).length, 1);
  const removal = { tenantRemoval: createTenantRemoval(shared.store), tenants: shared.tenants };
  await deleteTenant({ ...removal, untilKnown: async () => {} }, tenantId);
  t.strictSame(await ofTenant(), []);
  t.equal((await send(genuine())).status, 404);
  t.strictSame(await ofTenant(), []);
});

t.test("who has no Google Wallet is not found", async (t) => {
  const { send, genuine, tenantId } = await opened();
  await shared.providerConfigurations.setEnabled({ tenantId, wallet: "google" }, false, 1);
  t.equal((await send(genuine())).status, 200, "passes of a wallet that is disabled are out there still");
  await shared.providerConfigurations.remove(tenantId, "google");
  for (const unknown of [tenantId, shared.ids.uuid(), "x"]) {
    t.match(await send(genuine(), { of: unknown }), { status: 404, json: { error: "not_found" } });
  }
});

t.test("without keys Google is asked to come again, and what it brings then counts", async (t) => {
  const { send, genuine, events } = await opened();
  clock.forward(2 * dayMs);
  googleKeys.status = 500;
  const body = genuine();
  const fetches = await fetchesIn(async () => {
    t.match(await send(body), {
      status: 503,
      json: { error: "provider_unavailable" },
      headers: { "retry-after": /^\d+$/ },
    });
    t.equal((await send(body)).status, 503);
  });
  t.equal(fetches, 1);
  googleKeys.status = 200;
  clock.forward(60_000);
  t.equal((await send(body)).status, 200);
  t.strictSame(await events(), ["pass.installed"]);
});

t.test("a body above the limit is not read", async (t) => {
  const { send } = await opened();
  t.match(await send("x".repeat(70_000)), { status: 413 });
});

t.test("robots may come for call-backs and images, and stay off the pages of passes", async (t) => {
  const { status, text, headers } = await call(`${shared.url}/robots.txt`);
  t.match({ status, headers }, { status: 200, headers: { "content-type": /^text\/plain/ } });
  t.strictSame(text.trimEnd().split("\n"), [
    "User-agent: *",
    "Allow: /google/",
    "Allow: /images/",
    "Disallow: /p/",
  ]);
});

t.test("keys from a file are gone by where one is set", async (t) => {
  const file = join(t.testdir(), "keys.json");
  const [first, second] = [signer(), signer()];
  writeFileSync(file, JSON.stringify(first.keysDocument()));
  const api = await openApi(t, {
    settings: { ...settings, PASSWRIGHT_GOOGLE_CALLBACK_KEYS_FILE: file },
    clock,
  });
  const { send, about } = await opened({ api });
  const fetches = await fetchesIn(async () => {
    t.equal((await send(first.body(about))).status, 200);
    writeFileSync(file, JSON.stringify(second.keysDocument()));
    clock.forward(5000);
    t.equal((await send(first.body(about))).status, 400);
    t.equal((await send(second.body(about))).status, 200);
  });
  t.equal(fetches, 0);
});
