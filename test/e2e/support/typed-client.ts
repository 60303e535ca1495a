import {
  createPasswright,
  type Pass,
  type PassCreateRequest,
  type Passwright,
  type PasswrightOptions,
  type ResponseFacts,
} from "../../../clients/typescript/src/index.ts";
import type { Credentials } from "./client.ts";
import { requireDocumented } from "./documented.ts";
import { newReference } from "./passes.ts";

/** The client that developers use, for an application; it is only content with answers that are as documented. */
export function typedClient(
  baseUrl: string,
  { tenant_id: tenantId, application_id: applicationId, application_secret: applicationSecret }: Credentials,
  options: Partial<PasswrightOptions> = {},
): Passwright {
  const fetch = documentedFetch(baseUrl);
  return createPasswright({ baseUrl, tenantId, applicationId, applicationSecret, fetch, ...options });
}

function documentedFetch(baseUrl: string): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const bytes = Buffer.from(await response.clone().arrayBuffer());
    const text = bytes.toString();
    const json = text === "" ? undefined : JSON.parse(text);
    const asked = { path: new URL(String(input)).pathname, method: init?.method ?? "GET" };
    const headers = Object.fromEntries(response.headers);
    await requireDocumented(baseUrl, asked, { status: response.status, headers, bytes, text, json });
    return response;
  };
}

/** What the API suggests for a template, with its `{{key}}` tokens replaced as a newcomer would. */
export async function filledSample(passwright: Passwright, templateId: string): Promise<PassCreateRequest> {
  const sample = await passwright.templates.getSample(templateId);
  const data = Object.entries(sample.data).map(([key, value]) => [
    key,
    value.replace(/^\{\{(.*)\}\}$/, "my $1"),
  ]);
  return { ...sample, external_ref: newReference(), data: Object.fromEntries(data) };
}

/** A pass that is in its wallets. */
export async function issuePass(passwright: Passwright, body: PassCreateRequest): Promise<Pass> {
  const accepted = await passwright.passes.create(body);
  await passwright.jobs.waitFor(accepted);
  return passwright.passes.get(accepted.id);
}

/** What the answers were like, beside what they held. */
export function recorded() {
  const facts: ResponseFacts[] = [];
  return { facts, onResponse: (one: ResponseFacts) => void facts.push(one) };
}
