import { invalidRequest, PasswrightError } from "../errors.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { latestVersion } from "../templates/find.ts";
import type { RenderableTemplate, TemplateStore, WalletKey } from "../templates/template.ts";
import { type ChangeDeps, type ChangeRequest, changePass, requireNotRevoked } from "./change.ts";
import type { AcceptedPass, Pass, PassData, PassWarnings } from "./pass.ts";
import { usableTemplate, usableWallets } from "./preparation.ts";
import { isQuietChange } from "./quiet-change.ts";
import { dataViolations } from "./validate-data.ts";

/** Merged key by key; null removes the key. */
export type PassDataPatch = Record<string, string | null>;

type Deps = ChangeDeps & { templates: TemplateStore; providerConfigurations: ProviderConfigurationStore };

/** How a caller names a pass. */
export type PassName = { passId: string } | { externalRef: string };

/** Reads the pass that a name stands for. */
export function findNamed(
  deps: Pick<Deps, "passes">,
  tenantId: string,
  name: PassName,
): Promise<Pass | null> {
  return "passId" in name
    ? deps.passes.find(tenantId, name.passId)
    : deps.passes.findByExternalRef(tenantId, name.externalRef);
}

/** Accepts a partial update of a pass's data, as its next version, on its template's latest one. */
export function updatePass(
  deps: Deps,
  request: ChangeRequest & { name: PassName; data: PassDataPatch },
): Promise<AcceptedPass> {
  const find = (): Promise<Pass | null> => findNamed(deps, request.tenantId, request.name);
  return changePass(deps, request, find, {
    kind: "update",
    async change(pass) {
      requireNotRevoked(pass);
      const template = await deps.templates.find(pass.tenantId, pass.templateId);
      if (template === null) {
        throw new PasswrightError("invalid_template", "The pass's template is gone; it can only be revoked.");
      }
      const renderable = await latestVersion(deps, template);
      return nextVersion(deps, pass, renderable, merged(pass.data, request.data, renderable));
    },
  });
}

/** Accepts a replacement of all of a pass's data: what PUT does where the pass exists. */
export function replacePass(
  deps: Deps,
  request: ChangeRequest & { passId: string; templateId: string; intent: string; data: PassData },
): Promise<AcceptedPass> {
  const find = (): Promise<Pass | null> => deps.passes.find(request.tenantId, request.passId);
  return changePass(deps, request, find, {
    kind: "update",
    async change(pass) {
      requireNotRevoked(pass);
      const renderable = await usableTemplate(deps, request);
      // What a wallet has as one kind of pass it cannot turn into another.
      if (request.intent !== pass.intent) {
        throw new PasswrightError("intent_mismatch", `The pass is a ${pass.intent}, and stays one.`);
      }
      return nextVersion(deps, pass, renderable, request.data);
    },
  });
}

async function nextVersion(
  deps: Deps,
  pass: Pass,
  renderable: RenderableTemplate,
  data: PassData,
): Promise<{ pass: Pass; warnings: PassWarnings }> {
  const violations = dataViolations(renderable.version.content, data);
  if (violations.length > 0) throw invalidRequest(violations);
  const usable = await usableWallets(deps, pass.tenantId, renderable.template.providers);
  // A wallet that has the pass already is told, even when it is not offered any more: it holds the old version.
  const wallets = new Set<WalletKey>([...(Object.keys(pass.providers) as WalletKey[]), ...usable]);
  const nowMs = deps.clock.nowMs();
  const providers: Pass["providers"] = {};
  for (const wallet of wallets) {
    const saveLink = pass.providers[wallet]?.saveLink ?? null;
    providers[wallet] = { status: "queued", saveLink, error: null, updatedAtMs: nowMs };
  }
  const next: Pass = {
    ...pass,
    templateId: renderable.template.id,
    templateVersion: renderable.version.version,
    data,
    status: "updating",
    version: pass.version + 1,
    providers,
  };
  const isQuiet =
    wallets.has("apple") &&
    isQuietChange(renderable.version.content, pass, { data, version: next.version, updatedAtMs: nowMs });
  return { pass: next, warnings: isQuiet ? { apple: "change_not_notified" } : {} };
}

/** Keys that a later version of the template has dropped go with it, unless the caller names them: that is a mistake. */
function merged(data: PassData, patch: PassDataPatch, { version }: RenderableTemplate): PassData {
  const known = new Set(version.content.fields.map((field) => field.key));
  const entries = Object.entries(data).filter(([key]) => known.has(key));
  const result = new Map(entries);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key);
    else result.set(key, value);
  }
  return Object.fromEntries(result);
}
