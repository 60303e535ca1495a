import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import t, { type Test } from "tap";
import { createHttpClient } from "../../../src/providers/google/http-client.ts";

const never = new AbortController().signal;
const get = (url: string) => ({ method: "GET" as const, peer: "Google", url, headers: {} });

async function listening(t: Test, server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

t.test(
  "a proxy is asked for a tunnel with its user and password, for all but what is on this machine",
  async (t) => {
    const asked: unknown[] = [];
    const proxy = createServer().on("connect", (request, socket: Socket) => {
      asked.push([request.url, request.headers["proxy-authorization"]]);
      socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n");
    });
    const here = createServer((_, response) => response.end("{}"));
    const [proxyPort, port] = [await listening(t, proxy), await listening(t, here)];
    const http = createHttpClient({
      clock: { nowMs: Date.now },
      proxy: new URL(`http://user:pa%20ss@127.0.0.1:${proxyPort}`),
    });
    t.teardown(() => http.close());
    t.match(await http.send(get(`http://127.0.0.1:${port}/`), never), { status: 200, body: {} });
    t.strictSame(asked, []);
    await t.rejects(http.send(get("https://wallet.example/"), never), {
      code: "provider_unavailable",
      detail: /^Google at wallet\.example could not be reached/,
      remedy: /PASSWRIGHT_GOOGLE_PROXY/,
    });
    t.strictSame(asked, [["wallet.example:443", `Basic ${Buffer.from("user:pa ss").toString("base64")}`]]);
  },
);

t.test("an answer that is longer than it may be is not read to its end", async (t) => {
  const server = createServer((_, response) => response.end("x".repeat(5000)));
  const url = `http://127.0.0.1:${await listening(t, server)}/`;
  const http = createHttpClient({ clock: { nowMs: Date.now } });
  t.teardown(() => http.close());
  t.match(await http.sendRaw(get(url), never, 5000), { status: 200 });
  await t.rejects(http.sendRaw(get(url), never, 4999), { code: "provider_unavailable" });
});
