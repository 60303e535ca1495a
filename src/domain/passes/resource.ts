import { isoInstant } from "../clock.ts";
import type { Pass, ProviderEntry } from "./pass.ts";

/** A pass as the API and webhooks show it. `baseUrl` without a trailing slash. */
export function passResource(pass: Pass, baseUrl: string) {
  const providers: Record<string, ReturnType<typeof providerResource>> = {};
  for (const [key, entry] of Object.entries(pass.providers))
    providers[key] = providerResource(entry, baseUrl);
  return {
    id: pass.id,
    status: pass.status,
    external_ref: pass.externalRef,
    template_id: pass.templateId,
    intent: pass.intent,
    data: pass.data,
    providers,
    job_id: pass.jobId,
    version: pass.version,
    page_url: `${baseUrl}/p/${pass.pageToken}`,
    created_at: isoInstant(pass.createdAtMs),
    updated_at: isoInstant(pass.updatedAtMs),
  };
}

function providerResource({ saveLink, testOnly, ...entry }: ProviderEntry, baseUrl: string) {
  return {
    status: entry.status,
    ...(saveLink !== null && { save_link: saveLink.startsWith("/") ? `${baseUrl}${saveLink}` : saveLink }),
    ...(testOnly === true && { test_only: true }),
    ...(entry.error !== null && {
      error: { error: entry.error.code, error_description: entry.error.description },
    }),
    updated_at: isoInstant(entry.updatedAtMs),
  };
}
