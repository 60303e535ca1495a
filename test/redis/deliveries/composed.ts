import t, { type Test } from "tap";
import { type ComposeResource, composeFrom } from "../../../src/domain/webhooks/compose.ts";
import { addEvent, openOutbox } from "../../support/outbox.ts";
import { openStore } from "../../support/store.ts";
import { openSubscriber } from "../../support/webhooks.ts";

const thirtyDays = 30 * 24 * 3600;

async function opened(t: Test) {
  const store = await openStore(t, { partitions: 1 });
  const at = openSubscriber(store);
  const webhook = await at.subscribe();
  const finished = (id = store.ids.uuid()) =>
    addEvent(store, { tenantId: at.tenantId, type: "job.completed", about: { kind: "job", id } });
  return {
    ...at,
    store,
    webhook,
    finished,
    waiting: () => store.connection.xlen(store.keys.outbox(0)),
    queued: () => store.connection.zcard(store.keys.ready(0, "webhooks")),
    async bodyOf(event: string): Promise<string | null> {
      const bytes = await at.deliveries.body(at.tenantId, event);
      return bytes && Buffer.from(bytes).toString();
    },
  };
}

/** What a job's GET would show. */
const compose: ComposeResource = async (_tenantId, kind, id) => JSON.stringify({ id, kind, name: "Zoë" });

t.test("an event about a job is sent with the job as its GET shows it", async (t) => {
  const at = await opened(t);
  const firedAt = at.store.clock.nowMs();
  const job = at.store.ids.uuid();
  const event = await at.finished(job);
  at.store.clock.forward(5000);
  const asked: string[][] = [];
  const outbox = openOutbox(at.store, {
    compose: (...facts) => {
      asked.push(facts);
      return compose(...facts);
    },
  });
  t.equal(await outbox.fanOut(10), 1);
  t.strictSame(asked, [[at.tenantId, "job", job]]);
  t.equal(
    await at.bodyOf(event),
    JSON.stringify({
      id: event,
      type: "job.completed",
      created_at: new Date(firedAt).toISOString(),
      tenant_id: at.tenantId,
      data: { id: job, kind: "job", name: "Zoë" },
    }),
  );
  const seconds = await at.store.connection.ttl(at.store.keys.event(at.tenantId, event));
  t.ok(seconds > thirtyDays - 10 && seconds <= thirtyDays);
  t.match(await at.history(at.webhook), [
    { eventId: event, eventType: "job.completed", status: "pending", createdAtMs: firedAt + 5000 },
  ]);
  t.strictSame([await at.waiting(), await at.queued()], [0, 1]);
});

t.test("of workers that fan out at the same time one has an event sent, and once", async (t) => {
  const at = await opened(t);
  const second = await at.subscribe();
  const events = new Set(await Promise.all(Array.from({ length: 60 }, () => at.finished())));
  const rounds = await Promise.all(
    [at.store, await at.store.another(), await at.store.another()].map(async (through) => {
      const outbox = openOutbox(at.store, { through, compose });
      let sum = 0;
      for (let idle = 0; idle < 2; ) {
        const events = await outbox.fanOut(7);
        idle = events === 0 ? idle + 1 : 0;
        sum += events;
      }
      return sum;
    }),
  );
  t.equal(
    rounds.reduce((a, b) => a + b, 0),
    60,
  );
  for (const webhook of [at.webhook, second]) {
    const history = await at.history(webhook);
    t.strictSame(new Set(history.map(({ eventId }) => eventId)), events);
    t.equal(history.length, 60);
  }
  t.strictSame([await at.waiting(), await at.queued()], [0, 120]);
});

t.test("a worker that ends while it makes the body leaves the event to the next", async (t) => {
  const at = await opened(t);
  const event = await at.finished();
  const dying = openOutbox(at.store, {
    compose: async () => {
      throw new Error("the process ends here");
    },
  });
  await t.rejects(dying.fanOut(10), /the process ends here/);
  t.strictSame([await at.waiting(), await at.queued(), await at.bodyOf(event)], [1, 0, null]);
  t.equal(await openOutbox(at.store, { compose }).fanOut(10), 1);
  t.equal((await at.history(at.webhook)).length, 1);
});

t.test("a body that was made too late changes nothing of what another worker has sent", async (t) => {
  const at = await opened(t);
  const event = await at.finished();
  const slow = openOutbox(at.store, {
    compose: async (...facts) => {
      await openOutbox(at.store, { compose }).fanOut(10);
      return (await compose(...facts))?.replace("Zoë", "late") ?? null;
    },
  });
  t.equal(await slow.fanOut(10), 0);
  t.match(await at.bodyOf(event), /Zoë/);
  t.equal(await at.queued(), 1);
});

t.test("an event whose body cannot be made does not hold up the others", async (t) => {
  const at = await opened(t);
  const broken = at.store.ids.uuid();
  await at.finished(broken);
  const created = await addEvent(at.store, { tenantId: at.tenantId, type: "pass.created" });
  const fine = await at.finished();
  const outbox = openOutbox(at.store, {
    compose: async (tenantId, kind, id) => {
      if (id === broken) throw new Error("unreadable");
      return compose(tenantId, kind, id);
    },
  });
  await t.rejects(outbox.fanOut(10), /unreadable/);
  t.strictSame(
    new Set((await at.history(at.webhook)).map(({ eventId }) => eventId)),
    new Set([created, fine]),
  );
  t.equal(await at.waiting(), 1);
});

t.test("nor do as many as are taken at a time", async (t) => {
  const at = await opened(t);
  for (let i = 0; i < 10; i += 1) await at.finished();
  const created: string[] = [];
  for (let i = 0; i < 30; i += 1) {
    created.push(await addEvent(at.store, { tenantId: at.tenantId, type: "pass.created" }));
  }
  await t.rejects(openOutbox(at.store).fanOut(10), /about a job/);
  t.strictSame((await at.history(at.webhook)).map(({ eventId }) => eventId).sort(), created.sort());
  t.equal(await at.waiting(), 10);
});

t.test("an event about something that is gone is dropped", async (t) => {
  const at = await opened(t);
  const event = await at.finished();
  t.equal(await openOutbox(at.store, { compose: async () => null }).fanOut(10), 1);
  t.strictSame([await at.waiting(), await at.queued(), await at.bodyOf(event)], [0, 0, null]);
});

t.test("of an event that nobody hears no body is made", async (t) => {
  const at = await opened(t);
  await at.change(at.webhook, { events: ["pass.created"] });
  await at.finished();
  // Without a reader for jobs this would reject.
  t.equal(await openOutbox(at.store).fanOut(10), 1);
  t.strictSame([await at.waiting(), await at.queued()], [0, 0]);
});

t.test("a kind that a worker does not know waits for one that does", async (t) => {
  const at = await opened(t);
  await at.finished();
  const job = async (_tenantId: string, id: string) => ({ id, name: "job" });
  for (const kind of ["batch", "toString"]) {
    await t.rejects(composeFrom({ job })(at.tenantId, kind, "1"), new RegExp(`about a ${kind}`));
  }
  await t.rejects(openOutbox(at.store).fanOut(10), /about a job/);
  t.equal(await openOutbox(at.store, { compose: composeFrom({ job }) }).fanOut(10), 1);
  t.match(
    await at.bodyOf((await at.history(at.webhook))[0]?.eventId ?? ""),
    /"data":\{"id":"[^"]+","name":"job"\}\}$/,
  );
});
