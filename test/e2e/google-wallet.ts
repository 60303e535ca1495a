import t, { type Test } from "tap";
import { signIn } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { finished, issuePass, newReference } from "./support/passes.ts";
import { newMasterKey, startPasswright } from "./support/passwright.ts";
import { type Ask, ask, type Reply } from "./support/requests.ts";

// What a person does with a pass in Google Wallet, from the page of the pass to what its issuer hears of it.

const service = await startPasswright(t, { settings: { PASSWRIGHT_MASTER_KEY: newMasterKey() } });
const { base_url: baseUrl, template_id, sandbox_url: sandboxUrl, tenant_id: tenantId } = service.announced;
const client = await signIn(baseUrl, service.announced);

/** A pass, and the address to which the Google button of its page leads. */
async function offered() {
  const pass = await issuePass(client, {
    template_id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Zoë Łukasiewicz", points: "7" },
  });
  const page = await ask(pass.json.page_url);
  const [, saveUrl = ""] = /href="([^"]*\/gp\/v\/save\/[^"]*)"/.exec(page.text) ?? [];
  return { id: pass.json.id as string, saveLink: pass.json.providers.google.save_link as string, saveUrl };
}

const press = (saveUrl: string, button: "save" | "remove") =>
  ask(saveUrl, {
    method: "POST",
    body: `do=${button}`,
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });

const sandbox = (path: string, options: Ask = {}): Promise<Reply> => ask(`${sandboxUrl}${path}`, options);

/** Types of the events of a pass that Google's call-backs make, oldest first, once there are so many. */
async function reported(passId: string, count: number): Promise<string[]> {
  return eventually(async () => {
    const { json } = await client.get(`/api/v1/analytics/events?pass_id=${passId}&page_size=100`);
    const types = (json.data as { event_type: string }[]).map(({ event_type: type }) => type).reverse();
    const installs = types.filter((type) => /^pass\.(un)?installed$/.test(type));
    return installs.length >= count ? installs : undefined;
  });
}

async function heldByGoogle(t: Test, passId: string) {
  const { json } = await sandbox("/sandbox/google/state");
  const found = json.objects.find(({ id }: { id: string }) => id.endsWith(`.${passId}`));
  t.ok(found, "Google has it");
  return found;
}

t.test("saved and removed from the page of the pass, and its issuer hears of both, once", async (t) => {
  const pass = await offered();
  t.ok(pass.saveLink.startsWith("https://pay.google.com/gp/v/save/"));
  t.equal(
    pass.saveUrl,
    pass.saveLink.replace("https://pay.google.com", sandboxUrl),
    "the sandbox's stand-in",
  );
  const page = await ask(pass.saveUrl);
  t.equal(page.status, 200, page.text);
  t.match(page.text, "Zoë Łukasiewicz");

  t.ok((await press(pass.saveUrl, "save")).status < 400);
  t.strictSame(await reported(pass.id, 1), ["pass.installed"]);
  t.ok((await press(pass.saveUrl, "remove")).status < 400);
  t.strictSame(await reported(pass.id, 2), ["pass.installed", "pass.uninstalled"]);

  // Google may say a thing twice.
  const { id } = await heldByGoogle(t, pass.id);
  const { json } = await sandbox(`/sandbox/google/callbacks?object_id=${id}`);
  t.equal(json.callbacks.length, 2);
  for (const { nonce } of json.callbacks) {
    const again = await sandbox(`/sandbox/google/callbacks/${nonce}/deliver`, { method: "POST" });
    t.ok(again.status < 300, again.text);
  }
  await press(pass.saveUrl, "save");
  t.strictSame(await reported(pass.id, 3), ["pass.installed", "pass.uninstalled", "pass.installed"]);

  const [row] = (await service.cli("passes", "devices", pass.id, "--tenant", tenantId, "--json")).json();
  t.match(row, { wallet: "google" });
});

t.test("what is not Google's word counts for nothing", async (t) => {
  const pass = await offered();
  const { id } = await heldByGoogle(t, pass.id);
  const flaws = ["signature", "message", "expired", "recipient", "sender", "protocol"];
  for (const flaw of [...flaws, "intermediate-signature", "intermediate-expired"]) {
    const sent = await sandbox("/sandbox/google/callbacks", {
      body: { object_id: id, event_type: "save", flaw },
    });
    t.match(sent.json, { attempts: [{ answer: 400 }] }, flaw);
  }
  await press(pass.saveUrl, "save");
  t.strictSame(await reported(pass.id, 1), ["pass.installed"], "the only one is the genuine one");
});

t.test("an update, a message and the end of a pass arrive where it is saved", async (t) => {
  const pass = await offered();
  await press(pass.saveUrl, "save");
  await reported(pass.id, 1);
  const path = `/api/v1/passes/${pass.id}`;
  await finished(client, await client.ask(path, { method: "PATCH", body: { data: { points: "4711" } } }));
  t.match((await ask(pass.saveUrl)).text, "4711");
  await finished(
    client,
    await client.post("/api/v1/messages", {
      pass_id: pass.id,
      header: "News",
      body: "Double points on Sunday",
    }),
  );
  t.match((await ask(pass.saveUrl)).text, "Double points on Sunday");
  await finished(client, await client.ask(path, { method: "DELETE" }));
  t.match((await heldByGoogle(t, pass.id)).resource, { state: "EXPIRED" });
});
