// Pushes per second to APNs: our client, as the worker uses it, beside bare node:http2 with the same TLS, headers and number under
// way. Both push to the sandbox's APNs, a process of its own, which has to count every token exactly once. `npm run build` first.
// Run: node bench/push.ts [pushes a round, at most 10,000]

import { fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:http2";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AppleCredentials } from "../src/domain/providers/provider.ts";
import { createApnsClient } from "../src/providers/apple/apns/client.ts";
import { medianOf, rangeOf } from "./support/samples.ts";

const pushes = Math.min(Number(process.argv[2] ?? 8000), 10_000);
const rounds = 5;
/** As many as the worker asks for at a time: a page of a pass's devices. */
const atOnce = 500;

type Push = (token: string) => Promise<void>;
type Subject = { name: string; push: Push; close(): void };

const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
const entry = fileURLToPath(new URL("../bin/run.js", import.meta.url));
const sandbox = fork(entry, ["sandbox", "--port", "0", "--data", dir], {
  stdio: ["ignore", "ignore", "ignore", "ipc"],
});
try {
  const [{ ready }] = (await once(sandbox, "message")) as [
    { ready: { sandbox_url: string; ca_file: string } },
  ];
  const ca = readFileSync(ready.ca_file, "utf8");
  const credentials = await credentialsFrom(ready.sandbox_url);
  const subjects = [ours(credentials, ca), await bare(credentials, ca)];
  console.log(`${cpus()[0]?.model}, ${cpus().length} cores, node ${process.version}`);
  console.log(`${pushes} pushes a round, ${atOnce} under way, ${rounds} rounds in turn\n`);
  for (const subject of subjects) await pushAll(subject.push, 500);
  const rates = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  const costs = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const { name, push } of round % 2 === 0 ? subjects : subjects.toReversed()) {
      const { rate, cpuUs } = await exactRate(ready.sandbox_url, push);
      rates.get(name)?.push(rate);
      costs.get(name)?.push(cpuUs);
    }
  }
  for (const [name, samples] of rates) {
    const cpu = costs.get(name) ?? [];
    console.log(
      `${name.padEnd(12)} ${medianOf(samples).toFixed(0)}/s (${rangeOf(samples, 0)}), CPU of the client ${medianOf(cpu).toFixed(0)} µs (${rangeOf(cpu, 0)})`,
    );
  }
  const ratios = (of: Map<string, number[]>): number[] => {
    const [own = [], other = []] = of.values();
    return own.map((sample, index) => sample / (other[index] ?? Number.NaN));
  };
  for (const [what, of] of [
    ["rate", ratios(rates)],
    ["CPU", ratios(costs)],
  ] as const) {
    console.log(`ratio, ${what.padEnd(5)} ${medianOf(of).toFixed(2)} (${rangeOf(of, 2)})`);
  }
  for (const { close } of subjects) close();
} finally {
  const ended = once(sandbox, "exit");
  sandbox.kill("SIGTERM");
  await ended;
  rmSync(dir, { recursive: true, force: true });
}

async function credentialsFrom(sandboxUrl: string): Promise<AppleCredentials> {
  const answer = await fetch(`${sandboxUrl}/credentials/apple`, { method: "POST" });
  const issued = (await answer.json()) as Record<string, string>;
  const { certificate = "", key = "", wwdr = "", apns_url: apnsUrl = "" } = issued;
  const { pass_type_identifier: passTypeIdentifier = "", team_identifier: teamIdentifier = "" } = issued;
  return { certificate, key, wwdr, apnsUrl, passTypeIdentifier, teamIdentifier };
}

function ours(credentials: AppleCredentials, ca: string): Subject {
  const client = createApnsClient({ clock: { nowMs: Date.now }, ca });
  const never = new AbortController().signal;
  return {
    name: "ours",
    async push(token) {
      const { outcome } = await client.push(credentials, token, never);
      if (outcome !== "sent") throw new Error(`a push was not sent: ${outcome}`);
    },
    close: client.close,
  };
}

async function bare(
  { apnsUrl, certificate: cert, key, passTypeIdentifier }: AppleCredentials,
  ca: string,
): Promise<Subject> {
  const session = connect(apnsUrl, { ca, cert, key });
  await once(session, "remoteSettings");
  return {
    name: "bare http2",
    push: (token) =>
      new Promise((resolve, reject) => {
        const stream = session.request({
          ":method": "POST",
          ":path": `/3/device/${token}`,
          "apns-topic": passTypeIdentifier,
          "apns-priority": "5",
        });
        let status = 0;
        stream.on("response", (headers) => {
          status = headers[":status"] ?? 0;
        });
        stream.on("error", reject);
        stream.on("close", () => (status === 200 ? resolve() : reject(new Error(`APNs answered ${status}`))));
        stream.resume();
        stream.end("{}");
      }),
    close: () => session.close(),
  };
}

/** Pushes a second, and what one costs this process; throws unless the sandbox has counted each token once. */
async function exactRate(sandboxUrl: string, push: Push): Promise<{ rate: number; cpuUs: number }> {
  const before = (await accepted(sandboxUrl)).total;
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const tokens = await pushAll(push, pushes);
  const seconds = (performance.now() - startedAt) / 1000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const { total, notifications } = await accepted(sandboxUrl);
  const counted = new Set(notifications.slice(-pushes).map(({ token }) => token));
  if (total - before !== pushes || counted.size !== pushes || tokens.some((token) => !counted.has(token))) {
    throw new Error(
      `${pushes} tokens were pushed to, and APNs counted ${total - before} pushes to ${counted.size}`,
    );
  }
  return { rate: pushes / seconds, cpuUs: (user + system) / pushes };
}

async function accepted(sandboxUrl: string): Promise<{ total: number; notifications: { token: string }[] }> {
  return (await (await fetch(`${sandboxUrl}/apns/notifications`)).json()) as Awaited<
    ReturnType<typeof accepted>
  >;
}

/** To as many new tokens; answers which. */
async function pushAll(push: Push, count: number): Promise<string[]> {
  const tokens = Array.from({ length: count }, () => randomBytes(32).toString("hex"));
  const left = tokens.values();
  const hand = async (): Promise<void> => {
    for (const token of left) await push(token);
  };
  await Promise.all(Array.from({ length: atOnce }, hand));
  return tokens;
}
