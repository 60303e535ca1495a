import type { Test } from "tap";
import { judgeError, judgeEvent, judgeFaults, judgeList } from "../support/judgements.ts";
import { issuePass } from "../support/passes.ts";
import { type Event, eventsOf, type Surroundings } from "./surroundings.ts";

const path = "/api/v1/analytics/events";

export async function filters(t: Test, { client, unlucky, loyaltyCard }: Surroundings) {
  const passIds: string[] = [];
  for (let n = 0; n < 3; n++) passIds.push((await issuePass(client, loyaltyCard())).json.id);
  const all = await eventsOf(client);

  t.test("events are listed newest first, each once", async (t) => {
    const list = await client.get(`${path}?page_size=100`);
    judgeList(t, list, judgeEvent);
    t.equal(list.json.total, all.length);
    const times = all.map(({ occurred_at }) => occurred_at);
    t.strictSame(times, [...times].sort().reverse());
    t.equal(new Set(all.map(({ id }) => id)).size, all.length);
    const pages = [];
    for (let page = 1; (page - 1) * 4 < all.length; page++) {
      pages.push(...(await client.get(`${path}?page=${page}&page_size=4`)).json.data);
    }
    t.strictSame(pages, all);
  });

  t.test("each filter, and all of them together, choose what the whole list says", async (t) => {
    const [first, middle] = [all.at(-1), all[Math.floor(all.length / 2)]];
    if (first === undefined || middle === undefined) throw new Error("there are events");
    const from = middle.occurred_at;
    const types = [undefined, "pass.created", "pass.activated", "job.completed", "batch.completed"];
    const ids = [undefined, ...passIds, crypto.randomUUID()];
    const spans = [{}, { from }, { to: from }, { from: first.occurred_at, to: from }, { from, to: from }];
    for (const event_type of types) {
      for (const pass_id of ids) {
        for (const span of spans) {
          const expected = all.filter(
            (event: Event) =>
              (event_type === undefined || event.event_type === event_type) &&
              (pass_id === undefined || event.pass_id === pass_id) &&
              (!("from" in span) || event.occurred_at >= span.from) &&
              (!("to" in span) || event.occurred_at < span.to),
          );
          const onEdge = all.filter(
            (event: Event) =>
              "to" in span &&
              event.occurred_at === span.to &&
              (event_type === undefined || event.event_type === event_type) &&
              (pass_id === undefined || event.pass_id === pass_id),
          );
          const query = { ...(event_type && { event_type }), ...(pass_id && { pass_id }), ...span };
          const found = await eventsOf(client, query);
          // Whether the end belongs to the span is not said; everything before it does.
          const inside = found.filter(({ id }) => !onEdge.some((edge) => edge.id === id));
          const wanted = expected.filter(({ id }) => !onEdge.some((edge) => edge.id === id));
          t.strictSame(inside, wanted, JSON.stringify(query));
        }
      }
    }
  });

  t.test("every type that there is can be asked for, and no other", async (t) => {
    const types = [
      ...["pass.created", "pass.updated", "pass.revoked", "message.sent", "job.completed", "job.failed"],
      ...["batch.completed", "pass.activated", "pass.failed", "pass.installed", "pass.uninstalled"],
      "pass.viewed",
    ];
    for (const event_type of types) {
      for (const event of await eventsOf(client, { event_type })) t.equal(event.event_type, event_type);
    }
    for (const wrong of ["pass.deleted", "Pass.created", "pass", "*", ""]) {
      judgeFaults(t, await client.get(`${path}?event_type=${wrong}`), ["event_type"], wrong);
    }
    judgeFaults(t, await client.get(`${path}?pass_id=1&from=x&to=y`), ["from", "pass_id", "to"]);
  });

  t.test("instants are RFC 3339 date-times, in any zone and precision", async (t) => {
    const now = new Date();
    const ago = new Date(now.getTime() - 3_600_000);
    const local = new Date(ago.getTime() + 19_800_000).toISOString().replace("Z", "%2B05:30");
    const right = [
      ago.toISOString(),
      ago.toISOString().replace(/\.\d+Z/, "Z"),
      ago.toISOString().replace("Z", "123456Z"),
      ago.toISOString().replace("Z", "%2B00:00"),
      ago.toISOString().toLowerCase(),
      local,
    ];
    for (const instant of right) {
      for (const place of [path, "/api/v1/analytics/summary"]) {
        const reply = await client.get(`${place}?from=${instant}`);
        t.equal(reply.status, 200, `${place} ${instant}: ${reply.text.slice(0, 200)}`);
      }
      t.equal((await client.get(`${path}?from=${instant}`)).json.total, all.length, instant);
      t.equal((await client.get(`${path}?to=${instant}`)).json.total, 0, instant);
    }
    const wrong = [
      ...["", "yesterday", "2026", "1796067090952", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z"],
      ...["2026-01-01T25:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:00", "2026-01-01T00:00Z"],
      ...["01/02/2026", "2026-01-01T00:00:00%2B25:00", "2026-W01", "Thu, 01 Jan 2026 00:00:00 GMT"],
    ];
    for (const instant of wrong) {
      for (const place of [path, "/api/v1/analytics/summary"]) {
        for (const name of ["from", "to"]) {
          const reply = await client.get(`${place}?${name}=${instant.replaceAll(" ", "%20")}`);
          judgeFaults(t, reply, [name], `${place} ${instant}`);
        }
      }
    }
  });

  t.test("a span that ends before it begins is 400", async (t) => {
    for (const place of [path, "/api/v1/analytics/summary"]) {
      const reply = await client.get(`${place}?from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z`);
      judgeError(t, reply, 400, "invalid_request");
      t.ok(reply.json.details.length > 0);
      const zones = await client.get(`${place}?from=2026-01-01T00:00:00Z&to=2026-01-01T00:30:00%2B01:00`);
      judgeError(t, zones, 400, "invalid_request", "compared as instants, not as text");
      const same = await client.get(`${place}?from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`);
      t.equal(same.status, 200, same.text);
    }
  });

  t.test("a tenant sees its own events only", async (t) => {
    t.strictSame(await eventsOf(unlucky, { pass_id: passIds[0] ?? "" }), []);
  });
}
