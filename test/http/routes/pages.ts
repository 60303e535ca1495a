import t from "tap";
import { ask } from "../../e2e/support/requests.ts";
import {
  createAuthority,
  passTypeIdentifier,
  teamIdentifier,
} from "../../providers/apple/fixtures/authority.ts";
import { openApi } from "../../support/api.ts";
import { credentials, openIssuer, passOf } from "../../support/issuer.ts";

const api = await openApi(t);
const { keys, connection } = api.store;
const authority = createAuthority(t.testdir());
const leaf = authority.leaf("pass");
// The certificate is younger than the clock, which stands still.
api.clock.forward(60_000);

/** A pass that Apple's part is done of, and how often it was viewed. */
async function opened() {
  const issuer = await openIssuer(api.store);
  const { tenantId } = issuer;
  const apple = { ...credentials.apple, ...leaf, wwdr: authority.intermediate };
  await issuer.providerConfigurations.save(
    { tenantId, wallet: "apple", enabled: true, sandbox: true, summary: {}, updatedAtMs: 0 },
    { ...apple, passTypeIdentifier, teamIdentifier },
  );
  const { id } = passOf(await issuer.create());
  await connection.hset(keys.pass(tenantId, id), "apple", "completed", "apple:link", "/p/…/pass.pkpass");
  const pass = await issuer.passes.find(tenantId, id);
  if (pass === null) throw new Error("the pass is not there");
  const filter = { passId: id, type: "pass.viewed" } as const;
  return {
    page: `${api.url}/p/${pass.pageToken}`,
    file: `${api.url}/p/${pass.pageToken}/pass.pkpass`,
    key: keys.pass(tenantId, id),
    pass,
    async views() {
      await api.views.settled();
      return (await api.events.list(tenantId, filter, { page: 1, pageSize: 20 })).items;
    },
  };
}

t.test("who gets the page or the file of a pass has viewed it", async (t) => {
  const { page, file, pass, views } = await opened();
  t.equal((await ask(page)).status, 200);
  t.equal((await views()).length, 1);
  const { status, bytes } = await ask(file);
  t.strictSame([status, bytes.subarray(0, 2).toString()], [200, "PK"]);
  t.match(await views(), [
    { type: "pass.viewed", passId: pass.id, templateId: pass.templateId, occurredAtMs: api.clock.nowMs() },
    { type: "pass.viewed", passId: pass.id },
  ]);
});

t.test("a HEAD shows nothing, so it is no view", async (t) => {
  const { page, file, views } = await opened();
  t.equal((await ask(page, { method: "HEAD" })).status, 200);
  t.equal((await ask(file, { method: "HEAD" })).status, 200);
  t.strictSame(await views(), []);
});

t.test("what is not shown is not viewed", async (t) => {
  const { page, file, key, views } = await opened();
  await connection.hset(key, "status", "revoked");
  t.equal((await ask(page)).status, 410);
  t.equal((await ask(file)).status, 410);
  await connection.hset(key, "status", "pending");
  await connection.hdel(key, "apple:link");
  t.equal((await ask(file)).status, 404);
  t.strictSame(await views(), []);
});

t.test("a page is shown although its view cannot be written", async (t) => {
  const { page, pass, views } = await opened();
  const events = keys.events(pass.tenantId);
  await connection.rename(events, `${events}:aside`);
  await connection.set(events, "not a hash");
  t.equal((await ask(page)).status, 200);
  await api.views.settled();
  await connection.rename(`${events}:aside`, events);
  t.strictSame(await views(), []);
});
