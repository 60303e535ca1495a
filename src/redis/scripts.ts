import { readdirSync, readFileSync } from "node:fs";
import { asUnavailable, type Connection } from "./connection.ts";

export type ScriptName =
  | "claim-tasks"
  | "create-pass"
  | "create-webhook"
  | "fan-out-events"
  | "hand-back-task"
  | "keep-answer"
  | "promote-due"
  | "publish-template"
  | "reclaim-lost"
  | "renew-leases"
  | "retry-task"
  | "seed-signing-keys"
  | "settle-delivery"
  | "settle-pass"
  | "take-token-turn";

export type ScriptArgument = string | number | Uint8Array;

/** Runs one state change. Rejects with `unavailable` while Redis is away; then nothing was written, or all of it. */
export type RunScript = (
  name: ScriptName,
  keys: readonly string[],
  args: readonly ScriptArgument[],
) => Promise<unknown>;

const folder = new URL("./lua/", import.meta.url);

/** Makes the scripts of `lua/` known to a connection, which loads them where they are missing. */
export function defineScripts(connection: Connection): RunScript {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".lua")) continue;
    connection.defineCommand(`run:${file.slice(0, -4)}`, { lua: scriptText(file) });
  }
  const commands = connection as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return async (name, keys, args) => {
    try {
      return await commands[`run:${name}`]?.(keys.length, ...keys, ...args.map(asSent));
    } catch (error) {
      throw asUnavailable(error);
    }
  };
}

/** The client sends a Buffer as its bytes, and any other Uint8Array as its numbers in writing. */
function asSent(argument: ScriptArgument): string | number | Buffer {
  if (!(argument instanceof Uint8Array)) return argument;
  return Buffer.from(argument.buffer, argument.byteOffset, argument.byteLength);
}

/** A script with the parts that its `-- uses:` line names in front: Redis knows no other way to share a function. */
export function scriptText(file: string): string {
  const text = readFileSync(new URL(file, folder), "utf8");
  const parts = /^-- uses: (.+)$/m.exec(text)?.[1]?.split(" ") ?? [];
  return [...parts.map((part) => readFileSync(new URL(`parts/${part}.lua`, folder), "utf8")), text].join(
    "\n",
  );
}
