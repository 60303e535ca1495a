import { readdirSync, readFileSync } from "node:fs";
import { asUnavailable, type Connection } from "./connection.ts";

export type ScriptName =
  | "add-credits"
  | "advance-batch"
  | "cancel-batch"
  | "change-pass"
  | "claim-tasks"
  | "count-events"
  | "create-batch"
  | "create-message"
  | "create-pass"
  | "create-webhook"
  | "delete-webhook"
  | "drop-key"
  | "drop-task"
  | "expire-events"
  | "fan-out-events"
  | "forget-consumers"
  | "forget-entries"
  | "forget-tenant"
  | "finish-batch"
  | "grant-paid-session"
  | "hand-back-task"
  | "hold-turn"
  | "keep-answer"
  | "keep-template-draft"
  | "list-events"
  | "list-pass-events"
  | "postpone-task"
  | "promote-due"
  | "publish-template"
  | "queue-depth"
  | "purge-dead-letter"
  | "reclaim-lost"
  | "reconcile"
  | "record-view"
  | "remove-keys"
  | "renew-leases"
  | "replace-secrets"
  | "replay-delivery"
  | "replay-message"
  | "replay-pass"
  | "resend-delivery"
  | "retry-pass"
  | "retry-task"
  | "rotate-key"
  | "seed-signing-keys"
  | "set-application-status"
  | "set-template-status"
  | "set-tenant-status"
  | "settle-delivery"
  | "settle-message"
  | "settle-pass"
  | "sift-pass-events"
  | "spread-message"
  | "start-batch"
  | "take-token-turn"
  | "take-turn"
  | "update-webhook";

export type ScriptArgument = string | number | Uint8Array;

/**
 * Runs one state change. Rejects with `unavailable` while Redis is away; then nothing was written, or all of it.
 * Strings of the reply are text, or with "bytes" Buffers.
 */
export type RunScript = (
  name: ScriptName,
  keys: readonly string[],
  args: readonly ScriptArgument[],
  reply?: "text" | "bytes",
) => Promise<unknown>;

const folder = new URL("./lua/", import.meta.url);

/** Makes the scripts of `lua/` known to a connection, which loads them where they are missing. */
export function defineScripts(connection: Connection): RunScript {
  for (const file of readdirSync(folder)) {
    if (!file.endsWith(".lua")) continue;
    connection.defineCommand(`run:${file.slice(0, -4)}`, { lua: scriptText(file) });
  }
  const commands = connection as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  return async (name, keys, args, reply = "text") => {
    try {
      const command = reply === "text" ? `run:${name}` : `run:${name}Buffer`;
      return await commands[command]?.(keys.length, ...keys, ...args.map(asSent));
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

/** A script of `lua/` as Redis gets it. */
export function scriptText(file: string): string {
  return withParts(readFileSync(new URL(file, folder), "utf8"));
}

/**
 * A script with the parts that its `-- uses:` line names in front, and before each those that it uses itself, once:
 * Redis knows no other way to share a function.
 */
export function withParts(text: string, included = new Set<string>()): string {
  const parts = /^-- uses: (.+)$/m.exec(text)?.[1]?.split(" ") ?? [];
  const texts = parts.flatMap((part) => {
    if (included.has(part)) return [];
    included.add(part);
    return [withParts(readFileSync(new URL(`parts/${part}.lua`, folder), "utf8"), included)];
  });
  return [...texts, text].join("\n");
}
