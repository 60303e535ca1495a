import { PasswrightError } from "../errors.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { latestVersion } from "../templates/find.ts";
import {
  intents,
  type RenderableTemplate,
  type TemplateStore,
  type WalletKey,
} from "../templates/template.ts";

// What creating, replacing and updating a pass have in common before anything is written.

/** The latest version of an active template that the tenant may use, or invalid_template, or intent_mismatch. */
export async function usableTemplate(
  deps: { templates: TemplateStore },
  input: { tenantId: string; templateId: string; intent: string },
): Promise<RenderableTemplate> {
  const template = await deps.templates.find(input.tenantId, input.templateId);
  if (template === null || template.status !== "active") {
    throw new PasswrightError(
      "invalid_template",
      "template_id names no active template of this tenant. GET /api/v1/templates lists them.",
    );
  }
  const intent = intents[template.type];
  if (input.intent !== intent) {
    throw new PasswrightError(
      "intent_mismatch",
      `The template is a ${template.type}: intent must be ${intent}.`,
    );
  }
  return latestVersion(deps, template);
}

/** The wallets that a template supports and the tenant has, or no_providers. */
export async function usableWallets(
  deps: { providerConfigurations: ProviderConfigurationStore },
  tenantId: string,
  supported: readonly WalletKey[],
): Promise<WalletKey[]> {
  const enabled = await deps.providerConfigurations.enabledWallets(tenantId);
  const wallets = supported.filter((wallet) => enabled.includes(wallet));
  if (wallets.length > 0) return wallets;
  throw new PasswrightError(
    "no_providers",
    `The template supports ${supported.join(" and ")}, and the tenant has no enabled configuration for any of them. An operator adds one with «passwright providers set».`,
  );
}
