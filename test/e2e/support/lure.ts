import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server that a gullible verifier would fetch its keys from. */
export async function openLure(t: { teardown(end: () => unknown): unknown }) {
  let visits = 0;
  const server = createServer((_, response) => response.end('{"keys":[]}'));
  server.on("connection", () => visits++);
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { visits: () => visits, url: `http://127.0.0.1:${port}` };
}
