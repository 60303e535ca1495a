import { randomBytes } from "node:crypto";
import t from "tap";
import { freePort } from "../../support/redis-server.ts";
import { everyVerb, failClearly, rightUsage } from "./every-verb.ts";

const masterKey = randomBytes(32).toString("base64");
const url = `redis://keeper:hunter2@127.0.0.1:${await freePort()}`;
const secrets = ["hunter2", masterKey];

/** Those that need no store, or a terminal, and `doctor`, whose report is about it. */
const others = ["autocomplete", "config", "dashboard", "doctor", "sandbox", "sandbox iphone", "up"];
const verbs = everyVerb.filter(({ name }) => !others.includes(name));

t.test("with Redis away every command that needs it exits with 1 and says so", async (t) => {
  const env = { PASSWRIGHT_REDIS_URL: url, PASSWRIGHT_MASTER_KEY: masterKey };
  const says = /Redis does not answer|store does not answer/;
  const failures = verbs.map((verb) => ({
    args: rightUsage(verb),
    env,
    code: 1,
    says,
    hasJson: verb.hasJson,
  }));
  // Each waits some seconds for Redis to come, so many may do it at a time.
  await failClearly(t, failures, { secrets, processes: 12 });
});

t.test(
  "without a master key every command that needs one exits with 2 and says how to make one",
  async (t) => {
    const env = { PASSWRIGHT_REDIS_URL: url };
    const says = /PASSWRIGHT_MASTER_KEY is not set.*openssl rand -base64 32/;
    const failures = verbs.map((verb) => ({
      args: rightUsage(verb),
      env,
      code: 2,
      says,
      hasJson: verb.hasJson,
    }));
    await failClearly(t, failures, { secrets });
  },
);
