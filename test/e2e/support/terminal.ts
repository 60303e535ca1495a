import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Test } from "tap";
import { collect, type Environment, endWithUs, environmentOf, root } from "./passwright.ts";

/** A command at a terminal of its own, which goes on until it ends, the test sends it a signal, or the test ends. */
export function atTerminal(t: Test, settings: Environment, args: readonly string[]) {
  const child = spawn(process.execPath, ["bin/run.js", ...args], {
    cwd: root,
    env: environmentOf(settings),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const exited = once(child, "exit") as Promise<[number | null]>;
  const keeper = endWithUs(child.pid ?? Number.NaN);
  t.teardown(async () => {
    child.kill("SIGKILL");
    await exited;
    keeper.kill();
  });
  return { child, exited, stderr: stderr.text, answer: () => JSON.parse(stdout.text()) };
}
