import { Repository, Schema, type SchemaDefinition } from "redis-om";
import t from "tap";
import { createRecords } from "../../src/redis/records.ts";
import { openStore } from "../support/store.ts";

const definition = {
  id: { type: "string" },
  note: { type: "string" },
  count: { type: "number" },
  on: { type: "boolean" },
  off: { type: "boolean" },
  wallets: { type: "string[]" },
} as const satisfies SchemaDefinition;

const record = {
  id: "1",
  note: "a|b «ü» 42",
  count: -1.5,
  on: true,
  off: false,
  wallets: ["apple", "google"],
};

t.test("a record is read as redis-om reads it", async (t) => {
  const { connection, keys } = await openStore(t);
  const prefix = `${keys.prefix}:note`;
  const records = createRecords<typeof record>(connection, prefix, definition, "id");
  const redisOm = new Repository(new Schema(prefix, definition, { dataStructure: "HASH" }), {
    hGetAll: (key: string) => connection.hgetall(key),
  } as unknown as ConstructorParameters<typeof Repository>[1]);
  const write = (key: string, written: Partial<typeof record>) =>
    records.write(key, written as typeof record, (fields) =>
      connection.hset(key, { ...fields, another: "stays text" }),
    );

  for (const [id, written] of Object.entries({ "1": record, "2": { id: "2" } })) {
    const key = `${prefix}:${id}`;
    await write(key, written);
    const read = await records.read(key);
    t.match(read, { ...written, another: "stays text" });
    // Besides the symbols that redis-om adds.
    t.strictSame(read, Object.fromEntries(Object.entries(await redisOm.fetch(id))));
  }
});

t.test("a record that is not there is null", async (t) => {
  const { connection, keys } = await openStore(t);
  const records = createRecords<typeof record>(connection, keys.prefix, definition, "id");
  t.equal(await records.read(`${keys.prefix}:3`), null);
});
