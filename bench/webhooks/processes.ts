import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { certify } from "../../test/egress/fixtures/receiver.ts";
import type { Receipts, Reported, Told } from "./receiver.ts";

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** One of the processes in this folder, once it says that it is ready; the first message. */
export async function start<First>(name: string, args: string[]): Promise<[ChildProcess, First]> {
  const child = fork(fileOf(name), args, { stdio: ["ignore", "inherit", "inherit", "ipc"] });
  const [first] = await once(child, "message");
  return [child, first as First];
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}

/** What a process has computed since it began, in ms; Linux only, 100 ticks a second. */
export function cpuMs(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return 10 * (Number(afterName[11]) + Number(afterName[12]));
}

export type Receiver = {
  url: string;
  /** Forgets what came, and resolves with the instant (ms) at which so many different deliveries have. */
  expect(count: number): Promise<number>;
  receipts(): Promise<Receipts>;
  end(): Promise<void>;
};

export type Certificates = { folder: string; ca: string; caFile: string; key: string; certificate: string };

/** A certificate for 127.0.0.1 and the authority that it is by, as files that are removed in the end. */
export async function withCertificates(use: (files: Certificates) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "passwright-bench-tls-"));
  try {
    const { ca, certificate, key } = certify();
    const file = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const files = { key: file("key.pem", key), certificate: file("leaf.pem", certificate) };
    await use({ folder, ca, caFile: file("ca.pem", ca), ...files });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a worker needs to deliver to that receiver, over a Redis of the benchmark's own. */
export function workerSettings(redisUrl: string, files: Certificates) {
  return {
    PASSWRIGHT_REDIS_URL: redisUrl,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
    PASSWRIGHT_WEBHOOK_ALLOW_CIDRS: "127.0.0.0/8",
    PASSWRIGHT_WEBHOOK_CA_FILE: files.caFile,
    PASSWRIGHT_WORKER_METRICS_ADDRESS: "127.0.0.1:0",
  };
}

export async function startReceiver({ key, certificate }: Certificates): Promise<Receiver> {
  const [child, first] = await start<{ port: number }>("receiver.ts", [key, certificate]);
  const answerTo = async <Answer extends Reported>(told: Told): Promise<Answer> => {
    const answer = once(child, "message");
    child.send(told);
    return (await answer)[0] as Answer;
  };
  return {
    url: `https://127.0.0.1:${first.port}`,
    expect: async (count) => (await answerTo<{ arrived: number; atMs: number }>({ expect: count })).atMs,
    receipts: () => answerTo<Receipts>("report"),
    end: () => end(child),
  };
}

/**
 * `passwright worker` as it is built, once it is ready. Its log goes nowhere, unless BENCH_LOG is set; BENCH_PROFILE names a folder
 * for its CPU profile.
 */
export async function startWorkerProcess(env: Record<string, string>): Promise<ChildProcess> {
  const entry = fileURLToPath(new URL("../../bin/run.js", import.meta.url));
  const worker = fork(entry, ["worker"], {
    stdio: ["ignore", "ignore", process.env.BENCH_LOG ? "inherit" : "ignore", "ipc"],
    env: { ...process.env, ...env },
    execArgv: process.env.BENCH_PROFILE ? ["--cpu-prof", `--cpu-prof-dir=${process.env.BENCH_PROFILE}`] : [],
  });
  await once(worker, "message");
  return worker;
}
