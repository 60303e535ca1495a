import { randomUUID } from "node:crypto";
import t, { type Test } from "tap";
import { newSecret } from "../../src/domain/applications/secret.ts";
import { type Ask, ask, type Reply } from "../e2e/support/requests.ts";
import { type Api, openApi } from "../support/api.ts";

/** A token request that costs a hash and is refused. */
function stranger(api: Api): object {
  return {
    tenant_id: randomUUID(),
    application_id: randomUUID(),
    application_secret: newSecret(api.peppers[0]),
    grant_type: "client_credentials",
  };
}

function askToken(api: Api, given: Ask = {}): Promise<Reply> {
  return ask(`${api.url}/api/v1/auth/token`, { body: stranger(api), ...given });
}

async function statuses(count: number, request: () => Promise<Reply>): Promise<number[]> {
  const found: number[] = [];
  for (let i = 0; i < count; i++) found.push((await request()).status);
  return found;
}

const opened = (t: Test, settings: Record<string, string> = {}) => openApi(t, { settings });

t.test("the eleventh request of a minute is refused, whatever the ten before were", async (t) => {
  const api = await opened(t);
  const kinds: Ask[] = [
    {},
    { body: {} },
    { body: "{", headers: { "content-type": "application/json" } },
    { body: "grant_type=x", headers: { "content-type": "application/x-www-form-urlencoded" } },
    { method: "POST" },
  ];
  for (let i = 0; i < 10; i++) {
    const reply = await askToken(api, kinds[i % kinds.length]);
    t.ok([400, 401].includes(reply.status), String(reply.status));
    t.equal(reply.headers["ratelimit-limit"], "10");
    t.equal(reply.headers["ratelimit-remaining"], String(9 - i));
  }
  const refused = await askToken(api);
  t.equal(refused.status, 429);
  t.match(refused.json, { error: "too_many_requests" });
  t.equal(refused.headers["ratelimit-remaining"], "0");
  t.match(refused.headers["retry-after"], /^(60|[1-5]?\d)$/);
  t.match(refused.headers["cache-control"], /no-store/);
});

t.test("after Retry-After a request is let through", async (t) => {
  const api = await opened(t);
  await statuses(10, () => askToken(api));
  const refused = await askToken(api);
  api.clock.forward(Number(refused.headers["retry-after"]) * 1000);
  t.equal((await askToken(api)).status, 401);
});

t.test("a header of the client's own making changes nothing", async (t) => {
  const api = await opened(t);
  let number = 0;
  const lying = () =>
    askToken(api, {
      headers: { "x-forwarded-for": `198.51.100.${++number}`, forwarded: `for=1.1.1.${number}` },
    });
  const found = await statuses(12, lying);
  t.strictSame(found.slice(10), [429, 429]);
});

t.test("behind a trusted proxy each client has ten of its own, and cannot add to them", async (t) => {
  const api = await opened(t, { PASSWRIGHT_TRUSTED_PROXIES: "127.0.0.0/8" });
  let number = 0;
  const from = (client: string) => () =>
    askToken(api, { headers: { "x-forwarded-for": [`192.0.2.${++number}`, client] } });
  t.strictSame((await statuses(11, from("198.51.100.1"))).at(-1), 429);
  t.strictSame((await statuses(11, from("198.51.100.2"))).slice(9), [401, 429]);
});

t.test("an IPv6 subscriber has one window, however many of his addresses he uses", async (t) => {
  const api = await opened(t, { PASSWRIGHT_TRUSTED_PROXIES: "127.0.0.0/8" });
  let number = 0;
  const anyOfHis = () =>
    askToken(api, { headers: { "x-forwarded-for": `2001:db8:1:2::${(++number).toString(16)}` } });
  t.strictSame((await statuses(11, anyOfHis)).slice(9), [401, 429]);
  const neighbour = await askToken(api, { headers: { "x-forwarded-for": "2001:db8:1:3::1" } });
  t.equal(neighbour.status, 401);
});

t.test("calls that bear a token are not counted", async (t) => {
  const api = await opened(t);
  const caller = await api.caller();
  await statuses(11, () => askToken(api));
  t.strictSame(new Set(await statuses(12, () => caller.get("/api/v1/passes"))), new Set([200]));
});
