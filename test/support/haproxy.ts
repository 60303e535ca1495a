import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import { freePort } from "./redis-server.ts";
import { until } from "./until.ts";

const configuration = new URL("../../deploy/haproxy/passwright.cfg", import.meta.url);

/** Runs HAProxy on a free loopback port with the production configuration, in front of the given ports. */
export async function startHaproxy(
  t: Pick<Test, "teardown">,
  upstreamPorts: readonly number[],
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "passwright-haproxy-"));
  const file = join(folder, "haproxy.cfg");
  const port = await freePort();
  const production = await readFile(configuration, "utf8");
  const servers = upstreamPorts.map(
    (upstream, index) => `    server serve${index + 1} 127.0.0.1:${upstream}\n`,
  );
  const site = replaced(
    replaced(production, "    server serve1 127.0.0.1:8080\n", servers.join("")),
    "    bind :80 ",
    `    bind 127.0.0.1:${port} `,
  );
  await writeFile(file, site);
  const haproxy = spawn("haproxy", ["-db", "-f", file], {
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/usr/local/sbin` },
    stdio: ["ignore", "pipe", "pipe"],
  });
  haproxy.stdout.resume();
  const complaint = haproxy.stderr.toArray();
  const ended = new Promise<string>((resolve) => {
    haproxy.on("error", (error) =>
      resolve(`haproxy cannot be run (is it installed? apt-get install haproxy): ${error.message}`),
    );
    haproxy.on("exit", async (code) =>
      resolve(`haproxy ended with ${code}: ${Buffer.concat(await complaint)}`),
    );
  });
  t.teardown(async () => {
    haproxy.kill("SIGKILL");
    await ended;
    await rm(folder, { recursive: true, force: true });
  });
  const accepting = until("haproxy accepts connections", () => accepts(port));
  await Promise.race([accepting, ended.then((reason) => Promise.reject(new Error(reason)))]);
  return port;
}

function replaced(text: string, line: string, by: string): string {
  if (!text.includes(line)) throw new Error(`the configuration has no line «${line.trim()}»`);
  return text.replace(line, by);
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
