import type { Pass } from "../domain/passes/pass.ts";
import type { ServingDeps } from "./serving.ts";

/**
 * Where a person adds the pass to Google Wallet; null while it is not made. Where the tenant's Google is the sandbox's,
 * that is the sandbox's page: Google itself knows neither the pass nor the key that signed the link.
 */
export async function googleSaveUrl(
  { providerConfigurations, sandboxUrl }: Pick<ServingDeps, "providerConfigurations" | "sandboxUrl">,
  { tenantId, providers }: Pick<Pass, "tenantId" | "providers">,
): Promise<string | null> {
  const link = providers.google?.saveLink ?? null;
  if (link === null) return null;
  const configuration = await providerConfigurations.find(tenantId, "google");
  return configuration?.sandbox === true ? `${sandboxUrl}${new URL(link).pathname}` : link;
}
