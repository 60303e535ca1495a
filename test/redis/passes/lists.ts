import t from "tap";
import { updatePass } from "../../../src/domain/passes/update.ts";
import { createPassStore } from "../../../src/redis/passes.ts";
import { openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, completed, openQueue, settle } from "../../support/work.ts";

const store = await openStore(t);

t.test("passes are listed newest first, page by page", async (t) => {
  const issuer = await openIssuer(store);
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.unshift(passOf(await issuer.create({ externalRef: `member-${i}` })).id);
    if (i % 2 === 1) store.clock.forward(1000);
  }
  const page = async (page: number) => {
    const { items, total } = await issuer.passes.list(issuer.tenantId, {}, { page, pageSize: 2 });
    return [items.map(({ id }) => id), total];
  };
  t.strictSame(await page(1), [ids.slice(0, 2), 5], "those of one millisecond in the order of making, too");
  t.strictSame(await page(3), [ids.slice(4), 5]);
  t.strictSame(await page(4), [[], 5]);
});

t.test("passes are listed by status, by external_ref, and by both", async (t) => {
  const issuer = await openIssuer(store, { wallets: ["apple"] });
  const { id } = passOf(await issuer.create({ externalRef: "first" }));
  const queue = await openQueue(store);
  for (const task of await claimOf(queue, issuer)) await settle(store, task, completed);
  const other = passOf(await issuer.create({ externalRef: "second" }));
  const list = async (filter: Parameters<typeof issuer.passes.list>[1], page = 1) => {
    const { items, total } = await issuer.passes.list(issuer.tenantId, filter, { page, pageSize: 10 });
    t.equal(page === 1 ? total : items.length, items.length);
    return items.map((pass) => pass.id);
  };
  t.strictSame(await list({ status: "active" }), [id]);
  t.strictSame(await list({ status: "pending" }), [other.id]);
  t.strictSame(await list({ status: "revoked" }), []);
  t.strictSame(await list({ externalRef: "first" }), [id]);
  t.strictSame(await list({ externalRef: "first" }, 2), []);
  t.strictSame(await list({ externalRef: "nobody" }), []);
  t.strictSame(await list({ externalRef: "first", status: "active" }), [id]);
  t.strictSame(await list({ externalRef: "first", status: "pending" }), []);
});

t.test("one tenant's passes are not in another's lists, nor found by its id", async (t) => {
  const [one, two] = [await openIssuer(store), await openIssuer(store)];
  const { id } = passOf(await one.create({ externalRef: "mine" }));
  t.equal((await two.passes.list(two.tenantId, {}, { page: 1, pageSize: 10 })).total, 0);
  t.equal((await two.passes.list(two.tenantId, { externalRef: "mine" }, { page: 1, pageSize: 10 })).total, 0);
  t.equal(await two.passes.find(two.tenantId, id), null);
  t.equal(await two.passes.findByPageToken("nobodys-token"), null);
});

t.test("each version is listed once, also when an update comes while they are read", async (t) => {
  const issuer = await openIssuer(store);
  const { id } = passOf(await issuer.create());
  const update = () =>
    updatePass(issuer, {
      ...{ tenantId: issuer.tenantId, name: { passId: id }, data: {}, idempotency: null },
      ...{ workClass: "interactive", traceId: "4bf92f3577b34da6a3ce929d0e0e4736" },
    });
  await update();
  await update();
  let updates = 0;
  const connection = new Proxy(store.connection, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      if (name !== "lrange") return value.bind(target);
      return async (...args: unknown[]) => {
        await update();
        updates += 1;
        return value.apply(target, args);
      };
    },
  });
  const passes = createPassStore({ ...store, connection });
  const page = async (page: number, pageSize: number) => {
    const found = await passes.versions(issuer.tenantId, id, { page, pageSize });
    return [found?.items.map(({ version }) => version), found?.total];
  };
  t.strictSame(await page(1, 20), [[3, 2, 1], 3]);
  t.strictSame(await page(1, 2), [[4, 3], 4]);
  t.strictSame(await page(2, 2), [[3, 2], 5]);
  t.strictSame(await page(3, 2), [[2, 1], 6]);
  t.equal(updates, 4);
  t.strictSame(await page(1, 1), [[7], 7], "which takes no look at those before");
  t.strictSame(await page(8, 1), [[], 7]);
});
