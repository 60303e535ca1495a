import { randomBytes } from "node:crypto";
import t from "tap";
import { createTenant } from "../../../src/domain/tenants/create.ts";
import { openInstallation } from "../../../src/redis/installation.ts";
import { createTenantStore } from "../../../src/redis/tenants.ts";
import { openStore } from "../../support/store.ts";
import { passwright } from "../fixtures/passwright.ts";
import { everyVerb, failClearly, nobody, rightUsage } from "./every-verb.ts";

const store = await openStore(t, { partitions: 16 });
const { id: tenantId } = await createTenant(
  { ...store, tenants: createTenantStore(store) },
  { name: "Example", billing: { mode: "prepaid", credits: 1 } },
);
await openInstallation(store.connection, store.keys.prefix);

/** Settings of a user of Redis with these rights, whose name and password are the test's own. */
async function userWith(...rights: string[]): Promise<Record<string, string>> {
  const name = `test-${randomBytes(6).toString("hex")}`;
  await store.connection.call("ACL", "SETUSER", name, "on", `>${password}`, "&*", ...rights);
  t.teardown(() => store.connection.call("ACL", "DELUSER", name));
  const url = new URL(store.url);
  url.username = name;
  url.password = password;
  return { ...env, PASSWRIGHT_REDIS_URL: url.href };
}

const password = "hunter2";
const env = {
  PASSWRIGHT_REDIS_URL: store.url,
  PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
  PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
};
const secrets = [password, env.PASSWRIGHT_MASTER_KEY];

/** Those that change something as soon as their tenant is there, and nothing else. */
const changing = [
  ...["applications create", "packages set", "plans set", "tenants create"],
  ...["tenants credits", "tenants delete", "tenants suspend"],
];

t.test("a user of Redis who may only read can look, and is told what it may not do", async (t) => {
  const reader = await userWith("~*", "+@all", "-@write");
  const { code, stdout } = await passwright(["tenants", "list"], reader);
  t.equal(code, 0);
  t.match(stdout, tenantId);
  const failures = everyVerb
    .filter(({ name }) => changing.includes(name))
    .map((verb) => ({
      args: rightUsage(verb).map((arg) => (arg === nobody ? tenantId : arg)),
      env: reader,
      code: 1,
      says: /Redis refuses: this user has no permissions/,
    }));
  t.equal(failures.length, changing.length);
  await failClearly(t, failures, { secrets });
  const still = await passwright(["tenants", "show", tenantId, "--json"], env);
  t.match(JSON.parse(still.stdout), { status: "active", credits: 1 }, "nothing was changed");
});

t.test("a user of Redis without the keys is told so, whatever it asks", async (t) => {
  const stranger = await userWith("~other:*", "+@all");
  const others = [
    "autocomplete",
    "config",
    "dashboard",
    "doctor",
    "sandbox",
    "sandbox iphone",
    "up",
    "serve",
    "worker",
  ];
  const failures = everyVerb
    .filter(({ name }) => !others.includes(name))
    .map((verb) => ({
      args: rightUsage(verb),
      env: stranger,
      code: 1,
      says: /Redis refuses: this user has no permissions to access one of the keys/,
      hasJson: verb.hasJson,
    }));
  await failClearly(t, failures, { secrets });
});

t.test("a wrong password is told at once, and not shown", async (t) => {
  const url = new URL(store.url);
  url.username = "nobody";
  url.password = password;
  const failure = { args: ["tenants", "list"], env: { ...env, PASSWRIGHT_REDIS_URL: url.href }, code: 1 };
  await failClearly(t, [{ ...failure, says: /name or password is wrong/ }], { secrets });
});
