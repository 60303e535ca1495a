import type { Test } from "tap";
import { remove } from "../support/changes.ts";
import { judgeMembers } from "../support/judgements.ts";
import { finished, issuePass } from "../support/passes.ts";
import { instant } from "../support/shapes.ts";
import { eventsOf, type Surroundings } from "./surroundings.ts";

const path = "/api/v1/analytics/summary";

export async function summary(t: Test, { client, loyaltyCard }: Surroundings) {
  const { json: pass } = await issuePass(client, loyaltyCard());

  t.test("it counts what the list of events has, by day and type", async (t) => {
    const { status, json } = await client.get(path);
    t.equal(status, 200);
    judgeMembers(t, json, ["from", "to", "days", "totals", "active_passes"]);
    t.match(json, { from: instant, to: instant });
    t.equal(Date.parse(json.to) - Date.parse(json.from), 30 * 86_400_000, "thirty days");
    const events = await eventsOf(client);
    t.ok(events.length < 100, "all of them are on one page");
    const days: Record<string, Record<string, number>> = {};
    for (const { event_type, occurred_at } of events) {
      const date = occurred_at.slice(0, 10);
      days[date] = { ...days[date], [event_type]: (days[date]?.[event_type] ?? 0) + 1 };
    }
    for (const day of json.days) judgeMembers(t, day, ["date", "counts"]);
    const counted = json.days.filter(({ counts }: { counts: object }) => Object.keys(counts).length > 0);
    t.strictSame(
      Object.fromEntries(counted.map((day: { date: string; counts: object }) => [day.date, day.counts])),
      days,
    );
    const dates = json.days.map(({ date }: { date: string }) => date);
    t.strictSame(new Set(dates).size, dates.length);
    const totals: Record<string, number> = {};
    for (const counts of Object.values(days)) {
      for (const [type, n] of Object.entries(counts)) totals[type] = (totals[type] ?? 0) + n;
    }
    t.strictSame(json.totals, totals);
  });

  t.test("active passes are those that are active now", async (t) => {
    const before = (await client.get(path)).json.active_passes;
    t.equal(before, (await client.get("/api/v1/passes?status=active")).json.total);
    await finished(client, await remove(client, `/api/v1/passes/${pass.id}`));
    t.equal((await client.get(path)).json.active_passes, before - 1);
    await issuePass(client, loyaltyCard());
    t.equal((await client.get(path)).json.active_passes, before);
  });

  t.test("a span has the days that it touches", async (t) => {
    const now = Date.now();
    const at = (ms: number) => new Date(now + ms).toISOString();
    const past = await client.get(`${path}?from=2020-01-01T00:00:00Z&to=2020-01-03T00:00:00Z`);
    t.match(past.json, { from: "2020-01-01T00:00:00.000Z", to: "2020-01-03T00:00:00.000Z", totals: {} });
    t.strictSame(past.json.totals, {});
    const whole = await client.get(`${path}?from=${at(-86_400_000)}&to=${at(86_400_000)}`);
    const usual = await client.get(path);
    t.strictSame(whole.json.totals, usual.json.totals);
    const open = await client.get(`${path}?to=${at(0)}`);
    t.equal(Date.parse(open.json.to) - Date.parse(open.json.from), 30 * 86_400_000);
  });
}
