import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import type { Test } from "tap";
import { testRedisUrl } from "./store.ts";

export type RedisServer = {
  url: string;
  port: number;
  /** Where it keeps its data. */
  folder: string;
  /** Sends a signal to the server: SIGSTOP makes it hang, SIGCONT wakes it, SIGKILL ends it as a crash does. */
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGKILL"): void;
  /** Ends the server as a crash does; resolves when it is gone. */
  crash(): Promise<void>;
  /** Starts it again after a crash: same port, same files, same settings. */
  start(): Promise<void>;
};

/**
 * A Redis of the test's own on a free loopback port, with settings as redis.conf has them. It ends with the test.
 * As a `sentinel` it writes its settings back into a file.
 */
export async function startRedisServer(
  t: Test,
  settings: Record<string, string> = {},
  role: "store" | "sentinel" = "store",
): Promise<RedisServer> {
  // Below the range that outgoing connections take theirs from, or one of these may sit there when it starts again. So is
  // the port of a cluster's bus, which is 10,000 higher.
  const port = await freePort(20_000 + randomInt(2_700));
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "passwright-redis-")));
  const program = await redisProgram();
  const file = join(folder, "redis.conf");
  const all = { port, bind: "127.0.0.1", dir: folder, ...(role === "store" && { save: '""' }), ...settings };
  const lines = Object.entries(all).map(([name, value]) => `${name} ${value}\n`);
  writeFileSync(file, lines.join(""));
  const args = role === "sentinel" ? [file, "--sentinel"] : [file];
  let running = await launch(program, args);
  t.teardown(async () => {
    await running.end();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    folder,
    signal: (name) => process.kill(running.pid, name),
    crash: () => running.end(),
    async start() {
      running = await launch(program, args);
    },
  };
}

/** The program that runs the tests' Redis: the one that was found to be good enough. */
export async function redisProgram(): Promise<string> {
  const redis = new Redis(testRedisUrl());
  try {
    const program = /^executable:(.+?)\r?$/m.exec(await redis.info("server"))?.[1] ?? "";
    // Started by its bare name, Redis takes itself to be in its working directory.
    return existsSync(program) ? program : "redis-server";
  } finally {
    redis.disconnect();
  }
}

/** A shell keeps the server and kills it when our end of its pipe closes: also when this process dies without a word. */
async function launch(program: string, args: readonly string[]) {
  const keeper = spawn(
    "/bin/sh",
    ["-c", `"$@" & echo "pid=$!"; exec >&-; read -r _; kill -9 $!; wait`, "redis-keeper", program, ...args],
    { stdio: ["pipe", "pipe", "ignore"] },
  );
  const ended = new Promise<void>((done) => keeper.once("exit", () => done()));
  const pid = await untilReady(keeper);
  return {
    pid,
    async end(): Promise<void> {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Resolves to the server's process id once it accepts connections; rejects with what it said when it does not. */
function untilReady(keeper: ChildProcess & { stdout: NodeJS.ReadableStream }): Promise<number> {
  return new Promise((resolve, reject) => {
    let log = "";
    keeper.stdout.setEncoding("utf8");
    keeper.stdout.on("data", (text: string) => {
      log += text;
      if (/Ready to accept connections|Sentinel ID is/.test(log)) resolve(Number(/pid=(\d+)/.exec(log)?.[1]));
    });
    keeper.stdout.once("close", () => reject(new Error(`redis-server did not start:\n${log}`)));
  });
}

/** A loopback port that nobody listens on at the moment: the given one, if it is free. */
export async function freePort(wanted = 0): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.once("error", () => resolve(0));
    server.listen(wanted, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" ? (address?.port ?? 0) : 0);
    });
  });
  if (port !== 0) await new Promise((closed) => server.close(closed));
  return port === 0 ? freePort() : port;
}
