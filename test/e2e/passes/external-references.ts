import type { Test } from "tap";
import { finished } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

export async function externalReferences(t: Test, surroundings: Surroundings) {
  const { client, stranger, strangerTemplate, templates, limited, service, loyaltyCard } = surroundings;
  const create = (body: object, headers = {}) => client.post("/api/v1/passes", body, headers);

  t.test("the same pass again is the original answer, with or without a key", async (t) => {
    const body = loyaltyCard();
    const first = await create(body);
    t.equal(first.status, 202, first.text);
    t.equal(first.headers["idempotent-replayed"], undefined);
    await finished(client, first);
    const { data, ...rest } = body;
    const variants = [
      [body, {}],
      [{ data: Object.fromEntries(Object.entries(data).reverse()), ...rest }, {}],
      [body, { "idempotency-key": crypto.randomUUID() }],
    ] as const;
    for (const [again, headers] of variants) {
      const reply = await create(again, headers);
      t.equal(reply.status, 202, reply.text);
      t.strictSame(reply.json, first.json, "pending, version 1, the same ids");
      t.equal(reply.headers["idempotent-replayed"], "true");
      t.equal(reply.headers.location, first.headers.location);
    }
  });

  t.test("another pass under the same reference is duplicate_external_ref", async (t) => {
    const body = loyaltyCard();
    t.equal((await create(body)).status, 202);
    const others = [
      { ...body, data: { ...body.data, points: "13" } },
      { ...body, data: { member: body.data.member } },
      { ...body, data: { ...body.data, tier: "Fledgling" } },
      { ...body, template_id: templates.MembershipCard, intent: "membership_card" },
    ];
    for (const other of others.slice(0, 3)) {
      const reply = await create(other);
      t.equal(reply.status, 409, reply.text);
      t.match(reply.json, { error: "duplicate_external_ref" });
    }
    const sample = (await client.get(`/api/v1/templates/${templates.MembershipCard}/sample`)).json;
    const elsewhere = await create({ ...sample, external_ref: body.external_ref });
    t.equal(elsewhere.status, 409, elsewhere.text);
    const list = await client.get(`/api/v1/passes?external_ref=${body.external_ref}`);
    t.match(list.json, { total: 1, data: [{ data: body.data, version: 1 }] });
  });

  t.test("case and blanks tell references apart", async (t) => {
    const unique = crypto.randomUUID();
    const references = [`a${unique}`, `A${unique}`, `a${unique} `, ` a${unique}`, `a${unique}\u0301`];
    const ids = new Set<string>();
    for (const external_ref of references) {
      const reply = await create(loyaltyCard({ external_ref }));
      t.equal(reply.status, 202, reply.text);
      ids.add(reply.json.id);
      const list = await client.get(`/api/v1/passes?external_ref=${encodeURIComponent(external_ref)}`);
      t.match(list.json, { total: 1, data: [{ id: reply.json.id, external_ref }] });
    }
    t.equal(ids.size, references.length);
  });

  t.test("another tenant may use the same reference", async (t) => {
    const body = loyaltyCard();
    const mine = await create(body);
    const theirs = await stranger.post("/api/v1/passes", { ...body, template_id: strangerTemplate });
    t.equal(theirs.status, 202, theirs.text);
    t.not(mine.json.id, theirs.json.id);
    t.equal(theirs.headers["idempotent-replayed"], undefined);
  });

  t.test("of twenty equal requests at one moment one is carried out, without a key too", async (t) => {
    const body = loyaltyCard();
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(body)));
    t.strictSame([...new Set(replies.map(({ status }) => status))], [202]);
    t.equal(new Set(replies.map(({ text }) => text)).size, 1, "byte for byte");
    t.equal(replies.filter(({ headers }) => headers["idempotent-replayed"] === "true").length, 19);
  });

  t.test("a repeat takes no credit", async (t) => {
    // All three credits of this tenant are spent: its passes can be asked for again, and no other made.
    const who = limited.byCredits;
    const { json } = await who.get("/api/v1/passes");
    t.equal(json.total, 3);
    const [{ template_id, intent, external_ref, data, id }] = json.data;
    const again = await who.post("/api/v1/passes", { template_id, intent, external_ref, data });
    t.equal(again.status, 202, again.text);
    t.equal(again.json.id, id);
    t.match((await service.cli("tenants", "show", who.tenantId, "--json")).json(), { credits: 0 });
  });
}
