import { createInterface } from "node:readline/promises";
import { Flags } from "@oclif/core";
import { PasswrightError } from "../domain/errors.ts";

export const yesFlag = Flags.boolean({ description: "do it without asking" });

/** Where a question is put: `isInteractive` says whether somebody is there to answer. */
export type Terminal = { isInteractive: boolean; ask(question: string): Promise<string> };

/**
 * Makes sure that a dangerous verb is meant: with `--yes`, or by somebody who types `word` at the terminal. Anything
 * else is wrong usage (invalid_request), and nothing has happened.
 */
export async function confirmDanger(
  danger: { yes: boolean; consequences: readonly string[]; word: string },
  terminal: Terminal = ownTerminal(),
): Promise<void> {
  if (danger.yes) return;
  if (!terminal.isInteractive) {
    throw new PasswrightError(
      "invalid_request",
      ["There is no terminal to ask at. --yes does it nevertheless.", ...danger.consequences].join(" "),
    );
  }
  const question = [...danger.consequences, `Type «${danger.word}» to go on: `].join("\n");
  if ((await terminal.ask(question)).trim() === danger.word) return;
  throw new PasswrightError("invalid_request", "That was something else. Nothing has been done.");
}

/** Questions go to standard error: standard output belongs to the command's answer. */
function ownTerminal(): Terminal {
  return {
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
    async ask(question) {
      const lines = createInterface({ input: process.stdin, output: process.stderr });
      // Ctrl-C is for the whole command, although the terminal hands it over as a key while a line is waited for.
      lines.once("SIGINT", () => process.kill(process.pid, "SIGINT"));
      // The end of the input is no answer.
      const ended = new Promise<string>((resolve) => lines.once("close", () => resolve("")));
      try {
        return await Promise.race([lines.question(question), ended]);
      } finally {
        lines.close();
      }
    },
  };
}
