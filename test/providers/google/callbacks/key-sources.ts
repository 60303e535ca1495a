import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import { keysAt, keysIn } from "../../../../src/providers/google/callbacks/key-sources.ts";

async function served(t: Test, answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return keysAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}/gp/m/issuer/keys`);
}

t.test("an answer is fresh for as long as it says, within bounds", async (t) => {
  for (const [headers, freshMs] of [
    [{ "cache-control": "public, max-age=7200" }, 7_200_000],
    [{ "cache-control": 'private, max-age="7200"', age: "3600" }, 3_600_000],
    [{ "cache-control": "MAX-AGE = 7200" }, 7_200_000],
    [{ "cache-control": "max-age=1" }, 300_000],
    [{ "cache-control": "max-age=3600", age: "4000" }, 300_000],
    [{ "cache-control": "max-age=9999999999" }, 86_400_000],
    [{ "cache-control": "no-store, max-age=7200" }, 300_000],
    [{ "cache-control": "public" }, 3_600_000],
    [{}, 3_600_000],
  ] as const) {
    const source = await served(t, (response) => response.writeHead(200, headers).end("{}"));
    t.strictSame(await source.load(), { text: "{}", freshMs }, JSON.stringify(headers));
  }
});

t.test("no other answer is one, and a redirection is not followed", async (t) => {
  const moved = { location: "https://elsewhere.example.com/keys" };
  for (const [status, headers] of [
    [302, moved],
    [404, {}],
    [500, {}],
  ] as const) {
    const source = await served(t, (response) => response.writeHead(status, headers).end("{}"));
    await t.rejects(source.load(), { message: `it answered ${status}` });
  }
  const large = await served(t, (response) => response.end("x".repeat(70_000)));
  await t.rejects(large.load());
  await t.rejects(keysAt("http://127.0.0.1:9/keys").load());
});

t.test("a file is read anew each time", async (t) => {
  const path = join(t.testdir(), "keys.json");
  const source = keysIn(path);
  for (const text of ["first", "and second", ""]) {
    writeFileSync(path, text);
    t.match(await source.load(), { text });
  }
  writeFileSync(path, "x".repeat(65_537));
  await t.rejects(source.load(), { message: /more than 65536 bytes/ });
  rmSync(path);
  await t.rejects(source.load(), { code: "ENOENT" });
});
