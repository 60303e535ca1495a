/**
 * From the 202 of a new pass to «active» at both sandbox wallets, one pass at a time on an idle machine: everything that
 * `npm start` starts, over HTTP as a client sees it. Run it with `node bench/issue-latency.ts` after a build.
 */
import { cpus } from "node:os";
import { type Announced, withWholeService } from "./support/whole-service.ts";

const warmUps = 20;
const passes = 200;

await withWholeService(run);

async function run(ready: Announced): Promise<void> {
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

async function accessToken(ready: Announced): Promise<string> {
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

async function issue(ready: Announced, token: string, externalRef: string) {
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
