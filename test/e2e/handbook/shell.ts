import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import { endWithUs, environmentOf, root, scratchFolder } from "../support/passwright.ts";

/** One shell after the other in a folder, each of which has the variables that the one before it left, and `passwright`. */
export function openShell(t: Test, home: string, variables: Record<string, string>) {
  const own = scratchFolder(t);
  const bin = join(own, "bin");
  mkdirSync(bin);
  const program = join(bin, "passwright");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${join(root, "bin", "run.js")}" "$@"\n`);
  chmodSync(program, 0o755);
  const state = join(own, "variables");
  writeFileSync(state, "");
  return {
    async run(block: string): Promise<{ code: number; output: string }> {
      const script = `set -aeu\n. "${state}"\n${block}\nexport -p > "${state}"\n`;
      const child = spawn("bash", ["-c", script], {
        cwd: home,
        env: { ...environmentOf(variables), PATH: `${bin}:${process.env.PATH}` },
        stdio: ["ignore", "pipe", "pipe"],
      });
      const keeper = endWithUs(child.pid ?? Number.NaN);
      t.teardown(() => child.kill("SIGKILL"));
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding("utf8").on("data", (piece: string) => {
          output += piece;
        });
      }
      const [code] = await once(child, "close");
      keeper.kill();
      return { code, output };
    },
  };
}
