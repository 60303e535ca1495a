import { randomBytes } from "node:crypto";
import t from "tap";
import { fromPieces, inPieces } from "../../src/redis/long-values.ts";
import { openStore } from "../support/store.ts";

t.test("a value of any length comes back as it was, also over a longer one", async (t) => {
  const store = await openStore(t);
  const key = store.keys.pass("t", "p");
  for (const length of [5000, 2049, 2048, 2047, 129, 128, 127, 65, 64, 63, 1, 0]) {
    const value = randomBytes(length);
    await store.connection.hset(key, ...inPieces("data", value));
    const hash = await store.connection.hgetallBuffer(key);
    t.strictSame(fromPieces(hash, "data"), value, `${length} bytes`);
  }
  t.equal(fromPieces(await store.connection.hgetallBuffer(key), "other"), undefined);
});

t.test("text is cut between bytes and comes back whole", async (t) => {
  const text = "Zoë 🎟 ".repeat(30);
  const fields = inPieces("data", text);
  const hash: Record<string, Buffer> = {};
  for (let i = 0; i < fields.length; i += 2) hash[String(fields[i])] = Buffer.from(fields[i + 1] ?? "");
  t.equal(fromPieces(hash, "data")?.toString(), text);
});

t.test("a hash with long values stays one run of bytes", async (t) => {
  const store = await openStore(t);
  const key = store.keys.pass("t", "p");
  await store.connection.hset(
    key,
    ...inPieces("link", randomBytes(700)),
    ...inPieces("data", "x".repeat(400)),
  );
  t.equal(await store.connection.object("ENCODING", key), "listpack");
  await store.connection.hset(key, "whole", "x".repeat(65));
  t.equal(await store.connection.object("ENCODING", key), "hashtable", "which is what pieces are for");
});
