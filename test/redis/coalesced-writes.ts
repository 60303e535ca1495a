import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import t from "tap";
import { coalesceWrites } from "../../src/redis/coalesced-writes.ts";

/** A server that answers every command with OK, and remembers in which pieces they came. */
async function listening() {
  const pieces: string[] = [];
  const server = createServer((socket: Socket) => {
    socket.on("data", (data) => {
      const text = data.toString();
      pieces.push(text);
      const commands = text.match(/^\*\d+\r$/gm)?.length ?? 0;
      socket.write("+OK\r\n".repeat(commands));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const client = new Redis({ port, host: "127.0.0.1", enableReadyCheck: false, protocol: 2 });
  coalesceWrites(client);
  await once(client, "ready");
  await client.set("begin", "1");
  pieces.length = 0;
  return { client, server, pieces };
}

t.test("commands of one turn leave in one piece, in their order", async (t) => {
  const { client, server, pieces } = await listening();
  t.teardown(() => {
    client.disconnect();
    server.close();
  });
  const sent = Array.from({ length: 20 }, (_, i) => client.set(`key-${i}`, "value"));
  t.strictSame(new Set(await Promise.all(sent)), new Set(["OK"]));
  t.equal(pieces.length, 1);
  t.strictSame(
    [...(pieces[0] ?? "").matchAll(/key-(\d+)/g)].map(([, number]) => Number(number)),
    sent.map((_, i) => i),
  );
});

t.test("a command that comes right behind another is sent as well", async (t) => {
  const { client, server } = await listening();
  t.teardown(() => {
    client.disconnect();
    server.close();
  });
  for (let i = 0; i < 50; i++) t.equal(await client.set("key", String(i)), "OK");
});
