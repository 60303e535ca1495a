import type { Test } from "tap";
import { remove } from "../support/changes.ts";
import {
  judgeBatch,
  judgeDelivery,
  judgeEvent,
  judgeFaults,
  judgeList,
  judgeMembers,
  judgeMessage,
  judgePackage,
  judgePass,
  judgeVersion,
  judgeWebhook,
} from "../support/judgements.ts";
import { finished, issuePass, newReference } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

const templateMembers = [
  ...["id", "tenant_id", "name", "template_type", "intent", "status", "latest_version"],
  ...["is_system_template", "created_at"],
];

export async function lists(t: Test, { lister, loyaltyCard }: Surroundings) {
  const refs = [`${newReference()} a+b/c?d=é&e`, newReference(), newReference()];
  const passes = await Promise.all(
    refs.map((external_ref) => issuePass(lister, loyaltyCard({ external_ref }))),
  );
  const [first, second] = passes;
  if (first === undefined || second === undefined) throw new Error("there are three");
  await finished(lister, await remove(lister, `/api/v1/passes/${second.json.id}`));
  const pass_id = first.json.id;
  const message = { pass_id, header: "Hello", body: "there" };
  const operations = [{ type: "update", pass_id, data: {} }];
  await finished(lister, await lister.post("/api/v1/messages", message));
  await finished(lister, await lister.post("/api/v1/batches", { operations }));
  // The batch's end is not that of the update that it brought; afterwards nothing changes any more.
  await finished(lister, await lister.get(`/api/v1/passes/${pass_id}`));
  const hook = { url: "https://1.1.1.1/", events: ["pass.created"], secret: "long enough" };
  const webhook = await lister.post("/api/v1/webhooks", hook);

  const everyList = {
    "/api/v1/passes": judgePass,
    [`/api/v1/passes/${pass_id}/versions`]: judgeVersion,
    [`/api/v1/passes/${pass_id}/messages`]: judgeMessage,
    "/api/v1/batches": judgeBatch,
    "/api/v1/messages": judgeMessage,
    "/api/v1/templates": (t: Test, item: unknown) => judgeMembers(t, item, templateMembers),
    "/api/v1/webhooks": judgeWebhook,
    [`/api/v1/webhooks/${webhook.json.id}/deliveries`]: judgeDelivery,
    "/api/v1/analytics/events": judgeEvent,
    "/api/v1/billing/packages": judgePackage,
  };

  for (const [path, judge] of Object.entries(everyList)) {
    const name = path.replace(/[0-9a-f-]{36}/, "{id}");
    t.test(`${name}: an envelope of twenty, and bounds on its pages`, async (t) => {
      const whole = await lister.get(path);
      judgeList(t, whole, judge);
      t.match(whole.json, { page: 1, page_size: 20 });
      const largest = await lister.get(`${path}?page_size=100`);
      judgeList(t, largest, judge);
      t.equal(largest.json.page_size, 100);
      const single = await lister.get(`${path}?page_size=1&page=1`);
      t.strictSame(single.json.data, largest.json.data.slice(0, 1));
      for (const page of [whole.json.total + 2, 1_000_000_000]) {
        const beyond = await lister.get(`${path}?page=${page}&page_size=1`);
        t.equal(beyond.status, 200, `page ${page}`);
        t.strictSame(beyond.json, { data: [], total: whole.json.total, page, page_size: 1 });
      }
      const wrong = ["0", "-1", "1.0", "1e2", "", "x", "1%20OR%201", "%2B1", "null", "1;2"];
      for (const value of wrong) {
        judgeFaults(t, await lister.get(`${path}?page=${value}`), ["page"], `page=${value}`);
        judgeFaults(t, await lister.get(`${path}?page_size=${value}`), ["page_size"], `page_size=${value}`);
      }
      for (const value of ["101", "1000000000", "1e9"]) {
        judgeFaults(t, await lister.get(`${path}?page_size=${value}`), ["page_size"], value);
      }
      judgeFaults(t, await lister.get(`${path}?page=1&page=2`), ["page"], "twice");
      judgeFaults(t, await lister.get(`${path}?page=0&page_size=0`), ["page", "page_size"]);
    });
  }

  t.test("passes by their status and their reference", async (t) => {
    const at = async (query: string) => {
      const reply = await lister.get(`/api/v1/passes?page_size=100${query}`);
      judgeList(t, reply, judgePass);
      return reply.json.data.map(({ external_ref }: { external_ref: string }) => external_ref).sort();
    };
    const [odd = "", revoked = "", plain = ""] = refs;
    t.strictSame(await at(""), [...refs].sort());
    t.strictSame(await at("&status=active"), [odd, plain].sort());
    t.strictSame(await at("&status=revoked"), [revoked]);
    t.strictSame(await at("&status=failed"), []);
    t.strictSame(await at(`&external_ref=${encodeURIComponent(odd)}`), [odd]);
    t.strictSame(await at(`&external_ref=${revoked}&status=revoked`), [revoked]);
    t.strictSame(await at(`&external_ref=${revoked}&status=active`), []);
    t.strictSame(await at(`&external_ref=${revoked.slice(0, 20)}`), [], "the whole of it");
    t.strictSame(await at(`&external_ref=${revoked.toUpperCase()}`), [], "as it was written");
    t.strictSame(await at("&external_ref=*"), []);
  });

  t.test("a known filter takes known values only, once", async (t) => {
    const wrong: Record<string, string[]> = {
      "/api/v1/passes": ["status=", "status=nope", "status=ACTIVE", "status=active&status=revoked"],
      "/api/v1/batches": ["status=nope", "status=active", "status=running"],
      "/api/v1/messages": ["status=nope", "status=queued", "pass_id=1", "pass_id=", "template_id=1"],
      "/api/v1/templates": ["status=nope", "template_type=nope", "template_type=loyalty_card"],
      "/api/v1/analytics/events": ["event_type=nope", "event_type=", "pass_id=1", "from=1", "to=x"],
    };
    for (const [path, queries] of Object.entries(wrong)) {
      for (const query of queries) {
        const [name = ""] = query.split("=");
        judgeFaults(t, await lister.get(`${path}?${query}`), [name], `${path}?${query}`);
      }
      t.equal((await lister.get(`${path}?colour=blue&colour=red&Page=0&Status=x`)).status, 200);
    }
  });
}
