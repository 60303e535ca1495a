import { readdirSync, readFileSync } from "node:fs";
import { asUnavailable, type Connection, isCluster } from "./connection.ts";
import { type JoinedReply, joinRuns } from "./joined-runs.ts";
import type { RunScript, ScriptArgument, ScriptName } from "./script.ts";

const folder = new URL("./lua/", import.meta.url);

/** Scripts of which many are run at a time: those of one turn of the event loop are sent as one. */
const joined: ReadonlySet<ScriptName> = new Set([
  "change-pass",
  "claim-tasks",
  "create-pass",
  "line-up-pass",
  "retry-pass",
  "retry-task",
  "settle-delivery",
  "settle-message",
  "settle-pass",
]);

/** Every script as Redis gets it. */
export function allScripts(): { name: string; text: string }[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".lua"))
    .flatMap((file) => {
      const name = file.slice(0, -4);
      const one = { name, text: scriptText(file) };
      return joined.has(name as ScriptName)
        ? [one, { name: `${name}, joined`, text: joinedText(file) }]
        : [one];
    });
}

/** Makes the scripts of `lua/` known to a connection, which loads them where they are missing. */
export function defineScripts(connection: Connection): RunScript {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".lua")) continue;
    const name = file.slice(0, -4) as ScriptName;
    connection.defineCommand(`run:${name}`, { lua: scriptText(file) });
    if (joined.has(name)) connection.defineCommand(`join:${name}`, { lua: joinedText(file) });
  }
  const commands = connection as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const runOne: RunScript = async (name, keys, args, reply = "text") => {
    try {
      const command = reply === "text" ? `run:${name}` : `run:${name}Buffer`;
      return await commands[command]?.(keys.length, ...keys, ...args.map(asSent));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const runMany = async (name: ScriptName, keys: readonly string[], args: readonly ScriptArgument[]) => {
    try {
      return (await commands[`join:${name}`]?.(keys.length, ...keys, ...args.map(asSent))) as JoinedReply[];
    } catch (error) {
      throw asUnavailable(error);
    }
  };
  const runJoined = joinRuns(runOne, runMany, { bySlot: isCluster(connection) });
  return (name, keys, args, reply = "text") =>
    joined.has(name) && reply === "text" ? runJoined(name, keys, args) : runOne(name, keys, args, reply);
}

/** The client sends a Buffer as its bytes, and any other Uint8Array as its numbers in writing. */
function asSent(argument: ScriptArgument): string | number | Buffer {
  if (!(argument instanceof Uint8Array)) return argument;
  return Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength);
}

/** A script of `lua/` as Redis gets it. */
export function scriptText(file: string): string {
  return withParts(readFileSync(new URL(file, folder), "utf8"));
}

/** A script that does what so many runs of the one in `file` do, one after the other; lua/parts/joined-runs.lua says how. */
function joinedText(file: string): string {
  const text = readFileSync(new URL(file, folder), "utf8");
  const driver = readFileSync(new URL("parts/joined-runs.lua", folder), "utf8");
  return `${partsOf(text).join("\n")}\nlocal function run(KEYS, ARGV)\n${text}\nend\n${driver}`;
}

/**
 * A script with the parts that its `-- uses:` line names in front, and before each those that it uses itself, once:
 * Redis knows no other way to share a function.
 */
export function withParts(text: string): string {
  return [...partsOf(text), text].join("\n");
}

function partsOf(text: string, included = new Set<string>()): string[] {
  const parts = /^-- uses: (.+)$/m.exec(text)?.[1]?.split(" ") ?? [];
  return parts.flatMap((part) => {
    if (included.has(part)) return [];
    included.add(part);
    const own = readFileSync(new URL(`parts/${part}.lua`, folder), "utf8");
    return [...partsOf(own, included), own];
  });
}
