import type { Test } from "tap";
import type { Client } from "../support/client.ts";
import { finished } from "../support/passes.ts";
import type { Surroundings } from "./surroundings.ts";

export async function idempotencyKeys(
  t: Test,
  { client, stranger, strangerTemplate, loyaltyCard }: Surroundings,
) {
  const create = (body: object, key: string, who = client) =>
    who.post("/api/v1/passes", body, { "idempotency-key": key });
  const passesOf = async (who: Client, reference: string) =>
    (await who.get(`/api/v1/passes?external_ref=${encodeURIComponent(reference)}`)).json.total;

  t.test("the same key and body get the first answer byte for byte, also when all is done", async (t) => {
    const [body, key] = [loyaltyCard(), crypto.randomUUID()];
    const first = await create(body, key);
    t.equal(first.status, 202, first.text);
    t.equal(first.headers["idempotent-replayed"], undefined);
    await finished(client, first);
    for (let n = 0; n < 2; n++) {
      const again = await create(body, key);
      t.equal(again.status, 202);
      t.equal(again.text, first.text);
      t.equal(again.headers["idempotent-replayed"], "true");
      t.equal(again.headers.location, first.headers.location);
      t.equal(again.headers["content-type"], first.headers["content-type"]);
    }
    t.equal(await passesOf(client, body.external_ref), 1);
  });

  t.test("the same key with another body is refused, and nothing is made", async (t) => {
    const [body, key] = [loyaltyCard(), crypto.randomUUID()];
    t.equal((await create(body, key)).status, 202);
    for (const other of [loyaltyCard(), { ...body, data: { member: "Grace" } }]) {
      const reply = await create(other, key);
      t.equal(reply.status, 409, reply.text);
      t.match(reply.json, { error: "idempotency_key_reused" });
      t.equal(reply.headers["idempotent-replayed"], undefined);
      t.notOk(reply.text.includes("Ada"), "it does not tell of the first body");
    }
  });

  t.test("a key is 1 to 255 visible ASCII characters", async (t) => {
    for (const key of ["", "x".repeat(256), "with space", "tab\there", "größe"]) {
      const body = loyaltyCard();
      const reply = await create(body, key);
      t.equal(reply.status, 400, key.slice(0, 20));
      t.match(reply.json, { error: "invalid_request" });
      t.equal(await passesOf(client, body.external_ref), 0);
    }
    for (const key of ["!", `${crypto.randomUUID()}~"{}`, crypto.randomUUID().padEnd(255, "x")]) {
      t.equal((await create(loyaltyCard(), key)).status, 202, key.slice(0, 20));
    }
  });

  t.test("each tenant has its own keys", async (t) => {
    const key = crypto.randomUUID();
    const mine = await create(loyaltyCard(), key);
    const theirs = await create(loyaltyCard({ template_id: strangerTemplate }), key, stranger);
    t.equal(mine.status, 202);
    t.equal(theirs.status, 202, theirs.text);
    t.equal(theirs.headers["idempotent-replayed"], undefined);
    t.not(mine.json.id, theirs.json.id);
  });

  t.test("each path has its own keys, and webhooks know them too", async (t) => {
    const headers = { "idempotency-key": crypto.randomUUID() };
    const webhook = { url: "https://hooks.example/x", events: ["pass.created"], secret: "long enough" };
    t.equal((await client.post("/api/v1/passes", loyaltyCard(), headers)).status, 202);
    const first = await stranger.post("/api/v1/webhooks", webhook, headers);
    t.equal(first.status, 201, first.text);
    const again = await stranger.post("/api/v1/webhooks", webhook, headers);
    t.equal(again.status, 201);
    t.equal(again.text, first.text);
    t.equal(again.headers["idempotent-replayed"], "true");
    t.equal(again.headers.location, first.headers.location);
    const other = await stranger.post("/api/v1/webhooks", { ...webhook, secret: "another one" }, headers);
    t.equal(other.status, 409);
    t.match(other.json, { error: "idempotency_key_reused" });
  });

  t.test("a refusal leaves the key free", async (t) => {
    const [body, key] = [loyaltyCard(), crypto.randomUUID()];
    t.equal((await create({ ...body, data: {} }, key)).status, 400);
    t.equal((await create({ ...body, intent: "coupon" }, key)).status, 400);
    const reply = await create(body, key);
    t.equal(reply.status, 202, reply.text);
    t.equal(reply.headers["idempotent-replayed"], undefined);
  });

  t.test("of twenty equal requests at one moment one is carried out, and all get its answer", async (t) => {
    for (let round = 0; round < 3; round++) {
      const [body, key] = [loyaltyCard(), crypto.randomUUID()];
      const replies = await Promise.all(Array.from({ length: 20 }, () => create(body, key)));
      t.strictSame([...new Set(replies.map(({ status }) => status))], [202]);
      t.equal(new Set(replies.map(({ text }) => text)).size, 1, "byte for byte");
      const replayed = replies.filter(({ headers }) => headers["idempotent-replayed"] === "true");
      t.equal(replayed.length, 19);
      t.equal(await passesOf(client, body.external_ref), 1);
    }
  });

  t.test("of twenty different requests under one key at one moment one is carried out", async (t) => {
    const key = crypto.randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(loyaltyCard(), key)));
    t.strictSame(replies.map(({ status }) => status).sort(), [202, ...Array(19).fill(409)]);
  });
}
