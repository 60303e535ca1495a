import { stripVTControlCharacters } from "node:util";
import { closest } from "./closest.ts";
import { exitCodes } from "./exit-codes.ts";

const seeMore = "\nSee more help with --help";

/** What oclif says of arguments that it cannot parse: `flags` there are not, `args` are missing or too many. */
type ParseError = { message: string; flags?: unknown; args?: unknown };

/** Whether an error is about how a command was written. */
export function isUsageError(error: { message: string; oclif?: { exit?: number | undefined } }): boolean {
  return "parse" in error || error.message.endsWith(seeMore) || error.oclif?.exit === exitCodes.usage;
}

/** One line about it, with what was probably meant. `known` are the names of the command's flags. */
export function usageMessage(error: ParseError, known: readonly string[]): string {
  const text = stripVTControlCharacters(error.message).replace(seeMore, "");
  if (text.startsWith("Nonexistent flag")) return noSuchFlags(itemsOf(error.flags).map(String), known);
  if (text.startsWith("Missing") && error.args !== undefined) return missingArguments(itemsOf(error.args));
  const [, flag, word = "", options] = /^Expected (--[^=]+=)?(.*) to be one of: (.*)$/s.exec(text) ?? [];
  if (options !== undefined) return noSuchOption(flag?.slice(0, -1), word, options.split(", "));
  return text
    .replace(/^The following errors? occurred:\s*/, "")
    .replace(/^Parsing (--\S+)\s+Expected (.*) but received: (.*)$/s, "$1 must be $2, not «$3».")
    .replace(/(required flag) (\w)/g, "$1 --$2")
    .replace(/\s*\n\s*/g, "; ")
    .trim();
}

function missingArguments(args: readonly unknown[]): string {
  const missing = args.map((arg) => {
    const { name, description } = arg as { name: string; description?: string };
    return `${name.toUpperCase()}${description === undefined ? "" : ` (${description})`}`;
  });
  return `Missing ${missing.join(" and ")}.`;
}

function noSuchFlags(flags: readonly string[], known: readonly string[]): string {
  const meant = flags
    .map((flag) => closest(flag.replace(/^-+/, "").replace(/=.*$/s, ""), known))
    .filter((name) => name !== null)
    .map((name) => `--${name}`);
  return `There is no flag ${flags.join(", ")}.${didYouMean(meant)}`;
}

function noSuchOption(flag: string | undefined, word: string, options: readonly string[]): string {
  const meant = closest(word, options);
  const said = `${flag ?? "The argument"} must be one of ${options.join(", ")}, not «${word}».`;
  return said + didYouMean(meant === null ? [] : [`«${meant}»`]);
}

/** ` Did you mean --json?`, or nothing. */
export function didYouMean(meant: readonly string[]): string {
  return meant.length === 0 ? "" : ` Did you mean ${meant.join(" and ")}?`;
}

function itemsOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
