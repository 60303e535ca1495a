import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { documents, fencesOf, root, textOf, withoutFences } from "./markdown.ts";

const commandsFolder = join(root, "src", "commands");
const shells = ["", "sh", "bash", "shell", "console"];

/** Every `passwright <command>` in a document's code, as the words that follow the name of the binary. */
function namedCommands(markdown: string): string[][] {
  const code = [
    ...fencesOf(markdown)
      .filter(({ language }) => shells.includes(language))
      .map(({ text }) => text),
    ...[...withoutFences(markdown).matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? ""),
  ];
  return code.flatMap((text) =>
    [...text.matchAll(/(?:^|[\s/$(|;&"'])passwright((?:[ \t]+[a-z][a-z|-]*)+)/gm)].map((match) =>
      (match[1] ?? "").trim().split(/\s+/),
    ),
  );
}

function isTopicOf(known: ReadonlySet<string>, words: string): boolean {
  return [...known].some((command) => command.startsWith(`${words} `));
}

/** The command that the words name and that is not among `known` («keys rotate», «serve»), or undefined. */
function unknownCommand(words: readonly string[], known: ReadonlySet<string>): string | undefined {
  const [first = "", second] = words;
  if (!isTopicOf(known, first)) return known.has(first) ? undefined : first;
  if (second === undefined) return undefined;
  // `templates list|show` stands for two.
  return second
    .split("|")
    .map((verb) => `${first} ${verb}`)
    .find((command) => !known.has(command) && !known.has(first) && !isTopicOf(known, command));
}

t.test("every command that the documents name exists", async (t) => {
  if (!existsSync(commandsFolder))
    return t.pass("there is nothing to compare", { skip: "src/commands is not written" });
  const files = globSync("**/*.ts", { cwd: commandsFolder });
  const known = new Set(files.map((file) => file.replace(/(?:\/index)?\.ts$/, "").replaceAll("/", " ")));
  known.add("help");
  const found = documents().flatMap((document) =>
    namedCommands(textOf(document) ?? "")
      .map((words) => unknownCommand(words, known))
      .filter((command) => command !== undefined)
      .map((command) => `${document}: passwright ${command}`),
  );
  return t.strictSame(found, []);
});

t.test("every topic of commands is described, and no other", async (t) => {
  const files = globSync("**/*.ts", { cwd: commandsFolder });
  const topics = new Set(
    files.flatMap((file) => {
      const folders = file.split("/").slice(0, -1);
      return folders.map((_, depth) => folders.slice(0, depth + 1).join(":"));
    }),
  );
  const { oclif } = JSON.parse(textOf("package.json") ?? "{}");
  t.strictSame(Object.keys(oclif.topics).sort(), [...topics].sort());
  for (const [topic, { description }] of Object.entries<{ description: string }>(oclif.topics)) {
    t.match(description, /^[A-Z].*\.$/, topic);
  }
});

t.test("a command is found in code, and nowhere else", async (t) => {
  const markdown = [
    "The passwright binary: `passwright keys rotate --force`, `npx passwright serve`.",
    "```sh",
    "$ bin/passwright up --json",
    "cd passwright",
    "```",
    "```ini",
    "User = passwright group",
    "```",
  ].join("\n");
  t.strictSame(namedCommands(markdown), [["up"], ["keys", "rotate"], ["serve"]]);
});

t.test("an unknown command is caught, a known one with arguments is not", async (t) => {
  const known = new Set(["serve", "keys list", "keys rotate"]);
  t.equal(unknownCommand(["serve", "now"], known), undefined);
  t.equal(unknownCommand(["keys"], known), undefined);
  t.equal(unknownCommand(["keys", "list|rotate"], known), undefined);
  t.equal(unknownCommand(["keys", "list|shred"], known), "keys shred");
  t.equal(unknownCommand(["keys", "burn"], known), "keys burn");
  t.equal(unknownCommand(["sing"], known), "sing");
});
