import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Test } from "tap";
import { ids, pageToken } from "../../../src/http/openapi/examples/ids.ts";
import { type Client, signIn } from "../support/client.ts";
import { finished, newReference, type PassRequest } from "../support/passes.ts";
import type { Passwright } from "../support/passwright.ts";
import type { Reply } from "../support/requests.ts";

/** What stands in the examples, and what a running service has in its place. */
export type Replacements = ReadonlyMap<string, string>;

export type Stage = {
  client: Client;
  /** Makes what one operation's example speaks of, so that no operation depends on what another left behind. */
  prepare(operationId: string): Promise<Replacements>;
};

const exampleReference = "customer-4711";
const catalog = {
  packages: [
    { id: "starter", name: "1,000 passes", credits: 1000, price: { amount: 4900, currency: "EUR" } },
  ],
  plans: [
    {
      id: "growth",
      name: "Growth",
      monthly_passes: 5000,
      interval: "month",
      price: { amount: 19_900, currency: "EUR" },
    },
  ],
};

/** Sets the demo tenant of a running service up for every example of the document. */
export async function setStage(t: Test, service: Passwright): Promise<Stage> {
  const { base_url: baseUrl, tenant_id, application_id, application_secret, template_id } = service.announced;
  const folder = t.testdir();
  for (const [name, list] of Object.entries(catalog)) {
    const file = join(folder, `${name}.json`);
    writeFileSync(file, JSON.stringify(list));
    (await service.cli(name, "set", file, "--json")).json();
  }
  const client = await signIn(baseUrl, { tenant_id, application_id, application_secret });
  const passBody = (external_ref: string): PassRequest => ({
    template_id,
    intent: "loyalty_card",
    external_ref,
    data: { member: "Grace Hopper", points: "10" },
  });
  const always: [string, string][] = [
    [ids.tenant, tenant_id],
    [ids.application, application_id],
    ["<APPLICATION_SECRET>", application_secret],
    [ids.template, template_id],
    ["customer-4712", newReference()],
  ];

  const required = async (reply: Reply | Promise<Reply>): Promise<Reply> => {
    const answer = await reply;
    if (answer.status >= 300) throw new Error(`the stage is not set: ${answer.status} ${answer.text}`);
    return answer;
  };
  const newPass = async (): Promise<[string, string][]> => {
    const reference = newReference();
    const accepted = await required(client.post("/api/v1/passes", passBody(reference)));
    await finished(client, accepted);
    const pass = await required(client.get(`/api/v1/passes/${accepted.json.id}`));
    return [
      [ids.pass, pass.json.id],
      [ids.job, accepted.json.job_id],
      [exampleReference, reference],
      [pageToken, pass.json.page_url.split("/").at(-1)],
    ];
  };
  const newMessage = async (): Promise<[string, string][]> => {
    const [pass = ["", ""]] = await newPass();
    const body = { pass_id: pass[1], header: "Hello", body: "World" };
    const sent = await required(client.post("/api/v1/messages", body));
    return [[ids.message, sent.json.id]];
  };
  const newWebhook = async (): Promise<[string, string][]> => {
    const body = { url: "https://hooks.example.com/x", events: ["batch.completed"], secret: "long enough" };
    const made = await required(client.post("/api/v1/webhooks", body));
    return [[ids.webhook, made.json.id]];
  };
  const batchOf = async (count: number): Promise<string> => {
    const operations = Array.from({ length: count }, () => ({
      type: "revoke",
      external_ref: newReference(),
    }));
    return (await required(client.post("/api/v1/batches", { operations }))).json.id;
  };
  /** The one hand of the worker is busy with another batch meanwhile. */
  const queuedBatch = async (): Promise<[string, string][]> => {
    await batchOf(10_000);
    return [[ids.batch, await batchOf(1)]];
  };
  const image = async (): Promise<[string, string][]> => {
    const [, , , page = ["", ""]] = await newPass();
    const { text } = await client.get(`/p/${page[1]}`);
    const [, owner = "", file = ""] = /\/images\/([^/"]+)\/([0-9a-f]{64}\.png)/.exec(text) ?? [];
    return [
      ["{owner}", owner],
      ["{file}", file],
    ];
  };
  const referenceFile = async (): Promise<[string, string][]> => {
    const { text } = await client.get("/docs");
    return [["{file}", /\/docs\/(start-[0-9a-f]+\.js)/.exec(text)?.[1] ?? ""]];
  };

  const special: Record<string, () => Promise<[string, string][]>> = {
    getBatch: async () => [[ids.batch, await batchOf(1)]],
    cancelBatch: queuedBatch,
    getMessage: newMessage,
    getWebhook: newWebhook,
    updateWebhook: newWebhook,
    deleteWebhook: newWebhook,
    listWebhookDeliveries: newWebhook,
    getTemplateImage: image,
    getReferenceFile: referenceFile,
    showGuide: async () => [["{name}", "first-pass"]],
    showProblem: async () => [["{code}", "insufficient_credits"]],
    createPass: async () => [[exampleReference, newReference()]],
  };
  return {
    client,
    prepare: async (operationId) => new Map([...always, ...(await (special[operationId] ?? newPass)())]),
  };
}
