import { randomBytes, randomUUID } from "node:crypto";
import t from "tap";
import { freePort } from "../support/redis-server.ts";
import { openStore } from "../support/store.ts";
import { type Ended, passwright } from "./fixtures/passwright.ts";

const store = await openStore(t, { partitions: 16 });
const env = {
  PASSWRIGHT_REDIS_URL: store.url,
  PASSWRIGHT_KEY_PREFIX: store.keys.prefix,
  PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
};
const away = { ...env, PASSWRIGHT_REDIS_URL: `redis://:hunter2@127.0.0.1:${await freePort()}` };
const unknown = randomUUID();

/** Every command here is begun at once; a test waits for its own. */
const begun = {
  created: passwright(["tenants", "create", "--name", "Example", "--credits", "3", "--json"], env),
  help: passwright(["tenants", "create", "--help"], env),
  wrongConfig: passwright(["tenants", "list"], {
    ...env,
    PASSWRIGHT_PORT: "x",
    PASSWRIGHT_JOB_LEASE: "15",
  }),
  wrongConfigJson: passwright(["tenants", "list", "--json"], { ...env, PASSWRIGHT_PORT: "x" }),
  noKey: passwright(["tenants", "list"], { PASSWRIGHT_REDIS_URL: store.url }),
  wrongFlag: passwright(["tenants", "create", "--colour", "red"], env),
  wrongFlagJson: passwright(["tenants", "create", "--name", "x", "--colour", "red", "--json"], env),
  wrongValue: passwright(["tenants", "create", "--name", "x", "--credits", "-1"], env),
  noCommand: passwright(["tenant", "lst"], env),
  nothing: passwright(["tenants", "show", unknown], env),
  nothingJson: passwright(["tenants", "show", unknown, "--json"], env),
  noFile: passwright(["templates", "import", "/nowhere", "--system"], env),
  away: passwright(["tenants", "list"], away),
  config: passwright(["config", "--json"], away),
};

t.test("what was done exits with 0, and with --json prints one document", async (t) => {
  const { code, stdout, stderr } = await begun.created;
  t.equal(code, 0);
  t.match(JSON.parse(stdout), { name: "Example", status: "active", billing: "prepaid" });
  t.equal(stderr, "");
});

t.test("help exits with 0 and shows an example", async (t) => {
  const { code, stdout } = await begun.help;
  t.equal(code, 0);
  t.match(stdout, /EXAMPLES?\n.*passwright tenants create/s);
});

t.test("a wrong configuration exits with 2 and names every mistake", async (t) => {
  const { code, stdout, stderr } = await begun.wrongConfig;
  t.equal(code, 2);
  t.equal(stdout, "");
  t.match(stderr, /PASSWRIGHT_PORT must be a whole number/);
  t.match(stderr, /PASSWRIGHT_JOB_LEASE must be a duration/);
  const inJson = await begun.wrongConfigJson;
  t.equal(inJson.code, 2);
  t.match(JSON.parse(inJson.stdout), {
    error: "invalid_configuration",
    details: [{ path: "PASSWRIGHT_PORT", message: "must be a whole number from 0 to 65535" }],
  });
});

t.test("a missing master key exits with 2 and says how to make one", async (t) => {
  const { code, stderr } = await begun.noKey;
  t.equal(code, 2);
  t.match(stderr, /PASSWRIGHT_MASTER_KEY is not set.*openssl rand -base64 32/);
});

t.test("wrong usage exits with 2, whether oclif or we notice", async (t) => {
  for (const name of ["wrongFlag", "wrongValue", "noCommand", "noFile"] as const) {
    const { code, stdout, stderr } = await begun[name];
    t.equal(code, 2, name);
    t.equal(stdout, "", name);
    t.not(stderr, "", name);
  }
  t.match((await begun.wrongValue).stderr, /credits/);
  t.match((await begun.noFile).stderr, /\/nowhere\/template\.json cannot be read/);
});

t.test("wrong usage with --json is one JSON document as well", async (t) => {
  const { code, stdout } = await begun.wrongFlagJson;
  t.equal(code, 2);
  t.match(JSON.parse(stdout), { error: String, error_description: /colour/ });
});

t.test("an id that names nothing exits with 4", async (t) => {
  const { code, stdout, stderr } = await begun.nothing;
  t.strictSame([code, stdout], [4, ""]);
  t.match(stderr, `There is no tenant ${unknown}.`);
  const inJson = await begun.nothingJson;
  t.equal(inJson.code, 4);
  t.match(JSON.parse(inJson.stdout), { error: "not_found", error_description: new RegExp(unknown) });
});

t.test("a Redis that is away exits with 1 and a hint, without its password", async (t) => {
  const { code, stderr } = await begun.away;
  t.equal(code, 1);
  t.match(stderr, /Redis does not answer/);
  t.match(stderr, /PASSWRIGHT_REDIS_URL/);
});

t.test("the configuration is printed without a connection, its secrets masked", async (t) => {
  const { code, stdout } = await begun.config;
  t.equal(code, 0);
  const rows: { variable: string; value: string }[] = JSON.parse(stdout);
  t.equal(rows.find(({ variable }) => variable === "PASSWRIGHT_MASTER_KEY")?.value, "***");
  t.match(rows.find(({ variable }) => variable === "PASSWRIGHT_REDIS_URL")?.value, /^redis:\/\/\*\*\*@127/);
});

t.test("whatever goes wrong, no stack trace and no secret is printed", async (t) => {
  for (const [name, ending] of Object.entries(begun)) {
    const { stdout, stderr }: Ended = await ending;
    const printed = stdout + stderr;
    t.notMatch(printed, /^ +at .+:\d+:\d+/m, name);
    t.notMatch(printed, /hunter2/, name);
    t.notMatch(printed, env.PASSWRIGHT_MASTER_KEY.slice(0, 20), name);
  }
});
