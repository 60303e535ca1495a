import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Installation } from "./fill.ts";

const entry = fileURLToPath(new URL("../../bin/run.js", import.meta.url));

/** Of one run: the CPU of the process and of Redis meanwhile, and what its caller waits. */
export type Cost = { cpuMs: number; wallMs: number; redisMs: number };

/** The medians over so many runs of the built program; of the wall time the least. Rejects when it fails. */
export async function costOf(args: readonly string[], at: Installation, runs: number): Promise<Cost> {
  const costs: Cost[] = [];
  for (let run = 0; run < runs; run += 1) costs.push(await runOnce(args, at));
  const sorted = (fact: keyof Cost): number[] => costs.map((cost) => cost[fact]).toSorted((a, b) => a - b);
  const middle = Math.floor(runs / 2);
  return {
    cpuMs: sorted("cpuMs")[middle] ?? Number.NaN,
    wallMs: sorted("wallMs")[0] ?? Number.NaN,
    redisMs: sorted("redisMs")[middle] ?? Number.NaN,
  };
}

async function runOnce(args: readonly string[], { env, redisCpuMs }: Installation): Promise<Cost> {
  const before = await redisCpuMs();
  // A shell knows what its child took, which Node does not tell.
  const script = 'TIMEFORMAT="%R %U %S"; time "$@" >/dev/null || [ $? -eq 4 ]';
  const child = spawn("bash", ["-c", script, "bash", process.execPath, entry, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, ...env },
  });
  let told = "";
  child.stderr.on("data", (chunk: Buffer) => {
    told += chunk;
  });
  const code = await new Promise((resolve) => child.once("close", resolve));
  const [, wall, user, system] = /([\d.]+) ([\d.]+) ([\d.]+)\s*$/.exec(told) ?? [];
  if (code !== 0 || wall === undefined) throw new Error(`passwright ${args.join(" ")} failed: ${told}`);
  const redisMs = (await redisCpuMs()) - before;
  return { wallMs: Number(wall) * 1000, cpuMs: (Number(user) + Number(system)) * 1000, redisMs };
}
