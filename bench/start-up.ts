// How long `passwright --help` and `passwright tenants list` take beside `node -e 0`, the least that any program of
// Node takes. Rounds of all three, one after the other, so that each meets the same machine; medians of the
// times, and of the ratios within a round. Needs a build.

import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { withPrivateRedis } from "./support/private-redis.ts";

const rounds = 21;
const entry = fileURLToPath(new URL("../bin/run.js", import.meta.url));
/** From the start to the end of a process, in milliseconds. */
function timeOf(args: readonly string[], env: Record<string, string>): number {
  const beganMs = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env });
  if (status !== 0) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return performance.now() - beganMs;
}

const contestants = {
  "node -e 0": ["-e", "0"],
  "passwright --help": [entry, "--help"],
  "passwright tenants list": [entry, "tenants", "list"],
};

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

await withPrivateRedis(async (_, url) => {
  const env = {
    PATH: process.env.PATH ?? "",
    PASSWRIGHT_REDIS_URL: url,
    PASSWRIGHT_MASTER_KEY: randomBytes(32).toString("base64"),
  };
  timeOf([entry, "tenants", "create", "--name", "Example"], env);
  const load = loadavg()[0] ?? 0;
  const times = new Map(Object.keys(contestants).map((name) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, args] of Object.entries(contestants)) times.get(name)?.push(timeOf(args, env));
  }
  const bare = times.get("node -e 0") ?? [];
  console.log(`${rounds} rounds; ${load.toFixed(1)} processes wanted to run when they began`);
  for (const [name, own] of times) {
    const ratio = median(own.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
    console.log(
      `${name.padEnd(26)}${median(own).toFixed(0).padStart(5)} ms  ${ratio.toFixed(1).padStart(5)} times`,
    );
  }
});
