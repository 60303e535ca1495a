import { randomBytes } from "node:crypto";
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { PasswrightError } from "../domain/errors.ts";
import { mendAppendOnlyFile } from "./append-only-file.ts";
import type { DataFolder } from "./data-folder.ts";
import { freePort } from "./free-port.ts";
import type { Part } from "./supervisor.ts";

type RedisState = { port: number; password: string };

/** Sends one Redis at a URL a command; the store behind the port is nobody's but ours. */
export type RedisProbe = {
  ping(url: string): Promise<void>;
  /** Stops a server that an earlier, killed `up` left behind on this data; does nothing where there is none. */
  shutdown(url: string, dataDir: string): Promise<void>;
};

/** The machine's redis-server as a part of `up`: its own data folder, append-only file, password, and loopback port. */
export async function embeddedRedis(
  folder: DataFolder,
  options: { binary: string; path: string; env: Part["env"]; probe: RedisProbe },
): Promise<{ part: Part; url: string }> {
  const dataDir = folder.file("redis");
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const before = folder.readJson<RedisState>("redis.json");
  const password = before?.password ?? randomBytes(24).toString("base64url");
  if (before !== null) await options.probe.shutdown(redisUrl(before), dataDir);
  const state = { port: await freePort(before?.port ?? 0), password };
  folder.writeJson("redis.json", state);

  const configFile = folder.file("redis.conf");
  const settings = [
    "bind 127.0.0.1",
    `port ${state.port}`,
    `requirepass ${password}`,
    `dir ${JSON.stringify(dataDir)}`,
    "appendonly yes",
    "appendfsync always",
    'save ""',
    "maxmemory-policy noeviction",
    "daemonize no",
  ];
  writeFileSync(configFile, `${settings.join("\n")}\n`, { mode: 0o600 });
  const url = redisUrl(state);
  const server = findRedisServer(options.binary, options.path);
  return {
    url,
    part: {
      name: "redis",
      command: server,
      args: [configFile],
      prepare: () => mendAppendOnlyFile(server, dataDir),
      env: options.env,
      logFile: folder.file("log", "redis.log"),
      reports: false,
      probe: () => untilItAnswers(() => options.probe.ping(url)),
      stopMs: 2000,
    },
  };
}

function redisUrl({ port, password }: RedisState): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

async function untilItAnswers(ping: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await ping();
      return;
    } catch (error) {
      if (tries >= 200) throw error;
      await delay(25);
    }
  }
}

/** `scripts/setup.mjs` installs it where it can; here it is only found. */
function findRedisServer(binary: string, path: string): string {
  const names = binary === "" ? ["redis-server", "valkey-server"] : [binary];
  const folders = [...path.split(delimiter), "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];
  for (const name of names) {
    const candidates = name.includes("/") ? [name] : folders.map((dir) => join(dir, name));
    const found = candidates.find(isExecutable);
    if (found !== undefined) return found;
  }
  throw new PasswrightError(
    "invalid_configuration",
    "There is no redis-server on this machine. Install it (on Debian: apt-get install redis-server), or name a running Redis with --redis-url.",
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
