import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, Flags, Parser } from "@oclif/core";
import t from "tap";
import { root } from "./markdown.ts";

const folder = join(root, "src", "commands");
const commands = new Map(
  await Promise.all(
    globSync("**/*.ts", { cwd: folder }).map(async (file): Promise<[string, typeof Command]> => {
      const { default: command } = await import(pathToFileURL(join(folder, file)).href);
      return [file.replace(/\.ts$/, "").replaceAll("/", " "), command];
    }),
  ),
);

/** The words of `passwright …` in a line that a shell would run, without redirections and what surrounds a substitution. */
function wordsOf(example: string): string[] {
  const [, line = ""] = /(?:^|\$\(|\| |&& )<%= config\.bin %> ([^|<>)]*)/.exec(example) ?? [];
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The command with most words that an example begins with, and the rest. */
function commandOf(words: readonly string[]): { name: string; rest: string[] } {
  for (let length = words.length; length > 0; length -= 1) {
    const name = words.slice(0, length).join(" ");
    if (commands.has(name)) return { name, rest: words.slice(length) };
  }
  return { name: "", rest: [] };
}

t.test(
  "the help of every command has two examples or more, each of them what the command understands",
  async (t) => {
    for (const [name, command] of commands) {
      const examples = (command.examples ?? []).map(String);
      t.ok(examples.length >= 2, `${name} has ${examples.length}`);
      t.equal(new Set(examples).size, examples.length, `${name} says none twice`);
      const json = command.enableJsonFlag ? { json: Flags.boolean() } : {};
      const { args, strict } = command;
      const flags = { ...command.baseFlags, ...command.flags, ...json };
      for (const example of examples) {
        const named = commandOf(wordsOf(example));
        t.equal(named.name, name, example);
        await t.resolves(Parser.parse(named.rest, { flags, args, strict }), example);
        t.notMatch(named.rest.join(" "), /\b(K?ID|FILE|N)\b/, `${example} stands no placeholder for a value`);
      }
    }
  },
);

t.test("the words of an example are what a shell makes of them", async (t) => {
  const bin = "<%= config.bin %>";
  t.strictSame(wordsOf(`${bin} tenants create --name 'Acme Coffee' --credits 1`), [
    ...["tenants", "create", "--name", "Acme Coffee", "--credits", "1"],
  ]);
  t.strictSame(wordsOf(`${bin} plans set - < plans.json`), ["plans", "set", "-"]);
  t.strictSame(wordsOf(`eval "$(${bin} autocomplete bash)"`), ["autocomplete", "bash"]);
  t.strictSame(wordsOf(`zstd -dc one.zst | ${bin} restore -`), ["restore", "-"]);
  t.strictSame(wordsOf("redis-cli ping"), []);
});
