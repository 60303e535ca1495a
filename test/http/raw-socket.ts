import { once } from "node:events";
import { connect } from "node:net";
import t from "tap";
import { exchangeRaw, rawRequests, startRecordingServer, statusesOf } from "./raw-requests.ts";

// uWebSockets.js runs in this process: what ends it, ends this test.
t.setTimeout(90_000);

t.test("every raw request is answered or refused as it should be, and its connection ends", async (t) => {
  const server = await startRecordingServer();
  t.teardown(server.close);
  // All at once: incomplete ones are closed after some 10 s, by a time limit that is the parser's own.
  const outcomes = await Promise.all(
    rawRequests.map(async ({ name, bytes, direct }) => ({
      name,
      direct,
      received: await exchangeRaw(server.port, bytes),
    })),
  );
  for (const { name, direct, received } of outcomes) t.same(statusesOf(received), direct, name);
  t.same(
    server.seen.filter(({ rawPath }) => rawPath.includes("SMUGGLED")),
    [],
    "nothing hidden in a request became a request",
  );
  t.same(server.failures, []);
});

t.test("20,000 mutated requests neither end the process nor leave a connection open", async (t) => {
  const server = await startRecordingServer();
  t.teardown(server.close);
  const random = mulberry32(0x9a55);
  const corpus = rawRequests.map(({ bytes }) =>
    Buffer.from(typeof bytes === "string" ? bytes : bytes.join(""), "latin1"),
  );
  let left = 20_000;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      const bytes = mutate(corpus, random);
      const replies = statusesOf(await sendAndFinish(server.port, bytes)).filter((status) => status !== 100);
      if (replies.length > 1)
        t.fail("more than one reply to bytes that came at once", { bytes: bytes.toString("latin1") });
    }
  };
  await Promise.all(Array.from({ length: 32 }, worker));
  t.same(server.failures, []);
  t.ok(server.seen.length > 1000, "many of them reached the handler");
  const before = server.seen.length;
  const response = await fetch(`http://127.0.0.1:${server.port}/normal`);
  t.equal(response.status, 200, "a normal request still works");
  t.equal(await response.text(), "answered\n");
  t.equal(server.seen.length, before + 1);
});

/** Sends bytes, reads the reply if any comes before the server is seen to have read them, then ends. */
async function sendAndFinish(port: number, bytes: Buffer): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  let received = "";
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  const closed = once(socket, "close");
  await once(socket, "connect");
  socket.write(bytes);
  for (let turns = 0; turns < 4; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  socket.end();
  await closed;
  return received;
}

const spices = [
  "\r\n",
  "\n",
  "\r",
  "\0",
  " ",
  "\t",
  ":",
  "0\r\n\r\n",
  "Content-Length: 7\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Host: b\r\n",
  "ffffffffffffffff\r\n",
  "GET / HTTP/1.1\r\n",
  "\xff",
  "%00",
  "%",
].map((spice) => Buffer.from(spice, "latin1"));

function mutate(corpus: readonly Buffer[], random: () => number): Buffer {
  const pick = (size: number) => Math.floor(random() * size);
  const any = (list: readonly Buffer[]) => list[pick(list.length)] ?? Buffer.alloc(0);
  let bytes = Buffer.from(any(corpus));
  for (let count = pick(5); count > 0; count -= 1) {
    const at = pick(bytes.length + 1);
    const until = Math.min(bytes.length, at + pick(20));
    const before = bytes.subarray(0, at);
    switch (pick(5)) {
      case 0:
        if (at < bytes.length) bytes[at] = pick(256);
        break;
      case 1:
        bytes = Buffer.concat([before, any(spices), bytes.subarray(at)]);
        break;
      case 2:
        bytes = Buffer.concat([before, bytes.subarray(until)]);
        break;
      case 3:
        bytes = Buffer.concat([bytes.subarray(0, until), bytes.subarray(at)]);
        break;
      case 4: {
        const other = any(corpus);
        bytes = Buffer.concat([before, other.subarray(pick(other.length + 1))]);
        break;
      }
    }
  }
  return bytes.subarray(0, 16_384); // one segment on the loopback interface
}

/** A small seeded generator, so that a failure can be met again. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
