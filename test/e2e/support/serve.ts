import { spawn } from "node:child_process";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { eventually } from "./eventually.ts";
import { collect, type Environment, endWithUs, environmentOf, type Passwright, root } from "./passwright.ts";
import { ask } from "./requests.ts";

/** A further `passwright serve` on the same store, as an operator runs one; resolves with its base URL. */
export async function startServe(
  t: { teardown(end: () => unknown): unknown },
  { announced }: Passwright,
  settings: Environment,
): Promise<string> {
  const port = await freePort();
  const child = spawn(process.execPath, ["bin/run.js", "serve", "--port", String(port)], {
    cwd: root,
    env: environmentOf({
      PASSWRIGHT_REDIS_URL: announced.redis_url,
      PASSWRIGHT_METRICS_ADDRESS: "127.0.0.1:0",
      ...settings,
    }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const exited = once(child, "exit");
  const keeper = endWithUs(child.pid ?? Number.NaN);
  t.teardown(async () => {
    child.kill("SIGTERM");
    await exited;
    keeper.kill();
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`serve ended:\n${stdout.text()}${stderr.text()}`);
    const health = await ask(`${baseUrl}/readyz`).catch(() => undefined);
    return health?.status === 200 ? true : undefined;
  });
  return baseUrl;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
