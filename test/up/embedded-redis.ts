import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { Redis } from "ioredis";
import t, { type Test } from "tap";
import { redisProbe } from "../../src/redis/probe.ts";
import { openDataFolder } from "../../src/up/data-folder.ts";
import { embeddedRedis } from "../../src/up/embedded-redis.ts";
import { type Part, supervise } from "../../src/up/supervisor.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";
import { longNote, spend, tearAppendOnlyFile } from "../support/torn-file.ts";

const root = t.testdir();
const path = process.env.PATH ?? "";

async function prepare(t: Test, directory: string, other: { binary?: string; path?: string } = {}) {
  const folder = await openDataFolder(join(root, directory));
  t.teardown(() => folder.release());
  mkdirSync(folder.file("log"), { recursive: true });
  const settings = { binary: "", path, env: { PATH: path }, probe: redisProbe, ...other };
  return { folder, again: () => embeddedRedis(folder, settings), ...(await embeddedRedis(folder, settings)) };
}
/** Starts the server and lets go of it, as an `up` does that is killed. It ends with the test, if nobody ended it before. */
async function leaveBehind(t: Test, part: Part): Promise<void> {
  const child = spawn(part.command, part.args, { stdio: "ignore" });
  t.teardown(() => child.kill("SIGKILL"));
  await part.probe?.();
}
async function ask<Answer>(url: string, question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
  const redis = new Redis(url);
  try {
    return await question(redis);
  } finally {
    redis.disconnect();
  }
}

t.test("it is a Redis of its own: on loopback, behind a password, and keeping everything", async (t) => {
  const { part, url, folder } = await prepare(t, "own");
  const running = await supervise(part, () => {});
  t.teardown(() => running.stop());
  const settings = await ask(url, async (redis) => (await redis.config("GET", "*")) as string[]);
  const value = (name: string): string | undefined => settings[settings.indexOf(name) + 1];
  t.equal(value("bind"), "127.0.0.1");
  t.equal(value("appendonly"), "yes");
  t.equal(value("appendfsync"), "always", "what was answered is on the disk, whatever is killed");
  t.equal(value("maxmemory-policy"), "noeviction");
  t.equal(value("dir"), folder.file("redis"));
  await t.rejects(redisProbe.ping(url.replace(/:[^:@]+@/, "")));
  for (const file of ["redis.conf", "redis.json"]) {
    t.equal((statSync(folder.file(file)).mode & 0o777).toString(8), "600", file);
  }
});

t.test("what was written is there after a stop and another start, on the same port", async (t) => {
  const { part, url, again } = await prepare(t, "kept");
  const first = await supervise(part, () => {});
  await ask(url, (redis) => redis.set("key", "value"));
  await first.stop();
  const next = await again();
  t.equal(next.url, url);
  const second = await supervise(next.part, () => {});
  t.teardown(() => second.stop());
  t.equal(await ask(url, (redis) => redis.get("key")), "value");
});

t.test("a transaction that the server was killed over is gone for good, and nothing with it", async (t) => {
  const { part, url, folder } = await prepare(t, "torn");
  const life = async (work: (redis: Redis) => Promise<unknown>): Promise<void> => {
    part.prepare?.();
    const child = spawn(part.command, part.args, { stdio: "ignore" });
    t.teardown(() => child.kill("SIGKILL"));
    await part.probe?.();
    await ask(url, work);
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  await life(async (redis) => {
    await redis.set("credits", 10);
    await spend(redis, longNote);
  });
  tearAppendOnlyFile(folder.file("redis"));
  await life(async (redis) => {
    t.equal(await redis.get("credits"), "10");
    await spend(redis, "again");
    await redis.set("last", "word");
  });
  await life(async (redis) => {
    t.equal(await redis.get("credits"), "9");
    t.equal(await redis.xlen("log"), 1);
    t.equal(await redis.get("last"), "word");
  });
});

t.test("the server of an up that was killed is shut down, and its port kept", async (t) => {
  const { part, url, again } = await prepare(t, "leftover");
  await leaveBehind(t, part);
  const next = await again();
  await t.rejects(redisProbe.ping(url), { message: /ECONNREFUSED|closed/ });
  t.equal(next.url, url);
});

t.test("it is shut down as well where the folder is reached by a symbolic link", async (t) => {
  mkdirSync(join(root, "really here"));
  symlinkSync(join(root, "really here"), join(root, "link"));
  const { part, url, again } = await prepare(t, "link");
  await leaveBehind(t, part);
  const next = await again();
  await t.rejects(redisProbe.ping(url), "two servers on one append-only file would destroy it");
  t.equal(next.url, url);
});

t.test("somebody else's server on our port is left alone, and another port taken", async (t) => {
  const { url, again } = await prepare(t, "taken");
  const port = Number(new URL(url).port);
  const stranger = createServer((socket) => socket.destroy());
  await new Promise<void>((listening) => stranger.listen(port, "127.0.0.1", listening));
  t.teardown(() => stranger.close());
  const next = await again();
  t.not(next.url, url);
  t.equal(new URL(next.url).password, new URL(url).password);
});

t.test("the server is found on the path, by name or where a setting says", async (t) => {
  const bin = join(root, "bin");
  mkdirSync(bin);
  for (const name of ["redis-server", "valkey-server", "my-redis"]) {
    writeFileSync(join(bin, name), "#!/bin/sh\n");
    chmodSync(join(bin, name), 0o755);
  }
  writeFileSync(join(bin, "no-program"), "");
  const command = async (binary: string): Promise<string> =>
    (await prepare(t, `find-${binary.replaceAll("/", "_")}`, { binary, path: `/nowhere:${bin}` })).part
      .command;
  t.equal(await command(""), join(bin, "redis-server"));
  t.equal(await command("valkey-server"), join(bin, "valkey-server"));
  t.equal(await command("my-redis"), join(bin, "my-redis"));
  t.equal(await command(join(bin, "my-redis")), join(bin, "my-redis"));
  for (const binary of ["no-program", join(bin, "no-program"), "no-such-server", "/nowhere/redis-server"]) {
    const refusal = await refusalOf(() => command(binary));
    t.match(refusal, { code: "invalid_configuration", detail: /no redis-server.*--redis-url/ }, binary);
  }
});

t.test("a folder with spaces and quotes in its name is no trouble", async (t) => {
  const { part, folder } = await prepare(t, 'my "data" folder');
  const running = await supervise(part, () => {});
  await running.stop();
  t.match(readFileSync(folder.file("log", "redis.log"), "utf8"), /Ready to accept connections/);
});
