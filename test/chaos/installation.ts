import { execFile } from "node:child_process";
import { randomBytes, randomInt } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Redis } from "ioredis";
import { openAuthority } from "../../src/sandbox/authority/authority.ts";
import { mendAppendOnlyFile } from "../../src/up/append-only-file.ts";
import { environmentOf } from "../e2e/support/passwright.ts";
import { freePort } from "../support/redis-server.ts";
import { type KeptProcess, keepRunning } from "./kept-process.ts";

export type InstallationWish = {
  /** The root of a built tree. */
  tree: string;
  /** What it writes goes here. */
  folder: string;
  redisServer: string;
  leaseMs: number;
};

/** Passwright as it is run in production, with two of each process; but for its Redis, a sandbox, and short schedules. */
export type Installation = {
  redis: KeptProcess;
  workers: KeptProcess[];
  serves: KeptProcess[];
  baseUrls: string[];
  /** A look into the store from outside; commands wait until Redis is back. */
  store: Redis;
  certificate: { certificate: string; key: string };
  /** Runs a command of the command line; resolves with what `--json` printed. */
  cli(...args: string[]): Promise<ReturnType<typeof JSON.parse>>;
  stop(): Promise<void>;
};

/** Twenty attempts each, as many as a schedule may have: an attempt that a kill ends is one of them. */
const manyAttempts = (wait: string) => ["0s", ...Array.from({ length: 19 }, () => wait)].join(",");

export async function startInstallation(wish: InstallationWish): Promise<Installation> {
  const path = (name: string) => join(wish.folder, name);
  mkdirSync(wish.folder, { recursive: true });
  const running: KeptProcess[] = [];
  const keep = async (...[options]: Parameters<typeof keepRunning>): Promise<KeptProcess> => {
    const kept = await keepRunning(options);
    running.push(kept);
    return kept;
  };
  let store: Redis | undefined;
  const stop = async (): Promise<void> => {
    // Who is talked to goes last.
    for (const part of running.toReversed()) await part.stop();
    store?.disconnect();
  };

  try {
    const redisPort = await aPort();
    const redis = await keep({
      name: "redis",
      command: wish.redisServer,
      args: [redisConfiguration(wish.folder, redisPort)],
      prepare: () => mendAppendOnlyFile(wish.redisServer, wish.folder),
      logFile: path("redis.log"),
      readyLine: /Ready to accept connections/,
    });
    const redisUrl = `redis://127.0.0.1:${redisPort}`;
    store = new Redis(redisUrl, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    store.on("error", () => {});

    const common = { NODE_COMPILE_CACHE: path("compiled"), PASSWRIGHT_LOG_LEVEL: "warn" };
    const entry = join(wish.tree, "bin", "run.js");
    const ours = (name: string, settings: Record<string, string>, ...args: string[]) =>
      keep({
        name,
        command: process.execPath,
        args: [entry, ...args],
        env: environmentOf({ ...common, ...settings }),
        logFile: path(`${name}.log`),
      });

    const sandbox = await ours("sandbox", {}, "sandbox", "--port", "0", "--data", wish.folder);
    const authorityFile = sandbox.facts.ca_file ?? "";
    const authority = await openAuthority(dirname(authorityFile), Date.now);
    const ports = [await aPort(), await aPort()];
    const baseUrls = ports.map((port) => `http://127.0.0.1:${port}`);
    const settings = {
      PASSWRIGHT_REDIS_URL: redisUrl,
      PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
      PASSWRIGHT_BASE_URL: baseUrls[0] ?? "",
      PASSWRIGHT_SANDBOX_URL: sandbox.facts.sandbox_url ?? "",
      PASSWRIGHT_WEBHOOK_CA_FILE: authorityFile,
      PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
      PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
      PASSWRIGHT_WORKER_METRICS_ADDRESS: "127.0.0.1:0",
      PASSWRIGHT_TOKEN_RATE_LIMIT: "100000/1m",
      PASSWRIGHT_JOB_LEASE: `${wish.leaseMs}ms`,
      PASSWRIGHT_JOB_RETRY_SCHEDULE: manyAttempts("500ms"),
      PASSWRIGHT_WEBHOOK_RETRY_SCHEDULE: manyAttempts("300ms"),
      // What the receiver that always refuses is owed ends in some way or other.
      PASSWRIGHT_WEBHOOK_PARK_LIMIT: "5s",
    };
    const serves = await Promise.all(
      ports.map((port, i) => ours(`serve-${i + 1}`, settings, "serve", "--port", String(port))),
    );
    const workers = await Promise.all([1, 2].map((i) => ours(`worker-${i}`, settings, "worker")));
    return {
      redis,
      workers,
      serves,
      baseUrls,
      store,
      certificate: await authority.issueServerCertificate(["localhost", "127.0.0.1"]),
      cli: (...args) => runCommand([entry, ...args, "--json"], environmentOf({ ...common, ...settings })),
      stop,
    };
  } catch (error) {
    await stop();
    throw new Error(`the installation did not start; its logs are in ${wish.folder}`, { cause: error });
  }
}

/** Durable as production's should be: what was answered survives SIGKILL. */
function redisConfiguration(folder: string, port: number): string {
  const file = join(folder, "redis.conf");
  const lines = [
    `port ${port}`,
    "bind 127.0.0.1",
    `dir ${JSON.stringify(folder)}`,
    "appendonly yes",
    "appendfsync always",
    'save ""',
    "maxmemory-policy noeviction",
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Below the range that outgoing connections take theirs from: it must be free again after each crash. */
function aPort(): Promise<number> {
  return freePort(20_000 + randomInt(12_000));
}

function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<ReturnType<typeof JSON.parse>> {
  return new Promise((resolve, reject) => {
    const options = { env, timeout: 60_000, maxBuffer: 2 ** 30 };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      // 4: nothing matched, which is an answer.
      if (error !== null && error.code !== 4) reject(new Error(`${args.slice(1).join(" ")}: ${stderr}`));
      else resolve(JSON.parse(stdout));
    });
  });
}
