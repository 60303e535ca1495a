import type { Test } from "tap";
import { patch, remove } from "../support/changes.ts";
import { judgeError, judgeFaults, judgeList, judgeWebhook } from "../support/judgements.ts";
import { eventTypes } from "../support/shapes.ts";
import { good, path, type Surroundings } from "./surroundings.ts";

export async function records(t: Test, { keeper, collector, client }: Surroundings) {
  const register = (changes: object = {}) => keeper.post(path, { ...good, ...changes });

  t.test("201 with Location, the first four characters of the secret, and never the rest", async (t) => {
    for (const secret of ["12345678", "\u{1f3ab}\u{1f3ab}\u{1f3ab}\u{1f3ab}5678", "x".repeat(255)]) {
      const reply = await register({ secret, events: eventTypes });
      t.equal(reply.status, 201, reply.text);
      judgeWebhook(t, reply.json);
      t.strictSame([...reply.json.events].sort(), [...eventTypes].sort());
      t.match(reply.json, { url: good.url, is_active: true });
      t.equal(reply.json.secret_prefix, [...secret].slice(0, 4).join(""));
      t.notOk(reply.text.includes(secret));
      const at = new URL(reply.headers.location ?? "", "http://x").pathname;
      t.equal(at, `${path}/${reply.json.id}`);
      t.strictSame((await keeper.get(at)).json, reply.json, "read as it was registered");
      const list = await keeper.get(path);
      judgeList(t, list, judgeWebhook);
      t.strictSame(list.json.data[0], reply.json, "newest first");
    }
  });

  t.test("what is wrong with a registration is named, all of it", async (t) => {
    const cases: [changes: object, ...paths: string[]][] = [
      [{ url: undefined, events: undefined, secret: undefined }, "/events", "/secret", "/url"],
      [{ url: 1, events: "pass.created", secret: null }, "/events", "/secret", "/url"],
      [{ secret: "seven77" }, "/secret"],
      [{ secret: "\u{1f3ab}".repeat(7) }, "/secret"],
      [{ secret: "x".repeat(256) }, "/secret"],
      [{ events: [] }, "/events"],
      [{ events: ["pass.created", "pass.created"] }, "/events"],
      [{ events: ["pass.created", "pass.viewed"] }, "/events/1"],
      [{ is_active: false }, "/is_active"],
      [{ url: "http://example.com/", secret: "short" }, "/secret", "/url"],
    ];
    for (const [changes, ...paths] of cases) {
      judgeFaults(t, await register(changes), paths, JSON.stringify(changes).slice(0, 60));
    }
  });

  t.test(
    "PATCH changes each member alone and all together, and its answer is what is read then",
    async (t) => {
      const { json } = await register();
      const at = `${path}/${json.id}`;
      const changes: [change: object, shown: object][] = [
        [{ url: "https://8.8.8.8/other" }, { url: "https://8.8.8.8/other" }],
        [{ events: ["message.sent", "job.failed"] }, { events: ["message.sent", "job.failed"] }],
        [{ secret: "another secret" }, { secret_prefix: "anot" }],
        [{ is_active: false }, { is_active: false }],
        [{ is_active: true, ...good }, { ...json }],
        [{}, {}],
      ];
      let expected = json;
      for (const [change, shown] of changes) {
        const reply = await patch(keeper, at, change);
        t.equal(reply.status, 200, reply.text);
        judgeWebhook(t, reply.json);
        expected = { ...expected, ...shown };
        t.strictSame(
          { ...reply.json, events: [...reply.json.events].sort() },
          { ...expected, events: [...expected.events].sort() },
        );
        t.strictSame((await keeper.get(at)).json, reply.json);
      }
    },
  );

  t.test("PATCH knows the rules of registration", async (t) => {
    const { json } = await register();
    const at = `${path}/${json.id}`;
    const cases: [body: object, ...paths: string[]][] = [
      [{ url: "http://example.com/" }, "/url"],
      [{ url: "https://a:b@example.com/" }, "/url"],
      [
        { url: null, secret: "short", events: ["nope"], is_active: "yes" },
        "/events/0",
        "/is_active",
        "/secret",
        "/url",
      ],
      [{ id: json.id }, "/id"],
      [{ secret_prefix: "abcd" }, "/secret_prefix"],
    ];
    for (const [body, ...paths] of cases) {
      judgeFaults(t, await patch(keeper, at, body), paths, JSON.stringify(body));
    }
    t.strictSame((await keeper.get(at)).json, json);
  });

  t.test("DELETE is 204 without a body, and then there is nothing any more", async (t) => {
    const { json } = await register();
    const at = `${path}/${json.id}`;
    const gone = await remove(keeper, at);
    t.equal(gone.status, 204);
    t.equal(gone.text, "");
    t.equal(gone.headers["content-type"], undefined);
    for (const reply of [
      await keeper.get(at),
      await keeper.get(`${at}/deliveries`),
      await patch(keeper, at, { is_active: false }),
      await remove(keeper, at),
    ]) {
      judgeError(t, reply, 404, "not_found");
    }
    const list = await keeper.get(`${path}?page_size=100`);
    t.notOk(list.json.data.some(({ id }: { id: string }) => id === json.id));
  });

  t.test("another tenant's webhook, and what is none, is 404", async (t) => {
    const { json } = await register();
    for (const id of [json.id, crypto.randomUUID(), "1"]) {
      const at = `${path}/${id}`;
      judgeError(t, await client.get(at), 404, "not_found");
      judgeError(t, await client.get(`${at}/deliveries`), 404, "not_found");
      judgeError(t, await patch(client, at, { is_active: false }), 404, "not_found");
      judgeError(t, await remove(client, at), 404, "not_found");
    }
    judgeFaults(
      t,
      await patch(client, `${path}/${json.id}`, { is_active: 1 }),
      ["/is_active"],
      "the body first",
    );
    t.equal((await keeper.get(`${path}/${json.id}`)).json.is_active, true);
  });

  t.test("a tenant has at most fifty; one that is deleted makes room", async (t) => {
    const replies = await Promise.all(Array.from({ length: 52 }, () => collector.post(path, good)));
    const made = replies.filter(({ status }) => status === 201);
    t.equal(made.length, 50);
    for (const reply of replies) {
      if (reply.status !== 201) judgeError(t, reply, 409, "too_many_webhooks");
    }
    t.equal((await collector.get(path)).json.total, 50);
    judgeFaults(t, await collector.post(path, { ...good, events: [] }), ["/events"]);
    t.equal((await remove(collector, `${path}/${made[0]?.json.id}`)).status, 204);
    t.equal((await collector.post(path, good)).status, 201);
    judgeError(t, await collector.post(path, good), 409, "too_many_webhooks");
  });
}
