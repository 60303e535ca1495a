import type { Test } from "tap";
import { faultyPaths } from "../support/requests.ts";
import { instant, uuidV7 } from "../support/shapes.ts";
import type { Surroundings } from "./surroundings.ts";

const types = [
  "pass.created",
  "pass.updated",
  "pass.revoked",
  "message.sent",
  "job.completed",
  "job.failed",
  "batch.completed",
];

export async function registration(t: Test, { collector, baseUrl }: Surroundings) {
  // An address, not a name: nothing is looked up, and nothing is ever sent there.
  const good = { url: "https://1.1.1.1/passes?x=1", events: types, secret: "correct horse battery" };
  const register = (changes: object) => collector.post("/api/v1/webhooks", { ...good, ...changes });

  t.test("201, with the first four characters of the secret and never more", async (t) => {
    const reply = await register({});
    t.equal(reply.status, 201, reply.text);
    t.strictSame(Object.keys(reply.json).sort(), [
      "created_at",
      "events",
      "id",
      "is_active",
      "secret_prefix",
      "url",
    ]);
    t.match(reply.json, {
      id: uuidV7,
      url: good.url,
      is_active: true,
      secret_prefix: "corr",
      created_at: instant,
    });
    t.strictSame([...reply.json.events].sort(), [...types].sort());
    t.notOk(reply.text.includes("correct"));
    t.equal(new URL(reply.headers.location ?? "", baseUrl).pathname, `/api/v1/webhooks/${reply.json.id}`);
  });

  t.test("each member must be there, and be what it should", async (t) => {
    const wrong: Record<string, unknown[]> = {
      url: [undefined, null, 1, "", [], "hooks.example", "/passes", "https://", "https:// /", "https://a b/"],
      events: [undefined, null, "pass.created", [], {}],
      secret: [undefined, null, 12345678, "", "seven..", "x".repeat(256), "\u{1f3ab}".repeat(7)],
    };
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) {
        const reply = await register({ [name]: value });
        t.equal(reply.status, 400, `${name} is ${JSON.stringify(value)}`);
        t.match(reply.json, { error: "invalid_request" });
        t.strictSame([...new Set(faultyPaths(reply))], [`/${name}`], `${name} is ${JSON.stringify(value)}`);
      }
    }
    for (const secret of ["8 chars.", "x".repeat(255), "\u{1f3ab}".repeat(255)]) {
      const reply = await register({ secret });
      t.equal(reply.status, 201, reply.text);
      t.equal(reply.json.secret_prefix, [...secret].slice(0, 4).join(""));
    }
  });

  t.test("events are of the seven types, each at most once", async (t) => {
    for (const events of [
      ["pass.deleted"],
      ["pass.activated"],
      ["PASS.CREATED"],
      ["*"],
      [1],
      [null],
      ["pass.created", "pass.created"],
      [...types, "pass.viewed"],
    ]) {
      const reply = await register({ events });
      t.equal(reply.status, 400, JSON.stringify(events));
      for (const path of faultyPaths(reply)) t.match(path, /^\/events(\/\d+)?$/);
      t.ok(faultyPaths(reply).length > 0);
    }
  });

  t.test("every fault is named", async (t) => {
    const reply = await collector.post("/api/v1/webhooks", {
      url: "http://x.example/",
      events: [],
      id: "mine",
    });
    t.strictSame([...new Set(faultyPaths(reply))], ["/events", "/id", "/secret", "/url"]);
  });

  t.test("fifty are enough for a tenant, however fast they come", async (t) => {
    // Four were registered above.
    const replies = await Promise.all(Array.from({ length: 55 }, () => register({})));
    const statuses = replies.map(({ status }) => status).sort();
    t.strictSame(statuses, [...Array(46).fill(201), ...Array(9).fill(409)]);
    const late = await register({});
    t.equal(late.status, 409);
    t.match(late.json, { error: "too_many_webhooks", trace_id: String });
  });
}
