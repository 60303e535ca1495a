import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Redis } from "ioredis";

/** A change of several commands: one of `credits` is spent, and a note of it kept in the stream `log`. */
export function spend(redis: Redis, note: string): Promise<unknown> {
  const script = "redis.call('DECR', KEYS[1]) redis.call('XADD', KEYS[2], '*', 'note', ARGV[1])";
  return redis.eval(script, 2, "credits", "log", note);
}

/** A note that is long enough to be killed over. */
export const longNote = "x".repeat(200);

/** Leaves a Redis's append-only file as one does that is killed while it writes the spending with the long note. */
export function tearAppendOnlyFile(dataDir: string): void {
  const [file = ""] = globSync("appendonlydir/*.incr.aof", { cwd: dataDir });
  const written = readFileSync(join(dataDir, file));
  writeFileSync(join(dataDir, file), written.subarray(0, written.indexOf(longNote) + 100));
}
