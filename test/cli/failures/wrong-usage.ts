import { randomBytes } from "node:crypto";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { freePort } from "../../support/redis-server.ts";
import { everyVerb, failClearly, rightUsage, type Verb } from "./every-verb.ts";

/** Nothing answers there: what is wrong must be seen before the store is asked. */
const env = {
  PASSWRIGHT_REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
  PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
};

/** Flags whose value is a number, a time or a list of parts, which the manifest does not say. */
const shaped = [
  "add",
  "concurrency",
  "contract-cap",
  "credits",
  "grace",
  "interval",
  "limit",
  "patience",
  "port",
  "rate",
];

function without(args: string[], flag: string): string[] {
  const at = args.indexOf(`--${flag}`);
  return at < 0 ? args : args.toSpliced(at, 2);
}

function failing(verb: Verb, args: string[], says: RegExp) {
  return { args, env, code: 2, says, hasJson: verb.hasJson };
}

t.test("a flag that there is not is named, with the one that was probably meant", async (t) => {
  const failures = everyVerb.flatMap((verb) => [
    failing(verb, [...rightUsage(verb), "--frobnicate"], /There is no flag --frobnicate/),
    failing(verb, [...rightUsage(verb), "--redis-ulr=x"], /--redis-ulr=x\. Did you mean --redis-url\?/),
  ]);
  await failClearly(t, failures);
});

t.test("what is missing is named", async (t) => {
  const failures = everyVerb.flatMap((verb) => [
    ...verb.args
      .filter(({ required }) => required)
      .map(({ name }) => failing(verb, verb.words, new RegExp(`Missing ${name.toUpperCase()}`))),
    ...verb.flags
      .filter(({ required }) => required)
      .map(({ name }) => {
        return failing(verb, without(rightUsage(verb), name), new RegExp(`Missing required flag --${name}`));
      }),
  ]);
  t.ok(failures.length > 40);
  await failClearly(t, failures);
});

t.test("an argument too many is named", async (t) => {
  const failures = everyVerb
    .filter(({ isStrict }) => isStrict)
    .map((verb) => failing(verb, [...rightUsage(verb), "surplus"], /Unexpected argument: surplus/));
  await failClearly(t, failures);
});

t.test("a value that is none of those there are is told, with the one that was probably meant", async (t) => {
  const failures = everyVerb.flatMap((verb) => {
    const [word = ""] = verb.args.flatMap(({ options }) => options ?? []);
    const args = word === "" ? [] : [rightUsage(verb).map((arg) => (arg === word ? `${word}x` : arg))];
    const flags = verb.flags.flatMap(({ name, options: [option] = [] }) =>
      option === undefined ? [] : [[...without(rightUsage(verb), name), `--${name}=${option}x`]],
    );
    const meant = /must be one of .*Did you mean/;
    return [...args, ...flags].map((wrong) => failing(verb, wrong, meant));
  });
  t.ok(failures.length > 15);
  await failClearly(t, failures);
});

t.test("a value of the wrong shape is named with its flag", async (t) => {
  const failures = everyVerb.flatMap((verb) =>
    verb.flags
      .filter(({ name }) => shaped.includes(name))
      .map(({ name }) => {
        const given = without(rightUsage(verb), name);
        const setting = name.toUpperCase().replace("-", "_");
        return failing(verb, [...given, `--${name}`, "x"], new RegExp(`--${name}|PASSWRIGHT_\\w*${setting}`));
      }),
  );
  t.ok(failures.length > 15);
  await failClearly(t, failures);
});

t.test(
  "a file that cannot be read is named with its flag, and so is one with something else in it",
  async (t) => {
    const folder = t.testdir({ "broken.json": '{"type": ', "binary.json": Buffer.from([0xff, 0xfe, 0x00]) });
    // What cannot be read even by root: a folder, and the memory of nobody.
    mkdirSync(join(folder, "folder"));
    const closed = join(folder, "closed.json");
    writeFileSync(closed, "[]");
    chmodSync(closed, 0o000);
    const unreadable = [
      join(folder, "nothing.json"),
      join(folder, "folder"),
      "/proc/self/mem",
      ...(process.getuid?.() === 0 ? [] : [closed]),
    ];
    const unfit = [join(folder, "broken.json"), join(folder, "binary.json")];
    const byName = (name: string) => everyVerb.find((verb) => verb.name === name) as Verb;
    const failures = ["packages set", "plans set"].flatMap((name) => {
      const verb = byName(name);
      return [
        ...unreadable.map((file) => failing(verb, [...verb.words, file], /FILE cannot be read/)),
        ...unfit.map((file) => failing(verb, [...verb.words, file], /must be JSON|not UTF-8/)),
      ];
    });
    const verb = byName("templates import");
    for (const path of [...unreadable, ...unfit]) {
      failures.push(failing(verb, [...verb.words, path, "--system"], /template\.json|cannot be read|folder/));
    }
    await failClearly(t, failures);
  },
);
