import { globSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import t from "tap";
import { root, textOf } from "./markdown.ts";

type Described = { summary?: string; description?: string };
type Generator = {
  topicTable(commands: Record<string, Described>, topics: Record<string, Described>): string;
  commandList(commands: Record<string, Described>): string;
  generatedPart(markdown: string, name: string): string | undefined;
};

const { topicTable, commandList, generatedPart }: Generator = await import(
  pathToFileURL(join(root, "scripts", "generate-docs.mjs")).href
);
const folder = join(root, "src", "commands");
const commands = Object.fromEntries(
  await Promise.all(
    globSync("**/*.ts", { cwd: folder }).map(async (file): Promise<[string, Described]> => {
      const { default: command } = await import(pathToFileURL(join(folder, file)).href);
      return [file.replace(/\.ts$/, "").replaceAll("/", ":"), command];
    }),
  ),
);
const { oclif } = JSON.parse(textOf("package.json") ?? "{}");
const remedy = "`node scripts/generate-docs.mjs` writes it";

t.test("the commands in the README are those that there are", async (t) => {
  t.equal(generatedPart(textOf("README.md") ?? "", "commands"), topicTable(commands, oclif.topics), remedy);
});

t.test("docs/command-line.md lists every command with what it does", async (t) => {
  t.equal(generatedPart(textOf("docs/command-line.md") ?? "", "command-list"), commandList(commands), remedy);
});

t.test("a topic is a row with its verbs, and a command of its own one without", async (t) => {
  const known = {
    "keys:list": { description: "List keys. All." },
    "keys:set:one": {},
    up: { summary: "Run | all." },
  };
  t.equal(
    topicTable(known, { keys: { description: "The keys." } }),
    [
      "| Command | |",
      "| --- | --- |",
      "| `keys` `list` `set one` | The keys. |",
      "| `up` | Run \\| all. |",
    ].join("\n"),
  );
  t.match(commandList(known), "| `passwright keys list` | List keys. |");
});
