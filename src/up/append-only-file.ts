import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join } from "node:path";

/**
 * Cuts an unfinished transaction off the end of an append-only file, before its Redis starts. A Redis that was killed while it
 * wrote one cuts off the last command only: it forgets the rest, but keeps it in the file, where what comes after it is taken
 * for its continuation at the start after the next (https://github.com/valkey-io/valkey/pull/4342).
 *
 * `redis-check-aof` is redis-server under another name. Where nothing can be mended, the server says so when it starts.
 */
export function mendAppendOnlyFile(server: string, dataDir: string): void {
  const manifest = join(dataDir, "appendonlydir", "appendonly.aof.manifest");
  if (!existsSync(manifest)) return;
  const checker = basename(server).replace("server", "check-aof");
  spawnSync(server, ["--fix", manifest], {
    argv0: checker,
    input: "y\n",
    stdio: ["pipe", "ignore", "ignore"],
  });
}
