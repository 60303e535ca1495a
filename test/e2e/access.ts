import { Redis } from "ioredis";
import t, { type Test } from "tap";
import { askToken, type Client, signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { nothingLogged } from "./support/logs.ts";
import { createApplication, createTenant } from "./support/operator.ts";
import { newMasterKey, startPasswright } from "./support/passwright.ts";
import { ask, type Reply } from "./support/requests.ts";

// What operators do to shut people out and let them in, on the built product, while it serves.

const service = await startPasswright(t, {
  settings: { PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m", PASSWRIGHT_MASTER_KEY: newMasterKey() },
});
const { cli, announced } = service;
const baseUrl = announced.base_url;

/** What is promised to every process. */
const promisedMs = 5000;

/** Waits for an answer, and says when that took longer than is promised. */
async function soon(t: Test, what: string, look: () => Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  await eventually(async () => ((await look()) ? true : undefined));
  const ms = Math.round(performance.now() - startedAt);
  t.ok(ms < promisedMs, `${what} after ${ms} ms`);
}

const listPasses = (client: Client): Promise<Reply> => client.get("/api/v1/passes");

async function answers(client: Client, status: number, error?: string): Promise<boolean> {
  const reply = await listPasses(client);
  return reply.status === status && (error === undefined || reply.json.error === error);
}

async function publishedKids(): Promise<string[]> {
  const { keys } = JSON.parse((await ask(`${baseUrl}/.well-known/jwks.json`)).text);
  return keys.map(({ kid }: { kid: string }) => kid);
}

t.test("a suspended tenant is shut out within seconds, and let in again", async (t) => {
  const credentials = await createTenant(service, { name: "Acme", wallets: [] });
  const client = await signIn(baseUrl, credentials);
  t.equal((await listPasses(client)).status, 200);

  t.match((await cli("tenants", "suspend", credentials.tenant_id, "--json")).json(), {
    id: credentials.tenant_id,
    status: "suspended",
    changed: true,
  });
  t.match(await askToken(baseUrl, credentials), { status: 401, json: { error: "invalid_client" } });
  await soon(t, "a live token is refused", () => answers(client, 401, "invalid_client"));
  t.match((await cli("tenants", "suspend", credentials.tenant_id, "--json")).json(), { changed: false });

  t.match((await cli("tenants", "activate", credentials.tenant_id, "--json")).json(), { status: "active" });
  await soon(t, "it works again", () => answers(client, 200));
  t.equal((await askToken(baseUrl, credentials)).status, 200);
});

t.test("a disabled application is shut out within seconds, and no other", async (t) => {
  const credentials = await createTenant(service, { name: "Borealis", wallets: [] });
  const { tenant_id: tenant, application_id: id } = credentials;
  const other = await signIn(baseUrl, await createApplication(service, tenant, "issuer"));
  const client = await signIn(baseUrl, credentials);
  t.equal((await listPasses(client)).status, 200);

  const disabled = await cli("applications", "disable", id, "--tenant", tenant, "--json");
  t.match(disabled.json(), { id, status: "disabled", changed: true });
  t.match(await askToken(baseUrl, credentials), { status: 403, json: { error: "unauthorized_client" } });
  await soon(t, "a live token is refused", () => answers(client, 403, "unauthorized_client"));
  t.ok(await answers(other, 200));

  await cli("applications", "enable", id, "--tenant", tenant);
  await soon(t, "it works again", () => answers(client, 200));
  t.equal((await cli("applications", "disable", id, "--tenant", announced.tenant_id)).code, 4);
});

t.test("a rotated secret is shown once, and the old one is good for the grace period", async (t) => {
  const old = await createTenant(service, { name: "Corona", wallets: [] });
  const rotate = (...more: string[]) =>
    cli("applications", "rotate-secret", old.application_id, "--tenant", old.tenant_id, ...more);
  const first = await rotate("--json");
  const fresh = { ...old, application_secret: first.json().secret };
  const graceMs = Date.parse(first.json().old_secret_valid_until) - Date.now();
  t.ok(graceMs > 23.9 * 3_600_000 && graceMs <= 24 * 3_600_000, "a day");
  for (const credentials of [old, fresh]) t.equal((await askToken(baseUrl, credentials)).status, 200);

  const second = await rotate("--grace", "1h");
  t.equal(second.code, 0);
  t.match(second.stderr, /two secrets at most/);
  t.equal((await askToken(baseUrl, old)).status, 401, "of three the oldest has ended");
  t.equal((await askToken(baseUrl, fresh)).status, 200);
  const third = (await rotate("--grace", "0s", "--json")).json();
  t.match(third, { old_secret_valid_until: null, secrets_ended: 2 });
  t.equal((await askToken(baseUrl, fresh)).status, 401);
  t.equal((await askToken(baseUrl, { ...old, application_secret: third.secret })).status, 200);
  for (const wrong of ["1", "-1s", "31d"]) t.equal((await rotate("--grace", wrong)).code, 2, wrong);
  nothingLogged(t, service, { "the new secret": third.secret, "the one before": fresh.application_secret });
});

t.test(
  "signing keys: what is not safe is refused, naming the time, and needs --force and --yes",
  async (t) => {
    const client = await signIn(baseUrl, await createTenant(service, { name: "Delta", wallets: [] }));
    const [active, next] = (await cli("keys", "list", "--json")).json();
    t.match([active, next], [{ state: "active" }, { state: "next" }]);

    for (const more of [[], ["--dry-run"]]) {
      const refused = await cli("keys", "rotate", ...more, "--json");
      t.equal(refused.code, 1);
      const { error, error_description } = JSON.parse(refused.stdout);
      t.equal(error, "invalid_state");
      t.ok(error_description.includes(next.safe_to_activate_at), error_description);
    }
    const unasked = await cli("keys", "rotate", "--force");
    t.equal(unasked.code, 2);
    t.match(unasked.stderr, /--yes/);
    t.match((await cli("keys", "rotate", "--force", "--dry-run", "--json")).json(), {
      rotated: false,
      active: next.kid,
      retiring: active.kid,
    });
    t.strictSame(new Set(await publishedKids()), new Set([active.kid, next.kid]), "nothing has changed");

    const done = (await cli("keys", "rotate", "--force", "--yes", "--json")).json();
    t.match(done, { rotated: true, active: next.kid, retiring: active.kid });
    t.match(done.warnings, [/do not know/]);
    await soon(t, "the new next key is published", async () => (await publishedKids()).includes(done.next));
    await soon(t, "new tokens are signed by the next key", async () => {
      const { json } = await askToken(baseUrl, credentialsOfDemo());
      return kidOf(json.access_token) === next.kid;
    });
    t.ok(await answers(client, 200), "the old key's tokens are still good");

    for (const kid of [active.kid, next.kid, done.next]) {
      const refused = await cli("keys", "remove", kid, "--json");
      t.equal(refused.code, 1);
      t.equal(JSON.parse(refused.stdout).error, "invalid_state");
    }
    t.equal((await cli("keys", "remove", "unknown")).code, 4);
  },
);

t.test("a compromised key's tokens are refused within seconds", async (t) => {
  const credentials = credentialsOfDemo();
  const client = await signIn(baseUrl, credentials);
  t.equal((await listPasses(client)).status, 200);
  const kid = kidOf(client.token);
  t.equal((await cli("keys", "rotate", "--compromised", kid)).code, 2, "not without --yes");
  t.equal((await cli("keys", "rotate", "--compromised", "unknown", "--yes")).code, 4);
  t.ok(await answers(client, 200));

  const done = (await cli("keys", "rotate", "--compromised", kid, "--yes", "--json")).json();
  t.match(done, { rotated: true, removed: kid });
  await soon(t, "the token is refused", () => answers(client, 401, "invalid_token"));
  t.notOk((await publishedKids()).includes(kid));
  t.ok(await answers(await signIn(baseUrl, credentials), 200), "a new token is good");
});

t.test("a deleted tenant leaves nothing of its own behind, and its tokens are nobody's", async (t) => {
  const credentials = await createTenant(service, { name: "Echo", wallets: ["google"] });
  const { tenant_id: id } = credentials;
  const client = await signIn(baseUrl, credentials);
  const template = (await client.get("/api/v1/templates")).json.data[0];
  for (const external_ref of ["a", "b"]) {
    const sample = (await client.get(`/api/v1/templates/${template.id}/sample`)).json;
    const data = Object.fromEntries(Object.keys(sample.data).map((key) => [key, "1"]));
    const reply = await client.post("/api/v1/passes", { ...sample, external_ref, data });
    t.equal(reply.status, 202, reply.text);
  }
  t.equal((await cli("tenants", "delete", id)).code, 2, "not without --yes");
  t.ok(await answers(client, 200));

  const deleted = await cli("tenants", "delete", id, "--yes", "--json");
  t.match(deleted.json(), { id, name: "Echo", status: "deleted", removed: Number });
  t.match(await listPasses(client), { status: 401, json: { error: "invalid_token" } });
  t.match(await askToken(baseUrl, credentials), { status: 401, json: { error: "invalid_client" } });
  t.equal((await cli("tenants", "show", id)).code, 4);
  t.strictSame(await keysNaming(id), ["pw:{operators}:audit"], "but what operators did to it");
  t.ok((await keysNaming(announced.tenant_id)).length > 10, "others are still there");
});

function credentialsOfDemo() {
  const { tenant_id, application_id, application_secret } = announced;
  return { tenant_id, application_id, application_secret };
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString("utf8")).kid;
}

/** The keys of the whole store that say an id, in their names or in what they hold. */
async function keysNaming(id: string): Promise<string[]> {
  const redis = new Redis(announced.redis_url);
  try {
    const found: string[] = [];
    for (const key of await redis.keys("*")) {
      const content = await contentOf(redis, key);
      if (key.includes(id) || JSON.stringify(content).includes(id)) found.push(key);
    }
    return found;
  } finally {
    redis.disconnect();
  }
}

async function contentOf(redis: Redis, key: string): Promise<unknown> {
  switch (await redis.type(key)) {
    case "string":
      return redis.get(key);
    case "hash":
      return redis.hgetall(key);
    case "set":
      return redis.smembers(key);
    case "zset":
      return redis.zrange(key, "0", "-1");
    case "list":
      return redis.lrange(key, 0, -1);
    case "stream":
      return redis.xrange(key, "-", "+");
    default:
      return "";
  }
}
