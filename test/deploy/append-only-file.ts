import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import t from "tap";
import { root } from "../e2e/support/passwright.ts";
import { startRedisServer } from "../support/redis-server.ts";
import { longNote, spend, tearAppendOnlyFile } from "../support/torn-file.ts";

// The drop-in for redis-server.service: its command, on files as Redis leaves them.

const dropIn = readFileSync(join(root, "deploy", "redis", "check-append-only-file.conf"), "utf8");
const [, command = ""] = /^ExecStartPre=-\/bin\/sh -c '([^']+)'$/m.exec(dropIn) ?? [];

/** What it says, where Redis keeps its data in this folder. */
function check(dataDir: string): string {
  const { status, stdout, stderr } = spawnSync(
    "/bin/sh",
    ["-c", command.replaceAll("/var/lib/redis", dataDir)],
    { encoding: "utf8" },
  );
  return status === 0 ? stdout : stderr || `exit code ${status}`;
}

t.test("a transaction without an end is cut off, and nothing else", async (t) => {
  const server = await startRedisServer(t, { appendonly: "yes", appendfsync: "always" });
  const redis = new Redis(server.url);
  await redis.set("credits", 10);
  await spend(redis, "first");
  await spend(redis, longNote);
  redis.disconnect();
  await server.crash();
  tearAppendOnlyFile(server.folder);

  t.match(check(server.folder), /Successfully truncated AOF/);
  t.match(check(server.folder), /AOF \S+ is valid\s+All AOF files and manifest are valid/, "the second time");
  await server.start();
  const again = new Redis(server.url);
  t.teardown(() => again.disconnect());
  t.equal(await again.get("credits"), "9");
  t.equal(await again.xlen("log"), 1);
});

t.test("a Redis that has not been started yet is none of its business", async (t) => {
  t.equal(check(t.testdir()), "");
});
