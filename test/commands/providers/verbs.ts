import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import { createAuthority, passTypeIdentifier } from "../../providers/apple/fixtures/authority.ts";
import { startGoogleServer } from "../../providers/google/fixtures/google-server.ts";
import { clientEmail, issuerId, keyFile } from "../../providers/google/fixtures/service-account.ts";
import { openCommands } from "../../support/command.ts";

const nobody = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

/** Commands, a stand-in for Google, and a tenant with credentials for both wallets. */
async function opened(t: Test) {
  const dir = t.testdir();
  const run = openCommands(t);
  const google = await startGoogleServer();
  t.teardown(() => google.close().catch(() => {}));
  const authority = createAuthority(dir);
  const { certificate, key } = authority.leaf("leaf", { days: 20 });
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const { id } = (await run("tenants create", ["--name", "Acme", "--json"])).json;
  const owned = ["--tenant", id];
  const apple = await run("providers set apple", [
    ...["--certificate", file("pass.pem", certificate), "--key", file("pass.key", key)],
    ...["--wwdr", file("wwdr.pem", authority.intermediate), ...owned],
  ]);
  const account = file("account.json", keyFile({ token_uri: `${google.url}/token` }));
  const issuer = ["--issuer-id", issuerId, "--api-url", google.url];
  const set = await run("providers set google", ["--service-account", account, ...issuer, ...owned]);
  t.match([apple.code, set.code], [0, 0], apple.stderr + set.stderr);
  return { run, google, owned, id, key };
}

t.test("show tells whose account it is, and nothing that is secret", async (t) => {
  const { run, owned, key } = await opened(t);
  const apple = await run("providers show", ["apple", ...owned, "--json"]);
  t.match(apple.json, {
    ...{ wallet: "apple", enabled: true, sandbox: false, pass_type_identifier: passTypeIdentifier },
    expires_at: /^\d{4}-/,
  });
  const google = await run("providers show", ["google", ...owned]);
  t.match(google.stdout, new RegExp(`^client_email +${clientEmail.replaceAll(".", "\\.")}$`, "m"));
  const secret = key.split("\n")[1] ?? "";
  t.not(secret, "");
  for (const text of [apple.stdout, google.stdout]) t.notMatch(text, /PRIVATE KEY/);
  t.notOk(apple.stdout.includes(secret));
  t.equal((await run("providers show", ["apple", "--tenant", nobody])).code, 4);
  t.equal((await run("providers show", ["samsung", ...owned])).code, 2);
  t.equal((await run("providers show", owned)).code, 2);
});

t.test("test exits by whether the credentials work, and says what to do", async (t) => {
  const { run, google, owned } = await opened(t);
  const apple = await run("providers test", ["apple", ...owned, "--json"]);
  t.match(apple, { code: 0, json: { works: true, error: null, warning: /The certificate expires on/ } });
  t.match(await run("providers test", ["google", ...owned, "--json"]), { code: 0, json: { works: true } });

  google.meet("POST /token", { status: 400, body: { error: "invalid_grant" } });
  t.match(await run("providers test", ["google", ...owned, "--json"]), {
    code: 1,
    json: {
      works: false,
      error: "provider_credentials_invalid",
      error_description: new RegExp(`refuses the service account ${clientEmail}.*invalid_grant`),
      remedy: /providers set google/,
    },
  });
  await google.close();
  const away = await run("providers test", ["google", ...owned]);
  t.equal(away.code, 1);
  t.match(away.stdout, /^error +provider_unavailable$/m);
  t.match(away.stdout, /^remedy +See whether this machine may reach 127/m);
});

t.test("disable and enable say what changed, and are written down", async (t) => {
  const { run, owned, id } = await opened(t);
  t.match(await run("providers disable", ["google", ...owned, "--json"]), {
    ...{ code: 0, json: { wallet: "google", enabled: false, changed: true } },
  });
  t.match((await run("providers disable", ["google", ...owned, "--json"])).json, { changed: false });
  t.match((await run("providers show", ["google", ...owned, "--json"])).json, { enabled: false });
  t.match(await run("providers test", ["google", ...owned]), { code: 0, stderr: /It is disabled/ });
  t.match((await run("providers enable", ["google", ...owned])).stdout, /^enabled +true$/m);
  t.match(await run("providers test", ["google", ...owned, "--json"]), { code: 0, stderr: "" });
  const other = (await run("tenants create", ["--name", "Other", "--json"])).json.id;
  const none = await run("providers enable", ["google", "--tenant", other]);
  t.match(none, { code: 4, stderr: new RegExp(`providers set google --tenant ${other}`) });
  t.match((await run("audit list", ["--tenant", id, "--action", "providers", "--json"])).json, [
    { action: "providers.enable", target: { type: "provider", id: "google" }, result: "done" },
    { action: "providers.disable", result: "done" },
    { action: "providers.disable", result: "done" },
    { action: "providers.set" },
    { action: "providers.set" },
  ]);
});

t.test("remove needs --yes where there is no terminal, and forgets one wallet only", async (t) => {
  const { run, owned, id } = await opened(t);
  const unsure = await run("providers remove", ["apple", ...owned]);
  t.match(unsure, { code: 2, stderr: new RegExp(`--yes.*${passTypeIdentifier}`) });
  t.equal((await run("providers show", ["apple", ...owned])).code, 0);
  t.match(await run("providers remove", ["apple", ...owned, "--yes", "--json"]), {
    ...{ code: 0, json: { wallet: "apple", removed: true } },
  });
  t.equal((await run("providers show", ["apple", ...owned])).code, 4);
  t.equal((await run("providers remove", ["apple", ...owned, "--yes"])).code, 4);
  t.match((await run("providers list", [...owned, "--json"])).json, [{ wallet: "google" }]);
  t.match((await run("audit list", ["--tenant", id, "--action", "providers.remove", "--json"])).json, [
    { target: { id: "apple" }, details: { pass_type_identifier: passTypeIdentifier }, result: "done" },
  ]);
});

t.test("demo mode is said with the credentials or alone, and shown wherever they are", async (t) => {
  const { run, google, owned, id } = await opened(t);
  const set = (...flags: string[]) => run("providers set google", [...owned, ...flags, "--json"]);
  const asked = google.calls.length;
  t.match(await set("--demo-mode"), {
    code: 0,
    json: { demo_mode: true, changed: true, issuer_id: issuerId },
  });
  t.equal(google.calls.length, asked, "Google knows nothing of it");
  t.match((await run("providers list", owned)).stdout, /demo mode$/m);
  t.match((await run("providers test", ["google", ...owned])).stdout, /^demo_mode +true$/m);
  t.match((await set("--demo-mode")).json, { demo_mode: true, changed: false });
  t.match((await set("--no-demo-mode")).json, { demo_mode: false, changed: true });
  t.notMatch((await run("providers list", owned)).stdout, /demo mode/);
  t.match((await run("audit list", ["--tenant", id, "--action", "providers.set", "--json"])).json[0], {
    details: { demo_mode: false },
  });
  t.match(await set(), { code: 2, stdout: /--service-account/ });
});

t.test("nothing is stored when Google refuses the credentials", async (t) => {
  const { run, google, owned } = await opened(t);
  const before = (await run("providers show", ["google", ...owned, "--json"])).json;
  google.meet("POST /token", {
    ...{ status: 400, body: { error: "invalid_grant", error_description: "Invalid JWT Signature." } },
  });
  const account = join(t.testdir(), "other.json");
  writeFileSync(account, keyFile({ token_uri: `${google.url}/token` }));
  const refused = await run("providers set google", [
    ...[...owned, "--service-account", account, "--issuer-id", "42", "--api-url", google.url],
  ]);
  t.equal(refused.code, 1);
  t.match(
    refused.stderr,
    `Error: Google refuses the key of the service account ${clientEmail}: Invalid JWT Signature`,
  );
  t.match(refused.stderr, /^Make a new key of the account/m);
  t.strictSame((await run("providers show", ["google", ...owned, "--json"])).json, before);
});
