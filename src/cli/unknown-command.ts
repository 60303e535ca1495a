import type { Hook } from "@oclif/core";
import { closest } from "./closest.ts";
import { printErrorDocument } from "./error-document.ts";
import { exitCodes } from "./exit-codes.ts";
import { didYouMean } from "./usage-error.ts";

/** oclif asks here about words that are no command: what was probably meant is said, and never done unasked. */
const unknownCommand: Hook.CommandNotFound = async ({ id, argv = [], config }) => {
  const words = id.split(":");
  const commands = config.commands.filter(({ hidden }) => !hidden).map((command) => spaced(command.id));
  const topics = config.topics.map(({ name }) => spaced(name));
  // oclif takes what follows a command without arguments for a part of its name.
  const command = commands.find((each) => id.startsWith(`${each.replaceAll(" ", ":")}:`));
  const description =
    command === undefined
      ? `There is no command «${words.join(" ")}».${didYouMean(meantBy(words, [...commands, ...topics]))}`
      : `Unexpected argument: ${words.slice(command.split(" ").length).join(" ")}`;
  const hint =
    command === undefined ? "`passwright --help` lists them all." : `See \`passwright ${command} --help\`.`;
  process.exitCode = exitCodes.usage;
  if (argv.includes("--json")) {
    printErrorDocument(id, { error: "invalid_request", error_description: description, hint });
  } else {
    process.stderr.write(`Error: ${description}\n${hint}\n`);
  }
};

export default unknownCommand;

/** The nearest command; with more words than any has, what its first words are near to; also in the order «list tenants». */
function meantBy(words: readonly string[], known: readonly string[]): string[] {
  for (const length of [words.length, 3, 2, 1]) {
    if (length > words.length) continue;
    const first = words.slice(0, length);
    const meant = closest(first.join(" "), known) ?? closest([...first].reverse().join(" "), known);
    if (meant !== null) return [`«passwright ${meant}»`];
  }
  return [];
}

function spaced(id: string): string {
  return id.replaceAll(":", " ");
}
