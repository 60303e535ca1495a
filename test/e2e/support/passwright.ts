import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CommandResult, runCommand } from "./command.ts";

/** What `up --json` says when it is ready. */
export type Announcement = {
  base_url: string;
  tenant_id: string;
  application_id: string;
  application_secret: string;
  template_id: string;
  redis_url: string;
  sandbox_url: string;
  metrics_url: string;
};

export type Passwright = {
  announced: Announcement;
  pid: number;
  dataDir: string;
  /** Everything said so far. */
  stdout(): string;
  stderr(): string;
  /** Runs a command of the command line against the same store, with the same settings. */
  cli(...args: string[]): Promise<CommandResult>;
  /** Sends the signal and resolves with the exit code once all is over. May be repeated. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

type Lifetime = { teardown(end: () => unknown): unknown };

export type Environment = Record<string, string>;

export const root = fileURLToPath(new URL("../../..", import.meta.url));

/** The tests' own environment without any setting of Passwright, which the given ones replace. */
export function environmentOf(settings: Environment): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PASSWRIGHT_"));
  return { ...Object.fromEntries(inherited), ...settings };
}

/** A key for secrets at rest, as an operator makes one. */
export function newMasterKey(): string {
  return randomBytes(32).toString("base64");
}

/** Where the tests keep what is to be quick: in memory, where there is enough of it. Removed with the test. */
export function scratchFolder(t: Lifetime): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "passwright-")));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets files that run side by side not compete for the one default port. */
export const metricsAnywhere = { PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0" };

/** `passwright up` as a script would start it, on free ports; stopped with the test. */
export async function startPasswright(
  t: Lifetime,
  {
    settings = {},
    dataDir = join(scratchFolder(t), "data"),
  }: { settings?: Environment; dataDir?: string } = {},
): Promise<Passwright> {
  const args = ["bin/run.js", "up", "--json", "--port", "0", "--data", dataDir];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: environmentOf(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const exited = once(child, "exit") as Promise<[number | null]>;
  const pid = child.pid ?? Number.NaN;
  const keeper = endWithUs(pid);
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    const [code] = await exited;
    keeper.kill();
    return code;
  };
  t.teardown(() => stop());

  await Promise.race([
    stdout.until('"base_url"'),
    exited.then(([code]) => {
      throw new Error(`up ended with ${code} before it was ready:\n${stdout.text()}${stderr.text()}`);
    }),
  ]);
  await stdout.until("\n");
  const announced: Announcement = JSON.parse(stdout.text());
  const store = {
    PASSWRIGHT_REDIS_URL: announced.redis_url,
    PASSWRIGHT_SANDBOX_URL: announced.sandbox_url,
  };
  return {
    announced,
    pid,
    dataDir,
    stdout: stdout.text,
    stderr: stderr.text,
    cli: (...command) => runCommand(command, { settings: { ...settings, ...store } }),
    stop,
  };
}

/** Ends the process when ours ends without a word, as at a time limit: its pipe to us closes then. */
export function endWithUs(pid: number): ChildProcess {
  const script = 'read -r _; kill "$1"';
  return spawn("/bin/sh", ["-c", script, "keeper", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
}

export function collect(stream: NodeJS.ReadableStream) {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    text += chunk;
  });
  return {
    text: () => text,
    until: async (part: string) => {
      while (!text.includes(part)) await once(stream, "data");
    },
  };
}
