import { randomUUID } from "node:crypto";
import t from "tap";
import { packId, packIds, unpackIds } from "../../src/redis/packed-ids.ts";

t.test("two ids come back from 44 characters, the first of which are the tenant's", async (t) => {
  for (const [tenantId, id] of [
    [randomUUID(), randomUUID()],
    ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
  ] as const) {
    const packed = packIds(tenantId, id);
    t.equal(packed.length, 44);
    t.ok(packed.startsWith(packId(tenantId)));
    t.strictSame(unpackIds(packed), [tenantId, id]);
  }
});
