import t from "tap";
import { createEventStore } from "../../../src/redis/events.ts";
import { keysOf, openStore } from "../../support/store.ts";

const store = await openStore(t);
const { ids, keys, connection, clock } = store;
const events = createEventStore(store);

t.test("a view is an event of its pass", async (t) => {
  const [tenantId, passId, templateId, eventId] = [ids.uuid(), ids.uuid(), ids.uuid(), ids.uuid()];
  await connection.hset(keys.pass(tenantId, passId), "status", "active");
  await events.recordView({ tenantId, passId, templateId, eventId, atMs: clock.nowMs() });
  t.strictSame(await events.list(tenantId, { passId }, { page: 1, pageSize: 20 }), {
    items: [
      {
        id: eventId,
        type: "pass.viewed",
        passId,
        templateId,
        messageId: null,
        occurredAtMs: clock.nowMs(),
      },
    ],
    total: 1,
  });
});

t.test("a view of a pass that is gone leaves nothing behind", async (t) => {
  const view = { eventId: ids.uuid(), passId: ids.uuid(), templateId: ids.uuid(), atMs: clock.nowMs() };
  const before = await keysOf(store);
  await events.recordView({ ...view, tenantId: ids.uuid() });
  t.strictSame(await keysOf(store), before);
});
