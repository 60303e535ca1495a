import {
  createPasswright,
  type Pass,
  type PassCreateRequest,
  type Passwright,
  type PasswrightOptions,
  type ResponseFacts,
} from "../../../clients/typescript/src/index.ts";
import type { Credentials } from "./client.ts";
import { newReference } from "./passes.ts";

/** The client that developers use, for an application. */
export function typedClient(
  baseUrl: string,
  { tenant_id: tenantId, application_id: applicationId, application_secret: applicationSecret }: Credentials,
  options: Partial<PasswrightOptions> = {},
): Passwright {
  return createPasswright({ baseUrl, tenantId, applicationId, applicationSecret, ...options });
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
