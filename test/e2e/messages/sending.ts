import type { Test } from "tap";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { MessageToShow } from "../../../src/domain/providers/provider.ts";
import { content, icon, openIssuer } from "../../support/issuer.ts";
import { openService } from "../../support/service.ts";
import { createWallets } from "../model/wallets.ts";
import { withToken } from "../support/client.ts";
import { finished } from "../support/passes.ts";
import { faultyPaths } from "../support/requests.ts";
import { instant, uuidV7 } from "../support/shapes.ts";

const text = { header: "Opening hours", body: "We are open on Sunday." };

export async function sending(t: Test) {
  const shown: MessageToShow[] = [];
  const wallets = createWallets();
  const providers = {
    ...wallets,
    google: {
      ...wallets.google,
      async showMessage(message: MessageToShow) {
        if (message.header === "refused") throw new PasswrightError("provider_rejected", "Refused.");
        shown.push(message);
        return { notified: true };
      },
    },
  };
  const service = await openService(t, {
    providers,
    settings: { PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,2ms,2ms,2ms" },
  });
  const opened = async (wallets: readonly ("apple" | "google")[] = ["apple", "google"]) => {
    const issuer = await openIssuer(service.issuing, { wallets });
    const { tenantId, templateId } = issuer;
    const client = withToken(service.url, await service.tokenOf(tenantId), tenantId);
    const send = async (body: object, headers = {}) =>
      client.post("/api/v1/messages", { ...text, ...body }, headers);
    return {
      client,
      templateId,
      send,
      /** A message with its job, both as they ended. */
      sent: async (body: object) => {
        const accepted = await send(body);
        if (accepted.status !== 202) throw new Error(accepted.text);
        const job = (await finished(client, accepted)).json;
        return { job, message: (await client.get(`/api/v1/messages/${accepted.json.id}`)).json };
      },
      async issue(ref: string, name = "fine", template = templateId) {
        const body = { template_id: template, intent: "loyalty_card", external_ref: ref, data: { name } };
        const accepted = await client.ask(`/api/v1/passes/by-external-ref/${ref}`, { method: "PUT", body });
        if (accepted.status !== 202) throw new Error(accepted.text);
        await finished(client, accepted);
        return accepted.json.id as string;
      },
      async revoke(id: string) {
        await finished(client, await client.ask(`/api/v1/passes/${id}`, { method: "DELETE" }));
      },
      list: async (query: string) => {
        const { status, json } = await client.get(`/api/v1/messages${query}`);
        if (status !== 200) throw new Error(JSON.stringify(json));
        return { ids: json.data.map(({ id }: { id: string }) => id), total: json.total };
      },
    };
  };

  t.test("a message to a pass is accepted, shown by each wallet, and sent", async (t) => {
    const { client, send, issue } = await opened();
    const id = await issue("one");
    const accepted = await send({ pass_id: id.toUpperCase() });
    t.equal(accepted.status, 202, accepted.text);
    t.match(accepted.json, { id: uuidV7, job_id: uuidV7, created_at: instant });
    const { id: messageId, job_id, created_at, ...rest } = accepted.json;
    t.strictSame(rest, { pass_id: id, ...text, status: "pending", affected_passes: 1 });
    t.equal(accepted.headers.location, `${service.baseUrl}/api/v1/jobs/${job_id}`);
    const job = (await finished(client, accepted)).json;
    t.match(job, {
      ...{ type: "message.send", status: "completed", resource: { type: "message", id: messageId } },
      ...{ progress: { done: 2, total: 2 }, error: null },
    });
    t.notOk("warnings" in job);
    const read = await client.get(`/api/v1/messages/${messageId}`);
    t.strictSame(read.json, { ...accepted.json, status: "sent" });
    t.match(shown.at(-1), { ...text, id: messageId, passId: id });
    const pass = await service.passes.find(client.tenantId, id);
    t.match(pass?.message, { ...text, id: messageId }, "what Apple shows on the back");
  });

  t.test("a broadcast counts and reaches the passes that are active or updating now", async (t) => {
    const { client, send, sent, issue, revoke, templateId } = await opened();
    const [active, , gone] = [await issue("a"), await issue("b"), await issue("c")];
    await issue("failing", "both_refuse");
    await issue("half", "apple_refuses");
    await revoke(gone);
    const before = shown.length;
    const { job, message } = await sent({ template_id: templateId });
    const { pass_id, template_id, status, affected_passes } = message;
    t.strictSame(
      { pass_id, template_id, status, affected_passes },
      { pass_id: undefined, template_id: templateId, status: "sent", affected_passes: 2 },
    );
    t.match(job, { status: "completed", progress: { done: 2, total: 2 } });
    t.match(shown.slice(before), [{ passId: null, ...text }], "one call at Google's side");
    const shows = async (id: string) => (await service.passes.find(client.tenantId, id))?.message?.id ?? null;
    t.strictSame([await shows(active), await shows(gone)], [message.id, null]);

    await issue("later");
    const counted = async () => (await client.get(`/api/v1/messages/${message.id}`)).json.affected_passes;
    t.equal(await counted(), 3, "counted anew with each read");
    await revoke(active);
    t.equal(await counted(), 2);
    t.equal((await client.get("/api/v1/messages")).json.data[0].affected_passes, 2, "in lists as well");
    t.equal((await send({ template_id: templateId })).json.affected_passes, 2);
  });

  t.test("a pass that moved to another template is counted there, and there alone", async (t) => {
    const { client, sent, issue, templateId } = await opened();
    const { items } = await service.templates.list(client.tenantId, {}, { page: 1, pageSize: 10 });
    const [first] = items;
    if (first === undefined) throw new Error("there is no template");
    const second = service.ids.uuid();
    await service.templates.publish({
      template: { ...first, id: second, name: "Second", latestVersion: 1 },
      content,
      images: new Map([["icon.png", icon]]),
      publishedAtMs: service.clock.nowMs(),
    });
    const id = await issue("mover");
    await issue("stayer");
    t.equal(await issue("mover", "fine", second), id);
    const affected = async (template_id: string) => (await sent({ template_id })).message.affected_passes;
    t.strictSame([await affected(templateId), await affected(second)], [1, 1]);
  });

  t.test("a broadcast to a template without passes is sent at once, to nobody", async (t) => {
    const { sent, templateId } = await opened();
    const before = shown.length;
    const { job, message } = await sent({ template_id: templateId });
    t.match(message, { status: "sent", affected_passes: 0 });
    t.match(job, { status: "completed", attempts: 1 });
    t.equal(shown.length, before);
  });

  t.test("what a wallet refuses is told: partial where the other took it, else failed", async (t) => {
    const refused = { ...text, header: "refused" };
    for (const [wallets, status] of [
      [["apple", "google"], "partial"],
      [["google"], "failed"],
    ] as const) {
      const { sent, issue } = await opened(wallets);
      const { job, message } = await sent({ pass_id: await issue("one"), ...refused });
      t.match(message, { status });
      t.match(job, { status: "failed", error: { error: "provider_rejected", error_description: /\S/ } });
    }
  });

  t.test("a revoked pass takes no message, but a repeat of an earlier one is answered", async (t) => {
    const { client, send, issue, revoke } = await opened();
    const id = await issue("one");
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await send({ pass_id: id }, key);
    await finished(client, first);
    await revoke(id);
    t.match(await send({ pass_id: id }), { status: 409, json: { error: "invalid_state" } });
    const again = await send({ pass_id: id }, key);
    t.strictSame([again.status, again.text], [202, first.text]);
    t.equal(again.headers["idempotent-replayed"], "true");
    t.match(await send({ pass_id: id, body: "other" }, key), {
      ...{ status: 409, json: { error: "idempotency_key_reused" } },
    });
    t.equal((await client.get(`/api/v1/passes/${id}/messages`)).json.total, 1);
  });

  t.test("exactly one of pass_id and template_id, of the tenant's own", async (t) => {
    const { send, issue, templateId } = await opened();
    const stranger = await opened();
    const id = await issue("one");
    t.equal((await send({})).status, 400);
    t.equal((await send({ pass_id: id, template_id: templateId })).status, 400);
    const none = crypto.randomUUID();
    for (const body of [{ pass_id: none }, { template_id: none }]) {
      t.match(await send(body), { status: 404, json: { error: "not_found" } });
    }
    t.equal((await stranger.send({ pass_id: id })).status, 404);
    t.equal((await stranger.send({ template_id: templateId })).status, 404);
  });

  t.test("header and body have their lengths, in characters", async (t) => {
    const { send, issue } = await opened();
    const pass_id = await issue("one");
    t.equal((await send({ pass_id, header: "😀".repeat(100), body: "😀".repeat(500) })).status, 202);
    const refused = await send({ pass_id, header: "x".repeat(101), body: "x".repeat(501), colour: "red" });
    t.strictSame([refused.status, faultyPaths(refused)], [400, ["/body", "/colour", "/header"]]);
    t.strictSame(faultyPaths(await send({ pass_id, header: "", body: 7 })), ["/body", "/header"]);
  });

  t.test(
    "messages are listed newest first, by pass, template and status, combined as one likes",
    async (t) => {
      const { client, sent, issue, templateId, list } = await opened();
      const [one, other] = [await issue("one"), await issue("other")];
      const a = (await sent({ pass_id: one })).message.id;
      const b = (await sent({ template_id: templateId })).message.id;
      const c = (await sent({ pass_id: one, header: "refused" })).message.id;
      const d = (await sent({ pass_id: other })).message.id;
      const all = (ids: string[]) => ({ ids, total: ids.length });
      t.strictSame(await list(""), all([d, c, b, a]));
      t.strictSame(await list("?page=2&page_size=3"), { ids: [a], total: 4 });
      t.strictSame(await list(`?pass_id=${one}`), all([c, a]));
      t.strictSame(await list(`?template_id=${templateId}`), all([b]));
      t.strictSame(await list("?status=sent"), all([d, b, a]));
      t.strictSame(await list("?status=pending"), all([]));
      t.strictSame(await list(`?pass_id=${one}&status=sent`), all([a]));
      t.strictSame(await list(`?pass_id=${one}&status=partial`), all([c]));
      t.strictSame(await list(`?template_id=${templateId}&status=sent`), all([b]));
      t.strictSame(await list(`?template_id=${templateId}&status=failed`), all([]));
      t.strictSame(await list(`?pass_id=${one}&template_id=${templateId}`), all([]));
      t.strictSame(await list(`?pass_id=${crypto.randomUUID()}`), all([]));
      for (const query of ["status=lost", "pass_id=7", "template_id=7"]) {
        const refused = await client.get(`/api/v1/messages?${query}`);
        t.strictSame([refused.status, faultyPaths(refused)], [400, [query.split("=")[0]]]);
      }
      const ofPass = await client.get(`/api/v1/passes/${one}/messages?page_size=1`);
      t.match(ofPass.json, { total: 2, page: 1, page_size: 1, data: [{ id: c, pass_id: one }] });
      t.equal((await client.get(`/api/v1/passes/${crypto.randomUUID()}/messages`)).status, 404);
      const stranger = await opened();
      t.equal((await stranger.client.get(`/api/v1/passes/${one}/messages`)).status, 404);
      t.equal((await stranger.client.get(`/api/v1/messages/${a}`)).status, 404);
      t.strictSame(await stranger.list(`?pass_id=${one}`), all([]));
    },
  );
}
