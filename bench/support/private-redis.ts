import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, openConnection, whenReady } from "../../src/redis/connection.ts";
import { freePort } from "../../src/up/free-port.ts";

/**
 * Runs something on a Redis of its own, the redis-server on the path, which ends with it; and keeps nothing, or an
 * append-only file that is synchronized as `fsync` says.
 */
export async function withPrivateRedis(
  use: (connection: Connection, url: string) => Promise<void>,
  options: { fsync?: "always" | "everysec" | "no" } = {},
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
  const port = await freePort();
  const settings = {
    ...{ port, bind: "127.0.0.1", dir, save: "", appendonly: options.fsync === undefined ? "no" : "yes" },
    appendfsync: options.fsync ?? "no",
  };
  const redis = spawn(
    "redis-server",
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: "ignore" },
  );
  const url = `redis://127.0.0.1:${port}`;
  const connection = openConnection(url, {
    name: "bench",
    // A shared machine may stand still for longer than a service would wait.
    blocking: true,
  });
  try {
    await whenReady(connection, 5000);
    await use(connection, url);
  } finally {
    connection.disconnect();
    const ended = new Promise((resolve) => redis.once("exit", resolve));
    redis.kill("SIGKILL");
    await ended;
    rmSync(dir, { recursive: true, force: true });
  }
}
