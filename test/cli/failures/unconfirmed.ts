import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import t from "tap";
import { createVault } from "../../../src/crypto/vault.ts";
import { setProvider } from "../../../src/domain/providers/set.ts";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { createProviderConfigurationStore } from "../../../src/redis/provider-configurations.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { openDeadLetters } from "../../support/dead-letters.ts";
import { openSigningKeys } from "../../support/signing-keys.ts";
import { keysOf, openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";
import { passwright } from "../fixtures/passwright.ts";
import { failClearly } from "./every-verb.ts";

const entry = fileURLToPath(new URL("../../../bin/run.js", import.meta.url));
const masterKey = randomBytes(32);
const store = { ...(await openStore(t, { partitions: 16 })), vault: createVault([masterKey]) };
const env = {
  PATH: process.env.PATH ?? "",
  PASSWRIGHT_REDIS_URL: store.url,
  PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
  PASSWRIGHT_MASTER_KEY: masterKey.toString("base64"),
};
const tenants = createTenantStore(store);
const providerConfigurations = createProviderConfigurationStore(store);
const tenant = await createTenant(
  { ...store, tenants },
  { name: "Acme Coffee", billing: { mode: "prepaid", credits: 1 } },
);
await setProvider(
  { ...store, tenants, providerConfigurations },
  {
    tenantId: tenant.id,
    wallet: "google",
    sandbox: true,
    summary: { issuer_id: "1" },
    credentials: { issuerId: "1", clientEmail: "a@example.com", privateKey: "-", tokenUrl: "-", apiUrl: "-" },
  },
);
const { active } = await (await openSigningKeys(store)).states();
const subscriber = openSubscriber(store);
await subscriber.subscribe();
await openDeadLetters(store).killDelivery(subscriber);
// What every command finds, or makes.
await passwright(["tenants", "list"], env);

/** What cannot be undone, what must be typed for it, and what is nearly that. */
const dangers: [args: string[], word: string, nearly: string][] = [
  [["deadletter", "purge", "--all-tenants"], "1", "yes"],
  [["providers", "remove", "google", "--tenant", tenant.id], "google", "Google"],
  [["keys", "rotate", "--compromised", active], active, "rotate"],
  [["keys", "rotate", "--force"], "rotate", "y"],
  [["tenants", "delete", tenant.id], "Acme Coffee", "Acme"],
];

/** Gives a command at a terminal, which script(1) makes, and answers its question. */
function atTerminal(args: readonly string[], answer: string): Promise<{ code: number | null; seen: string }> {
  const command = [process.execPath, entry, ...args].map((word) => `'${word}'`).join(" ");
  return new Promise((resolve) => {
    const child = spawn("script", ["-qec", command, "/dev/null"], {
      env,
      stdio: ["pipe", "pipe", "inherit"],
    });
    let seen = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      if (!seen.includes("to go on:") && (seen + text).includes("to go on:")) child.stdin.write(answer);
      seen += text;
    });
    child.on("close", (code) => resolve({ code, seen }));
  });
}

/** Everything that the store holds, but for the roll of who did what. */
async function contents(): Promise<string[]> {
  const keys = (await keysOf(store)).filter((key) => !key.endsWith(":audit")).sort();
  return Promise.all(keys.map(async (key) => `${key} ${await contentOf(key)}`));
}

/** The fields of a large hash have no order that stays. */
async function contentOf(key: string): Promise<string> {
  const { connection } = store;
  if ((await connection.type(key)) !== "hash") {
    return ((await connection.callBuffer("DUMP", key)) as Buffer).toString("hex");
  }
  return JSON.stringify(Object.entries(await connection.hgetall(key)).sort());
}

const noTerminals = spawnSync("script", ["--version"]).status === 0 ? false : "script(1) is not installed";

t.test("where nobody can be asked, nothing is done without --yes", async (t) => {
  const before = await contents();
  await failClearly(
    t,
    dangers.map(([args]) => ({ args, env, code: 2, says: /no terminal to ask at\. --yes does it/ })),
  );
  t.strictSame(await contents(), before);
});

t.test("at a terminal the wrong name does nothing, and Ctrl-C neither", { skip: noTerminals }, async (t) => {
  const before = await contents();
  for (const [args, word, nearly] of dangers) {
    const refused = await atTerminal(args, `${nearly}\n`);
    t.equal(refused.code, 2, refused.seen);
    t.match(refused.seen, `Type «${word}» to go on`);
    t.match(refused.seen, "That was something else. Nothing has been done.");
  }
  const interrupted = await atTerminal(dangers[0]?.[0] ?? [], "\u0003");
  t.equal(interrupted.code, 130, interrupted.seen);
  t.match(interrupted.seen, "Interrupted.");
  t.strictSame(await contents(), before);
});

t.test("at a terminal the right name does it", { skip: noTerminals }, async (t) => {
  const [args = [], word] = dangers[1] ?? [];
  const { code, seen } = await atTerminal(args, `${word}\n`);
  t.equal(code, 0, seen);
  t.match(seen, "has no credentials for google any more");
});
