import { rmSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { signIn } from "./support/client.ts";
import { type CommandResult, runCommand } from "./support/command.ts";
import { nothingLogged } from "./support/logs.ts";
import { newReference } from "./support/passes.ts";
import { type Environment, metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";
import { instant, uuidV7 } from "./support/shapes.ts";
import { templateDirectory } from "./support/template-directory.ts";

const unknown = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";
const masterKey = newMasterKey();
const service = await startPasswright(t, {
  settings: { ...metricsAnywhere, PASSWRIGHT_MASTER_KEY: masterKey, PASSWRIGHT_LOG_LEVEL: "debug" },
});
const { cli, announced } = service;

t.test("tenants are created with credits or with a contract, and listed", async (t) => {
  const [prepaid, contract] = await Promise.all([
    cli("tenants", "create", "--name", "Acme «Coffee»", "--credits", "5", "--json"),
    cli("tenants", "create", "--name", "Acme Airlines", "--contract-cap", "7", "--json"),
  ]);
  for (const created of [prepaid, contract]) t.match(created.json(), { id: uuidV7, created_at: instant });
  t.match(prepaid.json(), { name: "Acme «Coffee»", credits: 5 });
  t.match(contract.stdout, /\b7\b/, "its cap is told");
  const list: { id: string }[] = (await cli("tenants", "list", "--json")).json();
  t.equal(list.length, 3, "the demo tenant is one of them");
  const ids = list.map(({ id }) => id);
  t.strictSame(ids, [...ids].sort().reverse(), "newest first");
});

t.test("an application's secret is shown once, when it is made", async (t) => {
  const tenant = announced.tenant_id;
  const type = ["--name", "shop", "--type", "issuer"];
  const made = (await cli("applications", "create", "--tenant", tenant, ...type, "--json")).json();
  t.match(made, { id: uuidV7, secret: /^pws_[0-9A-Za-z]{51}$/, name: "shop", type: "issuer" });
  const listed = await cli("applications", "list", "--tenant", tenant, "--json");
  t.match(listed.json()[0], { id: made.id, name: "shop", type: "issuer" });
  t.equal(listed.json().length, 2);
  for (const secret of [made.secret, announced.application_secret]) t.notOk(listed.stdout.includes(secret));
  const client = await signIn(announced.base_url, {
    tenant_id: tenant,
    application_id: made.id,
    application_secret: made.secret,
  });
  t.equal((await client.get("/api/v1/passes")).status, 200);
});

t.test("a tenant's wallets are listed without what is secret of them", async (t) => {
  const list = await cli("providers", "list", "--tenant", announced.tenant_id, "--json");
  t.equal(list.json().length, 2);
  t.match(list.stdout, /"apple"/);
  t.match(list.stdout, /"google"/);
  t.notMatch(list.stdout, /PRIVATE KEY/);
});

t.test("a template directory is imported, and imported again as the next version", async (t) => {
  const tenant = ["--tenant", announced.tenant_id];
  const directory = templateDirectory(service, { name: "House card" });
  const first = (await cli("templates", "import", directory, ...tenant, "--json")).json();
  const second = (await cli("templates", "import", directory, ...tenant, "--json")).json();
  t.equal(second.id, first.id);
  const shown = await cli("templates", "show", first.id, ...tenant, "--json");
  t.match(shown.json(), { id: first.id, name: "House card", latest_version: 2 });

  const client = await signIn(announced.base_url, announced);
  t.match((await client.get(`/api/v1/templates/${first.id}`)).json, { latest_version: 2 });
  const pass = await client.post("/api/v1/passes", {
    template_id: first.id,
    intent: "loyalty_card",
    external_ref: newReference(),
    data: { member: "Ada" },
  });
  t.equal(pass.status, 202, pass.text);
});

t.test("every mistake of a template directory is named at once, and nothing is published", async (t) => {
  const directory = templateDirectory(service, {
    name: "",
    template_type: "Sticker",
    colour: "red",
    barcode: { format: "ean13", message: "{{nobody}}" },
  });
  rmSync(join(directory, "images", "icon.png"));
  const importing = (from: string) =>
    cli("templates", "import", from, "--tenant", announced.tenant_id, "--json");
  const [faulty, nowhere] = await Promise.all([directory, join(directory, "nowhere")].map(importing));
  for (const result of [faulty, nowhere]) {
    t.ok([1, 2].includes(result?.code ?? 0), `${result?.code}: ${said(result)}`);
    t.notMatch(said(result), /^\s+at .*\.js:\d+/m, "without a stack trace");
  }
  for (const mistake of [/name/, /template_type|Sticker/, /colour/, /ean13|format/, /icon\.png/]) {
    t.match(said(faulty), mistake);
  }
});

t.test("without --json it is for people: the same facts, and no braces", async (t) => {
  const { code, stdout } = await cli("tenants", "list");
  t.equal(code, 0);
  t.match(stdout, "Acme Airlines");
  t.throws(() => JSON.parse(stdout));
});

t.test("config shows what is in force, and masks every secret", async (t) => {
  const settings = {
    PASSWRIGHT_REDIS_URL: "redis://keeper:canary-in-url@127.0.0.1:7/3",
    PASSWRIGHT_MASTER_KEY: masterKey,
    PASSWRIGHT_JOB_LEASE: "7s",
  };
  for (const format of [[], ["--json"]]) {
    const { code, stdout, stderr } = await runCommand(["config", ...format], { settings });
    t.equal(code, 0, stderr);
    for (const secret of ["canary-in-url", masterKey, masterKey.slice(0, 12)]) {
      t.notOk((stdout + stderr).includes(secret));
    }
    for (const shown of ["PASSWRIGHT_JOB_LEASE", "7s", "127.0.0.1:7", "0s,10s,1m,10m,1h"])
      t.match(stdout, shown);
  }
});

t.test("mistaken settings are named all at once, without their secrets", async (t) => {
  const settings = {
    PASSWRIGHT_REDIS_URL: "http://127.0.0.1",
    PASSWRIGHT_MASTER_KEY: "canary-too-short",
    PASSWRIGHT_JOB_LEASE: "soon",
    PASSWRIGHT_TOKEN_RATE_LIMIT: "many",
    PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "10.0.0.0/99",
  };
  const result = await runCommand(["tenants", "list"], { settings });
  t.ok(result.code === 1 || result.code === 2, `${result.code}`);
  for (const name of Object.keys(settings)) t.match(said(result), name);
  t.notOk(said(result).includes("canary"));
});

const usage: string[][] = [
  ["tenants", "create", "--colour", "red"],
  ["tenants", "create", "--name", "x", "--credits", "1", "--contract-cap", "1"],
  ["tenants", "create", "--name", "x", "--credits", "-1"],
  ["applications", "create", "--tenant", announced.tenant_id, "--name", "x", "--type", "admin"],
  ["keys", "list", "surplus"],
  ["up", "--port", "99999"],
];

t.test("wrong usage ends with 2, and says what would be right", async (t) => {
  await inPairs(usage, async (args) => {
    const result = await cli(...args);
    t.equal(result.code, 2, `${args.join(" ")}: ${said(result)}`);
    t.match(said(result), /\S/);
    t.notMatch(said(result), /^\s+at .*\.js:\d+/m, "without a stack trace");
  });
});

const unmatched: string[][] = [
  ["tenants", "show", unknown],
  ["applications", "create", "--tenant", unknown, "--name", "x", "--type", "backend"],
  ["providers", "set", "google", "--tenant", unknown, "--sandbox"],
];

t.test("an identifier that is nobody's ends with 4", async (t) => {
  await inPairs(unmatched, async (args) => {
    const result = await cli(...args, "--json");
    t.equal(result.code, 4, `${args.join(" ")}: ${said(result)}`);
    t.match(said(result), unknown, "it says which");
  });
});

t.test("without a store it ends with 1, soon, and says so", async (t) => {
  const settings = { PASSWRIGHT_REDIS_URL: "redis://127.0.0.1:1", PASSWRIGHT_MASTER_KEY: masterKey };
  const result = await runCommand(["tenants", "list", "--json"], { settings });
  t.equal(result.code, 1, said(result));
  t.match(said(result), /unavailable|redis/i);
});

t.test("a key that does not open the store's secrets is told before anything is written", async (t) => {
  const settings: Environment = {
    PASSWRIGHT_REDIS_URL: announced.redis_url,
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
  };
  const result = await runCommand(["keys", "list", "--json"], { settings });
  t.notMatch(result.stdout, /"state"/);
  t.not(result.code, 0, said(result));
});

t.test("no secret was logged, not even in the log of a debugger", async (t) => {
  const { token } = await signIn(announced.base_url, announced);
  nothingLogged(t, service, {
    "the application's secret": announced.application_secret,
    "the master key": masterKey,
    "the password of the store": new URL(announced.redis_url).password,
    "the access token": token,
  });
});

function said(result: CommandResult | undefined): string {
  return `${result?.stdout}${result?.stderr}`;
}

/** Two at a time: each is a process of its own. */
async function inPairs(cases: string[][], check: (args: string[]) => Promise<void>) {
  const left = [...cases];
  const worker = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await check(next);
  };
  await Promise.all([worker(), worker()]);
}
