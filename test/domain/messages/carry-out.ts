import t, { type Test } from "tap";
import { carryOutMessage } from "../../../src/domain/messages/carry-out.ts";
import type { MessageSubject } from "../../../src/domain/messages/message.ts";
import { sendMessage } from "../../../src/domain/messages/send.ts";
import type { MessageToShow } from "../../../src/domain/providers/provider.ts";
import { createDeviceStore } from "../../../src/redis/devices.ts";
import { createJobStore } from "../../../src/redis/jobs.ts";
import { createMessageStore, createMessageWork } from "../../../src/redis/messages.ts";
import { idleWallets } from "../../support/idle-wallets.ts";
import { content, openIssuer, passOf } from "../../support/issuer.ts";
import { openStore } from "../../support/store.ts";
import { claimOf, completed, openQueue, settle } from "../../support/work.ts";

const never = new AbortController().signal;

/** A tenant with an active pass, and a worker whose Google notifies holders, or does not. */
async function opened(t: Test, { notified }: { notified: boolean }) {
  const store = await openStore(t);
  const issuer = await openIssuer(store);
  const queue = await openQueue(store);
  const shown: MessageToShow[] = [];
  const providers = idleWallets({
    async showMessage(message) {
      shown.push(message);
      return { notified };
    },
  });
  const messages = createMessageStore(store);
  const deps = {
    ...issuer,
    messages,
    messageWork: createMessageWork(store, store.clock),
    providers,
    devices: createDeviceStore(store),
    queue,
    jobRetrySchedule: [0, 5000],
  };
  return {
    issuer,
    shown,
    async activePass(): Promise<string> {
      const { id } = passOf(await issuer.create());
      for (const task of await claimOf(queue, issuer)) await settle(store, task, completed);
      return id;
    },
    /** Sends a message and carries out all of its parts; answers the job, and the message as it is then. */
    async send(subject: MessageSubject) {
      const { tenantId } = issuer;
      const text = { header: "Sale", body: "Today only" };
      const sent = await sendMessage(deps, { tenantId, subject, ...text, idempotency: null, traceId: "t" });
      for (const task of await claimOf(queue, issuer)) await carryOutMessage(deps, task, never);
      const job = await createJobStore(store, () => store.connection).find(tenantId, sent.jobId);
      return { job, message: await messages.find(tenantId, JSON.parse(sent.body).id) };
    },
  };
}

t.test("a message is a part of the pass for Apple, and a call for Google", async (t) => {
  const { issuer, shown, activePass, send } = await opened(t, { notified: true });
  const passId = await activePass();
  const { job, message } = await send({ kind: "pass", id: passId });
  t.match(job, { status: "completed", progress: { done: 2, total: 2 }, warnings: [] });
  t.equal(message?.status, "sent");
  t.match(shown, [{ id: message?.id, header: "Sale", body: "Today only", passId }]);
  const pass = await issuer.passes.find(issuer.tenantId, passId);
  t.match(pass?.message, { id: message?.id, header: "Sale", body: "Today only" });
});

t.test("a message that Google shows without a notification is sent, and the job says so", async (t) => {
  const { activePass, send } = await opened(t, { notified: false });
  const { job, message } = await send({ kind: "pass", id: await activePass() });
  t.equal(message?.status, "sent");
  t.match(job, { status: "completed", error: null, warnings: [{ code: "notification_capped" }] });
});

t.test("a broadcast that reaches nobody is sent without a call", async (t) => {
  const { issuer, shown, activePass, send } = await opened(t, { notified: true });
  const subject = { kind: "template", id: issuer.templateId } as const;
  t.match(await send(subject), { message: { status: "sent" }, job: { status: "completed" } });
  t.strictSame(shown, []);
  await activePass();
  t.match(await send(subject), { message: { status: "sent" } });
  t.match(shown, [{ passId: null }], "one call for all passes of the template");
});

t.test(
  "a message to a pass goes by the version that the pass is on, a broadcast by the latest",
  async (t) => {
    const { issuer, shown, activePass, send } = await opened(t, { notified: true });
    const { tenantId, templateId: id, templates } = issuer;
    const passId = await activePass();
    const template = await templates.findOwn(tenantId, id);
    if (template === null) throw new Error("the template is gone");
    const next = { template: { ...template, latestVersion: 2 }, content, images: new Map() };
    t.ok(await templates.publish({ ...next, publishedAtMs: 0 }));
    await send({ kind: "pass", id: passId });
    await send({ kind: "template", id });
    t.strictSame(
      shown.map((message) => message.template.version.version),
      [1, 2],
    );
  },
);
