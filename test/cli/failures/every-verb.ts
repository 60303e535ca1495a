import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { type Ended, manyCommands } from "../fixtures/passwright.ts";

type Flag = { name: string; type: string; required?: boolean; options?: string[]; helpValue?: string };
type Arg = { name: string; required?: boolean; options?: string[] };
export type Verb = {
  words: string[];
  name: string;
  flags: Flag[];
  args: Arg[];
  isStrict: boolean;
  hasJson: boolean;
};

const root = fileURLToPath(new URL("../../..", import.meta.url));
const manifest = JSON.parse(readFileSync(`${root}oclif.manifest.json`, "utf8"));

/** Every command of the built program. */
export const everyVerb: readonly Verb[] = Object.values(
  manifest.commands as Record<string, ManifestEntry>,
).map(({ id, flags, args, strict, enableJsonFlag }) => ({
  words: id.split(":"),
  name: id.replaceAll(":", " "),
  flags: Object.values(flags),
  args: Object.values(args),
  isStrict: strict,
  hasJson: enableJsonFlag,
}));

type ManifestEntry = {
  id: string;
  flags: Record<string, Flag>;
  args: Record<string, Arg>;
  strict: boolean;
  enableJsonFlag: boolean;
};

/** A UUID that is nobody's. */
export const nobody = "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10";

/** What makes a command whole whose manifest does not say all that it needs. */
const besides: Partial<Record<string, string[]>> = {
  backup: ["--all"],
  "deadletter export": ["--all-tenants"],
  "deadletter list": ["--all-tenants"],
  "deadletter purge": ["--all-tenants"],
  "deadletter replay": ["--all-tenants"],
  "deadletter stats": ["--all-tenants"],
  "providers set apple": ["--sandbox"],
  "providers set google": ["--sandbox"],
  doctor: ["--offline"],
  "templates archive": ["--tenant", nobody],
  "templates import": ["--tenant", nobody],
  "templates list": ["--tenant", nobody],
  "templates publish": ["--tenant", nobody],
  "templates show": ["--tenant", nobody],
  "tenants credits": ["--add", "1"],
};

/** Arguments with which a command has nothing to say against how it was written. */
export function rightUsage(verb: Verb): string[] {
  const args = verb.args.filter(({ required }) => required).map((arg) => sampleOf(verb, arg));
  const flags = verb.flags
    .filter(({ required }) => required)
    .flatMap((flag) => [`--${flag.name}`, sampleOf(verb, flag)]);
  const yes = verb.flags.some(({ name }) => name === "yes") ? ["--yes"] : [];
  return [...verb.words, ...args, ...flags, ...yes, ...(besides[verb.name] ?? [])];
}

function sampleOf(verb: Verb, { name, options }: Flag | Arg): string {
  if (options?.[0] !== undefined) return options[0];
  if (name === "file") return `${root}test/cli/fixtures/none-on-sale.json`;
  if (name === "directory") return `${root}templates/system/coupon`;
  if (verb.name === "deadletter show") return "07-1796000000000-0";
  if (name === "id" || name === "tenant" || name === "webhook") return nobody;
  return name === "add" ? "1" : "Example";
}

export type Failure = {
  args: readonly string[];
  env: Record<string, string>;
  code: number;
  says: RegExp;
  /** Whether the command knows --json. */
  hasJson?: boolean;
};

/**
 * Runs commands for people and for scripts. Either way each must end with its code and say why: on standard error in a line
 * or two, with --json as one error object on standard output. Neither shows a stack trace nor any of the secrets.
 */
export async function failClearly(
  t: Test,
  failures: readonly Failure[],
  { secrets = [], processes = 2 }: { secrets?: readonly string[]; processes?: number } = {},
): Promise<void> {
  const forScripts = failures.filter(({ hasJson = true }) => hasJson);
  const cases = [...failures, ...forScripts.map((each) => ({ ...each, args: [...each.args, "--json"] }))];
  const ends = await manyCommands(cases, processes);
  for (const [index, { args, code, says }] of cases.entries()) {
    const end = ends[index] as Ended;
    const told = `${args.join(" ")} ended with ${end.code}: ${end.stdout}${end.stderr}`;
    const printed = end.stdout + end.stderr;
    t.equal(end.code, code, told);
    t.notMatch(printed, /^ +at .+:\d+:\d+/m, told);
    for (const secret of secrets) t.notOk(printed.includes(secret), told);
    if (index < failures.length) {
      t.match(end.stderr, says, told);
      t.ok(end.stderr.trim().split("\n").length <= 3, `in a line or two: ${told}`);
      t.equal(end.stdout, "", `nothing on standard output: ${told}`);
    } else {
      // The standard output of `up` is for the one line that says that all is ready.
      const document = args[0] === "up" ? end.stderr : end.stdout;
      t.match(parsed(document), { error: /^[a-z_]+$/, error_description: says }, told);
    }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
