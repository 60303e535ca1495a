import t from "tap";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

t.test("webhooks are listed newest first, page by page, and only to their tenant", async (t) => {
  const store = await openStore(t);
  const at = openSubscriber(store);
  const stranger = openSubscriber(store);
  await stranger.subscribe();
  const made = [];
  for (let i = 0; i < 5; i++) {
    made.unshift(await at.subscribe());
    store.clock.forward(1);
  }
  const list = (page: number, pageSize: number) => at.webhooks.list(at.tenantId, { page, pageSize });
  t.strictSame(await list(1, 2), { items: made.slice(0, 2), total: 5 });
  t.strictSame(await list(3, 2), { items: made.slice(4), total: 5 });
  t.strictSame(await list(4, 2), { items: [], total: 5 });
  t.equal((await stranger.webhooks.list(stranger.tenantId, { page: 1, pageSize: 10 })).total, 1);
});
