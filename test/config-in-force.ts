import { randomBytes } from "node:crypto";
import t from "tap";
import { settings, settingsInForce } from "../src/config.ts";
import { refusalOf } from "./domain/fixtures/refusal.ts";

/** What is shown of a variable with this value. */
function shown(variable: string, value: string): string | undefined {
  return settingsInForce({ [variable]: value }).find((row) => row.variable === variable)?.value;
}

t.test("every setting is shown with its value and where that comes from", async (t) => {
  const rows = settingsInForce({ PASSWRIGHT_PORT: "1234", PASSWRIGHT_HOST: "" });
  t.strictSame(
    rows.map(({ variable }) => variable),
    Object.values(settings).map(({ env }) => env),
  );
  t.match(
    rows.filter(({ variable }) => /_(PORT|HOST)$/.test(variable)),
    [
      { variable: "PASSWRIGHT_HOST", value: "127.0.0.1", source: "default" },
      { variable: "PASSWRIGHT_PORT", value: "1234", source: "environment" },
    ],
  );
});

t.test("what is in force is checked first", async (t) => {
  t.equal((await refusalOf(() => settingsInForce({ PASSWRIGHT_PORT: "x" }))).code, "invalid_configuration");
});

t.test("of a master key nothing is shown but that it is set", async (t) => {
  t.equal(shown("PASSWRIGHT_MASTER_KEY", randomBytes(32).toString("base64")), "***");
  t.equal(settingsInForce({}).find(({ variable }) => variable === "PASSWRIGHT_MASTER_KEY")?.value, "");
});

t.test("of a Redis URL the credentials are masked and the rest is shown", async (t) => {
  const cases = {
    "redis://:hunter2@redis.example:6379/1": "redis://***@redis.example:6379/1",
    "rediss://ada:hunter2@redis.example": "rediss://***@redis.example",
    "redis+sentinel://ada:hunter2@s1:26379,s2:26379/main": "redis+sentinel://***@s1:26379,s2:26379/main",
    "redis+cluster://n1:6379,n2:6379": "redis+cluster://n1:6379,n2:6379",
    "redis://redis.example": "redis://redis.example",
  };
  for (const [given, expected] of Object.entries(cases))
    t.equal(shown("PASSWRIGHT_REDIS_URL", given), expected);
});

t.test("a password is masked whatever characters it is made of, and wherever it stands", async (t) => {
  for (const given of [
    "redis://:pre@hunter2@redis.example:6379",
    "redis+sentinel://:pre/hunter2@s1:26379/main",
    "redis+cluster://ada:pre/x@hunter2@n1:6379",
    "redis://redis.example:6379?password=hunter2",
    "redis://redis.example:6379/0?username=ada&password=hunter2&db=1",
  ]) {
    t.notMatch(shown("PASSWRIGHT_REDIS_URL", given), /hunter2/, given);
  }
});
