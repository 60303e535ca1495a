import { randomBytes } from "node:crypto";
import type { Client, Credentials } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { finished, issuePass, newReference } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";
import { ask, type Reply } from "../support/requests.ts";
import { createReceiver } from "../support/sandbox.ts";
import { templateDirectory } from "../support/template-directory.ts";

/** One of everything that a tenant can have, by what others would name it with. */
export type Estate = {
  credentials: Credentials;
  templateId: string;
  passId: string;
  externalRef: string;
  jobId: string;
  batchId: string;
  messageId: string;
  webhookId: string;
  /** Things to be rid of: a pass to revoke, a batch that has not begun, a webhook to delete. */
  spare: { passId: string; batchId: string; webhookId: string };
  /** Addresses that are known to whom they were given. */
  public: { pagePath: string; imagePath: string; docsFilePath: string };
};

export const hook = { url: "https://1.1.1.1/hooks", events: ["pass.created"], secret: "long enough" };

export function loyaltyCard(templateId: string, externalRef = newReference()) {
  return {
    template_id: templateId,
    intent: "loyalty_card",
    external_ref: externalRef,
    data: { member: "Ada Lovelace" },
  };
}

/** Fills a tenant, which needs both wallets; resolves when all work for it is done. */
export async function settle(
  service: Passwright,
  owner: Client,
  credentials: Credentials,
): Promise<Omit<Estate, "spare"> & { spare: Omit<Estate["spare"], "batchId"> }> {
  const template = await importTemplate(service, owner.tenantId);
  const receiver = await createReceiver(service, hook.secret);
  const webhook = await accepted(owner.post("/api/v1/webhooks", { ...hook, url: receiver.url }));
  const spareHook = await accepted(owner.post("/api/v1/webhooks", hook));
  await accepted(owner.ask(`/api/v1/webhooks/${spareHook.json.id}`, inactive));
  const pass = await issuePass(owner, loyaltyCard(template));
  const sparePass = await issuePass(owner, loyaltyCard(template));
  const batch = await accepted(
    owner.post("/api/v1/batches", { operations: [{ type: "create", pass: loyaltyCard(template) }] }),
  );
  const words = { pass_id: pass.json.id, header: "Hello", body: "there" };
  const message = await accepted(owner.post("/api/v1/messages", words));
  await Promise.all([finished(owner, batch), finished(owner, message)]);
  await untilDelivered(owner, webhook.json.id);
  const page = await ask(pass.json.page_url);
  const reference = await ask(`${service.announced.base_url}/docs`);
  return {
    credentials,
    templateId: template,
    passId: pass.json.id,
    externalRef: pass.json.external_ref,
    jobId: pass.json.job_id,
    batchId: batch.json.id,
    messageId: message.json.id,
    webhookId: webhook.json.id,
    spare: { passId: sparePass.json.id, webhookId: spareHook.json.id },
    public: {
      pagePath: new URL(pass.json.page_url).pathname,
      imagePath: /\/images\/[^"\s]+\.png/.exec(page.text)?.[0] ?? "the page shows no image",
      docsFilePath: /\/docs\/[\w.-]+/.exec(reference.text)?.[0] ?? "the reference needs no file",
    },
  };
}

const inactive = { method: "PATCH", body: { is_active: false } };

/** What names nothing at all, in the form of what names something. */
export function nobodys(): Estate {
  const id = () => crypto.randomUUID();
  const credentials = { tenant_id: id(), application_id: id(), application_secret: "pws_nothing" };
  const token = randomBytes(16).toString("base64url");
  return {
    credentials,
    templateId: id(),
    passId: id(),
    externalRef: newReference(),
    jobId: id(),
    batchId: id(),
    messageId: id(),
    webhookId: id(),
    spare: { passId: id(), batchId: id(), webhookId: id() },
    public: {
      pagePath: `/p/${token}`,
      imagePath: `/images/${id()}/${"0".repeat(64)}.png`,
      docsFilePath: `/docs/${token}`,
    },
  };
}

async function importTemplate(service: Passwright, tenantId: string): Promise<string> {
  const directory = templateDirectory(service, { name: `Card ${newReference()}` });
  return (await service.cli("templates", "import", directory, "--tenant", tenantId, "--json")).json().id;
}

export async function accepted(asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked;
  if (reply.status >= 300) throw new Error(`not accepted: ${reply.status} ${reply.text}`);
  return reply;
}

/** Of three passes that were created while it listened. */
async function untilDelivered(owner: Client, webhookId: string): Promise<void> {
  await eventually(async () => {
    const { json } = await owner.get(`/api/v1/webhooks/${webhookId}/deliveries`);
    const states = json.data.map(({ status }: { status: string }) => status);
    return states.length === 3 && states.every((state: string) => state === "delivered") ? true : undefined;
  });
}
