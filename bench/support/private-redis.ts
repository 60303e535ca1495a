import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, openConnection, whenReady } from "../../src/redis/connection.ts";
import { freePort } from "../../src/up/free-port.ts";

/** Runs something on a Redis of its own, the redis-server on the path, which keeps nothing and ends with it. */
export async function withPrivateRedis(use: (connection: Connection) => Promise<void>): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
  const port = await freePort();
  const settings = { port, bind: "127.0.0.1", dir, save: "", appendonly: "no" };
  const redis = spawn(
    "redis-server",
    Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]),
    { stdio: "ignore" },
  );
  const connection = openConnection(`redis://127.0.0.1:${port}`, {
    name: "bench",
    // A shared machine may stand still for longer than a service would wait.
    blocking: true,
  });
  try {
    await whenReady(connection, 5000);
    await use(connection);
  } finally {
    connection.disconnect();
    const ended = new Promise((resolve) => redis.once("exit", resolve));
    redis.kill("SIGKILL");
    await ended;
    rmSync(dir, { recursive: true, force: true });
  }
}
