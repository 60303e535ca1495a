import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openCommands } from "../support/command.ts";

/** What changes nothing: it tells, runs a process, or sends what is made up. */
const telling =
  /(?:^|\/)(?:list|show|stats|export|tasks?|test|config|serve|worker|up|sandbox|doctor|dashboard|devices|iphone|autocomplete)$/;

t.test("every command that changes something writes down that it did", async (t) => {
  const cwd = new URL("../../src/commands/", import.meta.url);
  const commands = globSync("**/*.ts", { cwd: cwd.pathname }).map((file) => file.replace(/\.ts$/, ""));
  const changing = commands.filter((command) => !telling.test(command));
  t.ok(changing.length > 15, `${changing.length} commands`);
  // These have their records from the verbs that they call.
  const byVerb = ["deadletter/replay", "deadletter/cancel", "deadletter/purge", "providers/resign"];
  for (const command of changing.filter((each) => !byVerb.includes(each))) {
    const action = command.replace(/^providers\/set\/\w+$/, "providers/set").replaceAll("/", ".");
    const text = readFileSync(new URL(`${command}.ts`, cwd), "utf8");
    t.match(text, `action: "${action}"`, command);
    t.match(text, "this.audited(", command);
  }
});

t.test("the log names operator, tenant and target, failures too, and no secret", async (t) => {
  const run = openCommands(t);
  const { json: tenant } = await run("tenants create", ["--name", "Acme", "--credits", "5", "--json"]);
  const owned = ["--tenant", tenant.id, "--json"];
  const { json: shop } = await run("applications create", ["--name", "shop", "--type", "backend", ...owned]);
  await run("applications disable", [shop.id, ...owned]);
  const { json: fresh } = await run("applications rotate-secret", [shop.id, ...owned]);
  await run("tenants credits", [tenant.id, "--add", "7", "--json"]);
  t.equal((await run("tenants suspend", ["nobody", "--json"])).code, 4);
  const packages = join(t.testdir(), "packages.json");
  writeFileSync(
    packages,
    JSON.stringify([{ id: "small", name: "S", credits: 1, price: { amount: 1, currency: "EUR" } }]),
  );
  t.equal((await run("packages set", [packages])).code, 0);

  const { stdout, json } = await run("audit list", ["--json"]);
  t.match(json, [
    {
      action: "packages.set",
      tenant_id: null,
      target: null,
      result: "done",
      details: { packages: ["small"] },
    },
    { action: "tenants.suspend", result: "failed", details: { error: "not_found" } },
    {
      action: "tenants.credits",
      target: { type: "tenant", id: tenant.id },
      details: { added: 7, balance: 12 },
    },
    {
      action: "applications.rotate-secret",
      tenant_id: tenant.id,
      target: { type: "application", id: shop.id },
    },
    { action: "applications.disable", target: { type: "application", id: shop.id }, result: "done" },
    { action: "applications.create", tenant_id: tenant.id, target: { type: "application", id: shop.id } },
    { action: "tenants.create", tenant_id: tenant.id, target: { type: "tenant", id: tenant.id } },
  ]);
  for (const { who } of json) t.match(who, /^.+@.+$/);
  for (const { secret } of [shop, fresh]) t.notMatch(stdout, secret);
  const ofApplications = await run("audit list", ["--action", "applications", "--limit", "3", "--json"]);
  t.equal(ofApplications.json.length, 3);
  t.equal(ofApplications.stderr, "", "these are all");
  const two = await run("audit list", ["--action", "applications", "--limit", "2", "--json"]);
  t.equal(two.json.length, 2);
  t.equal(two.stderr, "2 are shown, and there are more: --limit N shows them.\n");
});
