import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import type { Test } from "tap";
import { collect, endWithUs, root } from "../support/passwright.ts";

/** Something that a request or a response breaks, as Prism tells it in the header sl-violations. */
export type Violation = { location: string[]; severity: string; message: string };

/** Prism in front of a service: it passes everything on, and compares it with the document. Resolves with its URL. */
export async function startPrism(t: Test, { document, upstream }: { document: unknown; upstream: string }) {
  const file = join(t.testdir(), "openapi.json");
  writeFileSync(file, JSON.stringify(document));
  const port = await freePort();
  const bin = join(root, "node_modules", ".bin", "prism");
  const args = ["proxy", file, upstream, "--port", String(port), "--host", "127.0.0.1"];
  const child = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const output = collect(child.stdout);
  const errors = collect(child.stderr);
  const exited = once(child, "exit");
  const keeper = endWithUs(child.pid ?? Number.NaN);
  t.teardown(async () => {
    child.kill("SIGTERM");
    await exited;
    keeper.kill();
  });
  await Promise.race([
    output.until("Prism is listening"),
    exited.then(() => {
      throw new Error(`Prism ended:\n${output.text()}${errors.text()}`);
    }),
  ]);
  return `http://127.0.0.1:${port}`;
}

export function violationsIn(headers: Record<string, unknown>): Violation[] {
  const text = headers["sl-violations"];
  return text === undefined ? [] : JSON.parse(String(text));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("there is no free port");
  return address.port;
}
