import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { type Config, configurationTable, readConfig, requireMasterKeys, settings } from "../src/config.ts";
import { refusalOf, violationsOf } from "./domain/fixtures/refusal.ts";

type Environment = Record<string, string | undefined>;
const folder = t.testdir();
const key = randomBytes(32).toString("base64");
const key2 = randomBytes(32).toString("base64");

/** What one setting becomes, by the name of its variable without the prefix. */
function parsed<Name extends keyof Config>(name: Name, text: string): Config[Name] {
  return readConfig({ env: { [settings[name].env]: text } })[name];
}
/** Whether a value of a setting is refused, by that setting's name alone. */
async function isRefused(name: keyof Config, text: string): Promise<boolean> {
  try {
    readConfig({ env: { [settings[name].env]: text } });
    return false;
  } catch {
    const told = await violationsOf(() => readConfig({ env: { [settings[name].env]: text } }));
    return told.length === 1 && told[0]?.startsWith(`${settings[name].env} `) === true;
  }
}
function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

t.test("without any variable the documented defaults are in force", async (t) => {
  t.match(readConfig({ env: {} }), {
    redisUrl: "redis://127.0.0.1:6379",
    masterKeys: null,
    baseUrl: "",
    trustedProxies: [],
    jobRetrySchedule: [0, 5000, 30_000, 120_000, 600_000],
    webhookRetrySchedule: [0, 10_000, 60_000, 600_000, 3_600_000],
    jobLeaseMs: 15_000,
    tokenRateLimit: { requests: 10, windowMs: 60_000 },
    keyRotationMs: 90 * 24 * 60 * 60 * 1000,
    webhookCaFile: null,
    logLevel: "info",
    metricsAddress: { host: "127.0.0.1", port: 9464 },
  });
});

t.test("an empty variable is one that is not set, and a flag goes before the variable", async (t) => {
  t.equal(parsed("port", ""), 8080);
  const env: Environment = { PASSWRIGHT_PORT: "1" };
  t.equal(readConfig({ env, flags: { port: "2" } }).port, 2);
  t.equal(readConfig({ env, flags: { port: undefined } }).port, 1);
});

t.test("signing keys rotate by themselves every so many days, or not at all", async (t) => {
  t.equal(parsed("keyRotationMs", "30d"), 30 * 24 * 60 * 60 * 1000);
  t.equal(parsed("keyRotationMs", "off"), null);
  for (const wrong of ["23h", "0", "never", "90"]) t.ok(await isRefused("keyRotationMs", wrong), wrong);
});

t.test("every mistake is named at once, with its variable and what would be right", async (t) => {
  const env: Environment = {
    PASSWRIGHT_REDIS_URL: "http://redis",
    PASSWRIGHT_MASTER_KEY: "short",
    PASSWRIGHT_PORT: "65536",
    PASSWRIGHT_JOB_LEASE: "15",
    PASSWRIGHT_TRUSTED_PROXIES: "10.0.0.0/8,proxy",
    PASSWRIGHT_LOG_LEVEL: "loud",
  };
  const refusal = await refusalOf(() => readConfig({ env }));
  t.equal(refusal.code, "invalid_configuration");
  t.strictSame(refusal.details?.map(({ path }) => path).sort(), Object.keys(env).sort());
  t.strictSame(
    refusal.details?.map(({ path, message }) => `${path} ${message}`).join("; "),
    refusal.detail,
    "the sentence names them too",
  );
  t.match(refusal.detail, /must be CIDR ranges such as 10\.0\.0\.0\/8, not «proxy»/);
  t.match(refusal.detail, /must be a duration such as 500ms, 15s, 2m, 1h or 1d, not «15»/);
});

t.test("a file that cannot be read is named beside the other mistakes", async (t) => {
  const env = { PASSWRIGHT_MASTER_KEY_FILE: join(folder, "none"), PASSWRIGHT_PORT: "x" };
  const told = (await violationsOf(() => readConfig({ env }))).map((line) => line.split(" ", 1)[0]);
  t.strictSame(told.sort(), ["PASSWRIGHT_MASTER_KEY_FILE", "PASSWRIGHT_PORT"]);
});

t.test("a duration is a number with ms, s, m, h or d", async (t) => {
  const durations = {
    "500ms": 500,
    "15s": 15_000,
    "2m": 120_000,
    "1h": 3_600_000,
    "1d": 86_400_000,
    "1.5s": 1500,
  };
  for (const [text, ms] of Object.entries(durations)) t.equal(parsed("jobLeaseMs", text), ms, text);
  for (const text of ["15", "s", "-1s", "1 s", "1S", "1w", "1e3s", "1s1s", "Infinitys", "499ms"]) {
    t.ok(await isRefused("jobLeaseMs", text), text);
  }
});

t.test("a schedule lists the wait before each attempt", async (t) => {
  t.strictSame(parsed("webhookRetrySchedule", "0s"), [0]);
  t.strictSame(parsed("webhookRetrySchedule", "0s, 100ms ,2m"), [0, 100, 120_000]);
  for (const text of ["0s,", ",", "0s;1s", "0s,soon", Array(21).fill("1s").join(",")]) {
    t.ok(await isRefused("webhookRetrySchedule", text), text);
  }
});

t.test("a rate is a number of requests and a window", async (t) => {
  t.strictSame(parsed("tokenRateLimit", "20/1s"), { requests: 20, windowMs: 1000 });
  for (const text of ["10", "10/", "/1m", "0/1m", "-1/1m", "1.5/1m", "10/0s", "10/1"]) {
    t.ok(await isRefused("tokenRateLimit", text), text);
  }
});

t.test("CIDR ranges are whole addresses with a length, of either family", async (t) => {
  const texts = (text: string): string[] =>
    parsed("webhookAllowCidrs", text).map(([address, bits]) => `${address}/${bits}`);
  t.strictSame(texts("127.0.0.0/8, ::1/128,"), ["127.0.0.0/8", "::1/128"]);
  t.strictSame(texts("2001:db8::/32"), ["2001:db8::/32"]);
  for (const text of [
    "10.0.0.0",
    "10.0.0.0/33",
    "::/129",
    "10.0.0.0/-1",
    "10.0.0.0/8/8",
    "example.com/8",
    "/8",
  ]) {
    t.ok(await isRefused("webhookAllowCidrs", text), text);
  }
});

t.test("a shortened range is refused, since it would be read as another one", async (t) => {
  // inet_aton reads 10 as 0.0.0.10, so 10/8 would become 0.0.0.0/8.
  for (const text of ["10/8", "127/8", "010.0.0.0/8", "10.1/16", "192.168/16", "0x7f.1/8", "2130706433/8"]) {
    t.ok(await isRefused("trustedProxies", text), text);
  }
});

t.test("master keys are 32 bytes each; the first one encrypts", async (t) => {
  const texts = (config: Config): string[] | undefined =>
    config.masterKeys?.map((bytes) => bytes.toString("base64"));
  const given = (env: Environment): string[] | undefined => texts(readConfig({ env }));
  t.strictSame(given({ PASSWRIGHT_MASTER_KEY: key }), [key]);
  t.strictSame(given({ PASSWRIGHT_MASTER_KEY: `${key2}, ${key}` }), [key2, key]);
  t.strictSame(given({ PASSWRIGHT_MASTER_KEY_FILE: file("one", `${key}\n`) }), [key]);
  t.strictSame(given({ PASSWRIGHT_MASTER_KEY_FILE: file("two", `${key2}\r\n${key}\n\n`) }), [key2, key]);
  for (const text of ["short", key.slice(4), `${key},short`, randomBytes(32).toString("hex"), `${key},`]) {
    t.ok(await isRefused("masterKeys", text), text);
  }
  t.ok(await isRefused("masterKeyFile", file("wrong", "not a key")));
});

t.test("call-backs may be signed with one secret, or with two while it is changed", async (t) => {
  const [one, two] = ["whsec_b25l", "whsec_dHdv"];
  t.strictSame(parsed("stripeWebhookSecrets", ""), []);
  t.strictSame(parsed("stripeWebhookSecrets", one), [one]);
  t.strictSame(parsed("stripeWebhookSecrets", `${one}, ${two}`), [one, two]);
  for (const wrong of ["sk_test_1", `${one} ${two}`, `${one},x`, `${one},${two},whsec_dHJvaXM`]) {
    t.ok(await isRefused("stripeWebhookSecrets", wrong), wrong);
  }
});

t.test("a second key behind a separator that we do not know is refused, not dropped", async (t) => {
  for (const separator of [";", " ", "\n", ":"]) {
    t.ok(await isRefused("masterKeys", `${key}${separator}${key2}`), JSON.stringify(separator));
  }
});

t.test("who needs a master key is told how to make one", async (t) => {
  const refusal = await refusalOf(() => requireMasterKeys(readConfig({ env: {} })));
  t.equal(refusal.code, "invalid_configuration");
  t.match(refusal.detail, /PASSWRIGHT_MASTER_KEY .*openssl rand -base64 32/);
  t.equal(requireMasterKeys(readConfig({ env: { PASSWRIGHT_MASTER_KEY: key } })).length, 1);
});

t.test("a base URL is an origin and perhaps a path, and loses its last slash", async (t) => {
  t.equal(parsed("baseUrl", "https://passes.example.com/"), "https://passes.example.com");
  t.equal(parsed("baseUrl", "http://127.0.0.1:8080/wallet//"), "http://127.0.0.1:8080/wallet");
  for (const text of [
    "passes.example.com",
    "ftp://e.example",
    "https://e.example/?a",
    "https://e.example/#a",
  ]) {
    t.ok(await isRefused("baseUrl", text), text);
  }
  for (const text of ["https://ada@e.example", "https://ada:pw@e.example", "https://:pw@e.example"]) {
    t.ok(await isRefused("baseUrl", text), text);
  }
});

t.test("addresses, ports, prefixes and levels are what they say", async (t) => {
  t.strictSame(parsed("metricsAddress", "[::1]:0"), { host: "::1", port: 0 });
  for (const text of ["9464", "127.0.0.1", ":9464", "127.0.0.1:65536", "127.0.0.1:x"]) {
    t.ok(await isRefused("metricsAddress", text), text);
  }
  t.equal(parsed("port", "0"), 0);
  for (const text of ["-1", "65536", "80.5", "0x50", " ", "8e3"]) t.ok(await isRefused("port", text), text);
  for (const text of ["a b", "p:w", "{pw}", "x".repeat(33)]) t.ok(await isRefused("keyPrefix", text), text);
  for (const scheme of ["redis", "rediss", "redis+sentinel", "redis+cluster"]) {
    t.equal(parsed("redisUrl", `${scheme}://h:1`), `${scheme}://h:1`);
  }
  t.ok(await isRefused("logLevel", "INFO"));
});

t.test("a file of further roots is read whole, or named when it is not there", async (t) => {
  t.equal(parsed("webhookCaFile", file("roots.pem", "-----BEGIN")), "-----BEGIN");
  t.ok(await isRefused("webhookCaFile", join(folder, "none.pem")));
});

t.test("the table has a row for each variable, with the default and what it means", async (t) => {
  const [head, rule, ...rows] = configurationTable().split("\n");
  t.equal(head, "| Variable | Default | Meaning |");
  t.equal(rule, "| --- | --- | --- |");
  t.strictSame(
    rows.map((row) => /^\| `(PASSWRIGHT_[A-Z_]+)` \| (?:`[^`]+`)? ?\| .+ \|$/.exec(row)?.[1]),
    Object.values(settings).map(({ env }) => env),
  );
});
