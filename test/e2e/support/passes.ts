import type { Client } from "./client.ts";
import type { Reply } from "./requests.ts";

export type PassRequest = {
  template_id: string;
  intent: string;
  external_ref: string;
  data: Record<string, string>;
};

/** What the API suggests for a template, with its `{{key}}` tokens replaced as a newcomer would. */
export async function sampleRequest(client: Client, templateId: string): Promise<PassRequest> {
  const { text } = await client.get(`/api/v1/templates/${templateId}/sample`);
  const filled = text.replace(/\{\{([\w.-]+)\}\}/g, (_, key: string) => `my ${key}`);
  return { ...JSON.parse(filled), external_ref: newReference() };
}

export function newReference(): string {
  return `ref-${crypto.randomUUID()}`;
}

/** Waits for the job that a 202 named; fails unless it completed. */
export async function finished(client: Client, accepted: Reply): Promise<Reply> {
  const { job_id } = accepted.json;
  for (;;) {
    const job = await client.get(`/api/v1/jobs/${job_id}?wait=20`);
    if (job.status !== 200) throw new Error(`job ${job_id}: ${job.status} ${job.text}`);
    if (["completed", "failed", "cancelled"].includes(job.json.status)) return job;
  }
}

/** A pass that is in its wallets, as its GET shows it. */
export async function issuePass(client: Client, request: PassRequest): Promise<Reply> {
  const accepted = await client.post("/api/v1/passes", request);
  if (accepted.status !== 202) throw new Error(`not accepted: ${accepted.status} ${accepted.text}`);
  await finished(client, accepted);
  return client.get(`/api/v1/passes/${accepted.json.id}`);
}
