import { randomBytes } from "node:crypto";
import t from "tap";
import { keysOf, openStore } from "../../support/store.ts";
import { manyCommands } from "../fixtures/passwright.ts";
import { everyVerb, failClearly, rightUsage } from "./every-verb.ts";

type Store = Awaited<ReturnType<typeof openStore>>;

function settings({ url, keys }: Store): Record<string, string> {
  return {
    PASSWRIGHT_REDIS_URL: url,
    PASSWRIGHT_KEY_PREFIX: keys.prefix,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
  };
}

/** What makes or sets something, is about the whole, or runs on. */
const others = [
  ...["autocomplete", "backup", "config", "dashboard", "doctor", "keys rotate", "packages set"],
  ...[
    "plans set",
    "restore",
    "sandbox",
    "sandbox iphone",
    "secrets rewrap",
    "serve",
    "tenants create",
    "up",
    "worker",
  ],
];
const lists = [
  ...["audit list", "deadletter export", "deadletter list", "deadletter stats", "deadletter tasks"],
  ...["keys list", "packages list", "plans list", "tenants list"],
];
const ofSomething = everyVerb.filter(({ name }) => ![...others, ...lists].includes(name));
const sandboxes = ["providers set apple", "providers set google"];

t.test(
  "an id that is nobody's exits with 4 and is named, and nothing but the attempt is written down",
  async (t) => {
    const store = await openStore(t, { partitions: 16 });
    const env = settings(store);
    const verbs = ofSomething.filter(({ name }) => !sandboxes.includes(name));
    const failures = verbs.map((verb) => ({
      args: rightUsage(verb),
      env,
      code: 4,
      says: /There is no|No dead letter matches/,
      hasJson: verb.hasJson,
    }));
    t.ok(failures.length > 30);
    await failClearly(t, failures);
    const { prefix } = store.keys;
    t.strictSame((await keysOf(store)).sort(), [`${prefix}:meta`, `${prefix}:{operators}:audit`]);
  },
);

t.test("a list of nothing exits with 4, says so, and is an empty list with --json", async (t) => {
  const env = settings(await openStore(t, { partitions: 16 }));
  const verbs = everyVerb.filter(({ name }) => lists.includes(name));
  t.equal(verbs.length, lists.length);
  const cases = verbs.flatMap((verb) => [rightUsage(verb), [...rightUsage(verb), "--json"]]);
  const ends = await manyCommands(cases.map((args) => ({ args, env })));
  for (const [index, end] of ends.entries()) {
    const args = cases[index] ?? [];
    const told = `${args.join(" ")}: ${end.stdout}${end.stderr}`;
    t.equal(end.code, 4, told);
    if (!args.includes("--json")) t.match(end.stderr, /^(There is no|No) .*\n$/, told);
    else t.match(JSON.parse(end.stdout), args.includes("stats") ? { total: 0 } : [], told);
  }
});
