import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What `passwright up --json` announces, as far as benchmarks need it. */
export type Announced = {
  base_url: string;
  tenant_id: string;
  application_id: string;
  application_secret: string;
  template_id: string;
  redis_url: string;
  sandbox_url: string;
};

/** Runs something on everything that `npm start` starts, in a data folder of its own that ends with it. */
export async function withWholeService(
  use: (ready: Announced) => Promise<void>,
  settings: Record<string, string> = {},
): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), "passwright-bench-"));
  const entry = fileURLToPath(new URL("../../bin/run.js", import.meta.url));
  const up = spawn(process.execPath, [entry, "up", "--json", "--port", "0", "--data", dir], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...settings },
  });
  try {
    await use(
      await new Promise<Announced>((resolve, reject) => {
        up.stdout.once("data", (line: Buffer) => resolve(JSON.parse(line.toString("utf8"))));
        up.once("exit", () => reject(new Error("up ended before it was ready")));
      }),
    );
  } finally {
    const ended = new Promise((resolve) => up.once("exit", resolve));
    up.kill("SIGTERM");
    await ended;
    rmSync(dir, { recursive: true, force: true });
  }
}
