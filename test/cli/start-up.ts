import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import t from "tap";
import { createTenantStore } from "../../src/redis/tenants.ts";
import { openStore } from "../support/store.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Packages that take their time to load, and that only some verbs have use for. */
const heavy = [
  ...["uWebSockets.js", "ajv", "ink", "react", "argon2", "jose", "redis-om", "redis", "stripe"],
  ...["undici", "prom-client", "node-cron", "qrcode", "bwip-js"],
];
const forTheStore = ["ioredis", "pino"];

const store = await openStore(t, { partitions: 16 });
const tenant = {
  id: store.ids.uuid(),
  name: "Example",
  status: "active" as const,
  billingMode: "prepaid" as const,
  createdAtMs: 1,
};
await createTenantStore(store).create(tenant, { mode: "prepaid", credits: 1 });

/** The packages that a command loads, which is told by hooks of the module loader. */
function loadedBy(...args: string[]): Promise<Set<string>> {
  const hooks = `
    import { registerHooks } from "node:module";
    import { writeSync } from "node:fs";
    registerHooks({ load(url, context, next) {
      const name = /.*node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
      if (name) writeSync(2, "loaded " + name + "\\n");
      return next(url, context);
    } });`;
  const env = {
    PATH: process.env.PATH ?? "",
    PASSWRIGHT_REDIS_URL: store.url,
    PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  const trace = `data:text/javascript,${encodeURIComponent(hooks)}`;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      ["--import", trace, "bin/run.js", ...args],
      { cwd: root, env },
      (error, _, stderr) => {
        if (error !== null && error.code !== 4) reject(new Error(stderr));
        else resolve(new Set([...stderr.matchAll(/^loaded (.+)$/gm)].map((match) => match[1] ?? "")));
      },
    );
  });
}

t.test("verbs load nothing heavy that they have no use for", async (t) => {
  const verbs: [args: string[], besides: string[]][] = [
    [["--help"], forTheStore],
    [["tenants", "--help"], forTheStore],
    [["config"], forTheStore],
    [["autocomplete", "bash"], forTheStore],
    [["tenants", "list"], []],
    [["tenants", "show", tenant.id], []],
    [["jobs", "list", "--tenant", tenant.id], []],
    [["deadletter", "stats", "--all-tenants"], []],
    [["audit", "list"], []],
  ];
  for (const [args, besides] of verbs) {
    const loaded = await loadedBy(...args);
    const needless = [...heavy, ...besides].filter((name) => loaded.has(name));
    t.strictSame(needless, [], args.join(" "));
  }
});

t.test("what is loaded is told: a verb that has use for something heavy shows it", async (t) => {
  t.ok((await loadedBy("tenants", "list")).has("ioredis"));
});
