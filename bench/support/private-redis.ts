import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, openConnection, whenReady } from "../../src/redis/connection.ts";
import { freePort } from "../../src/up/free-port.ts";

/** How much of what was acknowledged survives: an append-only file, and how often it is brought to the disk. */
export type Durability = "off" | "everysec" | "always";

/** Runs something on a Redis of its own, the redis-server on the path, which ends with it and keeps nothing. */
export async function withPrivateRedis(
  use: (connection: Connection, url: string) => Promise<void>,
  { durability = "off" }: { durability?: Durability } = {},
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
  const port = await freePort();
  const settings = { port, bind: "127.0.0.1", dir, save: "", ...appendOnly(durability) };
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

function appendOnly(durability: Durability) {
  if (durability === "off") return { appendonly: "no" };
  // Rewriting the file takes a core, and whose turn that hits depends on what all turns before it have written.
  return { appendonly: "yes", appendfsync: durability, "auto-aof-rewrite-percentage": 0 };
}
