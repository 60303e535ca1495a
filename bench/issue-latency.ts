/**
 * From the 202 of a new pass to «active» at both sandbox wallets, one pass at a time on an idle machine: everything that
 * `npm start` starts, over HTTP as a client sees it. Run it with `node bench/issue-latency.ts` after a build.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const warmUps = 20;
const passes = 200;

type Ready = { base_url: string; application_id: string; application_secret: string; template_id: string };

const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
const up = spawn(
  process.execPath,
  [fileURLToPath(new URL("../bin/run.js", import.meta.url)), "up", "--json", "--port", "0", "--data", dir],
  { stdio: ["ignore", "pipe", "inherit"] },
);
try {
  await run(await readyLine());
} finally {
  const ended = new Promise((resolve) => up.once("exit", resolve));
  up.kill("SIGTERM");
  await ended;
  rmSync(dir, { recursive: true, force: true });
}

function readyLine(): Promise<Ready> {
  return new Promise((resolve, reject) => {
    up.stdout.once("data", (line: Buffer) => resolve(JSON.parse(line.toString("utf8"))));
    up.once("exit", () => reject(new Error("up ended before it was ready")));
  });
}

async function run(ready: Ready): Promise<void> {
  const token = await accessToken(ready);
  const accepted: number[] = [];
  const active: number[] = [];
  for (let i = 0; i < warmUps + passes; i++) {
    const sample = await issue(ready, token, `bench-${i}`);
    if (i < warmUps) continue;
    accepted.push(sample.acceptedMs);
    active.push(sample.activeMs);
  }
  console.log(
    `${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}, ${passes} passes, one at a time`,
  );
  report("request to 202", accepted);
  report("202 to active (apple and google)", active);
}

async function accessToken(ready: Ready): Promise<string> {
  const response = await fetch(`${ready.base_url}/api/v1/auth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_id: ready.application_id,
      client_secret: ready.application_secret,
    }),
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

async function issue(ready: Ready, token: string, externalRef: string) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const sentAt = performance.now();
  const response = await fetch(`${ready.base_url}/api/v1/passes`, {
    method: "POST",
    headers,
    body: JSON.stringify({
      template_id: ready.template_id,
      intent: "loyalty_card",
      external_ref: externalRef,
      data: { member: "Grace Hopper", points: "10" },
    }),
  });
  const pass = (await response.json()) as { id: string; job_id: string };
  const acceptedAt = performance.now();
  await (await fetch(`${ready.base_url}/api/v1/jobs/${pass.job_id}?wait=20`, { headers })).json();
  const activeAt = performance.now();
  const read = await (await fetch(`${ready.base_url}/api/v1/passes/${pass.id}`, { headers })).json();
  const { status } = read as { status: string };
  if (response.status !== 202 || status !== "active") throw new Error(`${externalRef} is ${status}`);
  return { acceptedMs: acceptedAt - sentAt, activeMs: activeAt - acceptedAt };
}

function report(name: string, samples: number[]): void {
  const sorted = samples.toSorted((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(
    `${name.padEnd(34)} median ${at(0.5)} ms, p90 ${at(0.9)} ms, p99 ${at(0.99)} ms, max ${at(1)} ms`,
  );
}
