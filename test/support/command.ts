import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Test } from "tap";
import { openConnection, whenReady } from "../../src/redis/connection.ts";
import { createKeys } from "../../src/redis/keys.ts";
import { keysOf, testRedisUrl } from "./store.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const bin = fileURLToPath(new URL("../../bin/run.js", import.meta.url));

export type Outcome = {
  code: number;
  stdout: string;
  stderr: string;
  /** Standard output, which must then be one JSON document. */
  json: ReturnType<typeof JSON.parse>;
};

/** Runs a command of the built program. `input` is its standard input. */
export type RunVerb = (verb: string, args?: readonly string[], input?: string) => Promise<Outcome>;

/**
 * A store for commands on the tests' Redis, under a key prefix of its own (or the one of a store with 16 partitions); its
 * keys are removed with the test.
 */
export function openCommands(
  t: Test,
  prefix = `test-${randomBytes(6).toString("hex")}`,
  settings: Record<string, string> = {},
): RunVerb {
  const url = testRedisUrl();
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PASSWRIGHT_"));
  const env = {
    ...Object.fromEntries(inherited),
    PASSWRIGHT_REDIS_URL: url,
    PASSWRIGHT_KEY_PREFIX: prefix,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
    ...settings,
  };
  t.teardown(async () => {
    const connection = openConnection(url, { name: "test" });
    await whenReady(connection, 5000);
    for (const key of await keysOf({ connection, keys: createKeys({ prefix, partitions: 16 }) })) {
      await connection.unlink(key);
    }
    connection.disconnect();
  });
  return (verb, args = [], input = "") =>
    new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [bin, ...verb.split(" "), ...args],
        { cwd: root, env, timeout: 60_000 },
        (error, stdout, stderr) => {
          const code = error === null ? 0 : typeof error.code === "number" ? error.code : Number.NaN;
          resolve({ code, stdout, stderr, json: args.includes("--json") ? JSON.parse(stdout) : undefined });
        },
      );
      child.stdin?.end(input);
    });
}
