import { randomBytes } from "node:crypto";
import t, { type Test } from "tap";
import type { Caller } from "../../src/domain/devices/device.ts";
import { updatePass } from "../../src/domain/passes/update.ts";
import { createDeviceStore } from "../../src/redis/devices.ts";
import { openIssuer, passOf } from "../support/issuer.ts";
import { openStore } from "../support/store.ts";
import { claimOf, completed, openQueue, settle } from "../support/work.ts";

const caller: Caller = { address: "192.0.2.7", userAgent: "passd/1.0" };

async function opened(t: Test) {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const { tenantId, templateId } = issuer;
  const devices = createDeviceStore(store);
  const queue = await openQueue(store);
  const nowMs = () => store.clock.nowMs();
  return {
    store,
    issuer,
    devices,
    nowMs,
    async newPass(): Promise<string> {
      const { id } = passOf(await issuer.create());
      for (const task of await claimOf(queue, issuer)) await settle(store, task, completed);
      return id;
    },
    /** Changes a pass, and answers the number of that change. */
    async change(passId: string): Promise<number> {
      const accepted = { workClass: "interactive", idempotency: null, traceId: "t" } as const;
      await updatePass(issuer, {
        tenantId,
        name: { passId },
        data: { points: randomBytes(3).toString("hex") },
        ...accepted,
      });
      for (const task of await claimOf(queue, issuer)) await settle(store, task, completed);
      return (await issuer.passes.find(tenantId, passId))?.change ?? 0;
    },
    register: (passId: string, deviceId: string, pushToken = `${deviceId}00`) =>
      devices.register(
        { tenantId, passId, deviceId, pushToken, templateId, eventId: store.ids.uuid() },
        nowMs(),
      ),
    unregister: (passId: string, deviceId: string) =>
      devices.unregister({ tenantId, passId, deviceId, templateId, eventId: store.ids.uuid() }, nowMs()),
    list: (deviceId: string, since: number | null = null) =>
      devices.changedSince({ tenantId, deviceId, since, caller }, nowMs()),
    page: (passId: string, cursor: string | null = null) => devices.page({ tenantId, passId }, cursor),
    events: () => store.connection.hmget(store.keys.events(tenantId), "pass.installed", "pass.uninstalled"),
    devicesKeys: () => store.connection.keys(`${store.keys.ofTenant(tenantId)}:device:*`),
  };
}

t.test("a device registers once, and an event says so once", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  t.equal(await at.register(passId, "aa"), "registered");
  t.equal(await at.register(passId, "aa"), "known");
  t.strictSame(await at.events(), ["1", null]);
  t.equal(await at.register(at.store.ids.uuid(), "aa"), "gone");
});

t.test(
  "without a tag all passes of a device are listed, and with one those that changed behind it",
  async (t) => {
    const at = await opened(t);
    const [first, second] = [await at.newPass(), await at.newPass()];
    for (const passId of [first, second]) await at.register(passId, "aa");
    const before = await at.list("aa");
    t.strictSame([...before.passIds].sort(), [first, second].sort());
    t.equal(before.tag, 0);
    t.strictSame((await at.list("aa", before.tag)).passIds, []);
    const change = await at.change(second);
    t.strictSame(await at.list("aa", before.tag), { passIds: [second], tag: change });
    t.strictSame((await at.list("aa", change)).passIds, []);
  },
);

t.test("every one of several changed passes is listed, not only the newest", async (t) => {
  const at = await opened(t);
  const passIds = [await at.newPass(), await at.newPass(), await at.newPass()];
  for (const passId of passIds) await at.register(passId, "aa");
  const changes: number[] = [];
  for (const passId of passIds) changes.push(await at.change(passId));
  t.strictSame(new Set(changes).size, 3, "no two bear the same number");
  const listed = await at.list("aa", 0);
  t.strictSame([...listed.passIds].sort(), [...passIds].sort());
  t.equal(listed.tag, Math.max(...changes));
});

t.test("a device that has no pass any more leaves nothing behind", async (t) => {
  const at = await opened(t);
  const [first, second] = [await at.newPass(), await at.newPass()];
  for (const passId of [first, second]) await at.register(passId, "aa");
  t.equal(await at.unregister(first, "aa"), true);
  t.equal(await at.unregister(first, "aa"), false);
  t.strictSame((await at.list("aa")).passIds, [second]);
  t.equal(await at.unregister(second, "aa"), true);
  t.strictSame(await at.devicesKeys(), []);
  t.strictSame(await at.events(), ["2", "2"]);
});

t.test("a page holds whom to push to, and what they know", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.register(passId, "aa", "0a");
  const { tenantId } = at.issuer;
  t.strictSame(await at.page(passId), {
    registrations: [{ deviceId: "aa", pushToken: "0a", toldOf: 0 }],
    cursor: null,
  });
  const answer = { outcome: "sent" } as const;
  await at.devices.told(
    { tenantId, passId, change: 7 },
    [{ deviceId: "aa", pushToken: "0a", answer }],
    at.nowMs(),
  );
  t.match((await at.page(passId)).registrations, [{ toldOf: 7 }]);
});

t.test("however many devices there are, each is on some page", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  const ids = Array.from({ length: 1500 }, (_, index) => `device-${index}`);
  await Promise.all(ids.map((id) => at.register(passId, id, "0a")));
  const seen = new Set<string>();
  let [cursor, pages]: [string | null, number] = [null, 0];
  do {
    const page = await at.page(passId, cursor);
    for (const { deviceId } of page.registrations) seen.add(deviceId);
    cursor = page.cursor;
    pages += 1;
  } while (cursor !== null);
  t.equal(seen.size, ids.length);
  t.ok(pages > 1, `${pages} pages`);
});

t.test("a token that is gone ends the registration, but not one that was made since", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.register(passId, "aa", "0a");
  const { tenantId } = at.issuer;
  const gone = (pushToken: string, sinceMs: number) =>
    at.devices.told(
      { tenantId, passId, change: 1 },
      [{ deviceId: "aa", pushToken, answer: { outcome: "gone", sinceMs } }],
      at.nowMs(),
    );
  await gone("0a", at.nowMs() - 1);
  t.equal((await at.page(passId)).registrations.length, 1, "it registered after that");
  await gone("0b", at.nowMs() + 1);
  t.equal((await at.page(passId)).registrations.length, 1, "it has another token by now");
  await gone("0a", at.nowMs() + 1);
  t.strictSame((await at.page(passId)).registrations, []);
});

t.test("it is known when a pass was pushed, listed and fetched", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.register(passId, "aa", "0a");
  const named = { tenantId: at.issuer.tenantId, passId };
  const nothing = { pushedAtMs: null, refusal: null, listedAtMs: null, fetchedAtMs: null };
  t.match((await at.devices.facts(named, 10)).devices, [nothing]);
  const refused = { outcome: "refused", reason: "BadDeviceToken" } as const;
  await at.devices.told(
    { ...named, change: 1 },
    [{ deviceId: "aa", pushToken: "0a", answer: refused }],
    1000,
  );
  await at.list("aa");
  await at.devices.fetched({ ...named, caller }, 2000);
  t.match(await at.devices.facts(named, 10), {
    total: 1,
    devices: [
      {
        deviceId: "aa",
        pushedAtMs: 1000,
        refusal: "BadDeviceToken",
        listedAtMs: at.nowMs(),
        fetchedAtMs: 2000,
      },
    ],
  });
});

t.test("a fetch from elsewhere is nobody's", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.register(passId, "aa", "0a");
  await at.list("aa");
  const named = { tenantId: at.issuer.tenantId, passId };
  await at.devices.fetched({ ...named, caller: { ...caller, address: "192.0.2.8" } }, 2000);
  t.match((await at.devices.facts(named, 10)).devices, [{ fetchedAtMs: null }]);
});

t.test("who registers soon after a change is told of it, once, if it has not asked by itself", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.register(passId, "early");
  const change = await at.change(passId);
  for (const deviceId of ["late one", "asks", "leaves"]) await at.register(passId, deviceId);
  await at.list("asks");
  await at.unregister(passId, "leaves");
  const { tenantId } = at.issuer;
  const { latecomers } = await at.devices.takeLatecomers(at.nowMs());
  const late = { tenantId, passId, deviceId: "late one", pushToken: "late one00", change };
  t.strictSame(latecomers, [late]);
  t.strictSame((await at.devices.takeLatecomers(at.nowMs())).latecomers, [], "somebody tells it");
  at.store.clock.forward(31_000);
  t.strictSame((await at.devices.takeLatecomers(at.nowMs())).latecomers, [late], "and died over it");
  const answer = { outcome: "sent" } as const;
  await at.devices.told({ tenantId, passId, change }, [{ ...late, answer }], at.nowMs());
  at.store.clock.forward(31_000);
  t.strictSame((await at.devices.takeLatecomers(at.nowMs())).latecomers, []);
  const { connection, keys } = at.store;
  t.equal(await connection.exists(keys.latecomers(at.issuer.partition)), 0, "nothing is left behind");
});

t.test("a pass as it was made, or that changed long ago, makes nobody a latecomer", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.register(passId, "aa");
  await at.change(passId);
  t.equal(await at.register(passId, "aa"), "known");
  at.store.clock.forward(601_000);
  await at.register(passId, "bb");
  t.strictSame(await at.devices.takeLatecomers(at.nowMs()), { latecomers: [], hasMore: false });
});

t.test("a latecomer that cannot be told is given up in the end", async (t) => {
  const at = await opened(t);
  const passId = await at.newPass();
  await at.change(passId);
  await at.register(passId, "aa");
  at.store.clock.forward(599_000);
  t.equal((await at.devices.takeLatecomers(at.nowMs())).latecomers.length, 1);
  at.store.clock.forward(31_000);
  t.strictSame((await at.devices.takeLatecomers(at.nowMs())).latecomers, []);
});
