import { randomUUID } from "node:crypto";
import t from "tap";
import { deletions, orphans } from "../../../src/domain/doctor/leftover-checks.ts";
import { createOrphans } from "../../../src/redis/doctor/orphans.ts";
import { openExamined } from "../../support/examination.ts";
import { keysOf } from "../../support/store.ts";

type Examined = Awaited<ReturnType<typeof openExamined>>;

/** Keys of a tenant that has no record. */
async function leave({ connection, keys }: Examined, tenantId: string = randomUUID()): Promise<string> {
  await connection.set(keys.event(tenantId, randomUUID()), "{}");
  await connection.zadd(keys.passes(tenantId), 1, randomUUID());
  return tenantId;
}

/** The record of a finished deletion. */
async function tellDeletion(examined: Examined, tenantId: string): Promise<void> {
  await examined.audit.append({
    ...{ who: "somebody", action: "tenants.delete", tenant_id: tenantId, result: "done", details: {} },
    target: { type: "tenant", id: tenantId },
  });
}

t.test("a deletion that was left unfinished is told with the command that ends it", async (t) => {
  const examined = await openExamined(t);
  await examined.addTenant();
  t.match(await deletions.look(examined), [{ status: "ok" }]);
  const { id } = await examined.addTenant("deleting");
  t.match(await deletions.look(examined), [{ status: "warning", remedy: `passwright tenants delete ${id}` }]);
});

t.test("keys that have their tenant are well", async (t) => {
  const examined = await openExamined(t);
  const { id } = await examined.addTenant();
  await leave(examined, id);
  t.match(await orphans.look(examined), [{ status: "ok", message: /^5 keys looked at/ }]);
});

t.test("what a deletion left behind is removed, what a lost record left is not touched", async (t) => {
  const examined = await openExamined(t);
  const { id: alive } = await examined.addTenant();
  await leave(examined, alive);
  const lost = await leave(examined);
  const deleted = await leave(examined);
  await tellDeletion(examined, deleted);
  const found = await orphans.look(examined);
  t.equal(found.length, 2);
  const ofLost = found.find(({ message }) => message.includes(lost));
  t.match(ofLost, {
    status: "failed",
    message: /^2 keys/,
    remedy: /restore it from a backup/,
    fix: undefined,
  });
  const ofDeleted = found.find(({ message }) => message.includes(deleted));
  t.match(ofDeleted, { status: "warning", remedy: /--deep --fix/ });

  const before = await keysOf(examined);
  t.match(await ofDeleted?.fix?.apply(), /^2 keys/);
  t.strictSame(
    await keysOf(examined),
    before.filter((key) => !key.includes(deleted)),
  );
  t.match(await orphans.look(examined), [{ status: "failed", message: lost }]);
});

t.test("keys of partitions that there are not are told", async (t) => {
  const examined = await openExamined(t);
  await examined.connection.set(`${examined.keys.prefix}:{p20}:open`, "");
  t.match(await orphans.look(examined), [{ status: "failed", message: /^1 key in partitions/ }]);
});

t.test("a look that had to end before the last key says so", async (t) => {
  const examined = await openExamined(t);
  const { id } = await examined.addTenant();
  for (let i = 0; i < 30; i++) await leave(examined, id);
  const hurried = createOrphans(examined, { mostKeys: 1, stepSize: 1 });
  t.match(await orphans.look({ ...examined, orphans: hurried }), [
    { status: "warning", message: /^Only \d+ keys were looked at/ },
  ]);
});
