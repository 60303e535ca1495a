import { PasswrightError } from "../errors.ts";
import type { Ids } from "../ids.ts";
import type { ProviderConfigurationStore } from "../providers/configuration.ts";
import { noSuchProvider } from "../providers/find.ts";
import type { CredentialChecks } from "../providers/test.ts";
import { type ResignTask, type ResignTaskStore, resignRecord } from "./resign-task.ts";

type Deps = {
  resignTasks: Pick<ResignTaskStore, "start" | "find" | "passes">;
  providerConfigurations: Pick<ProviderConfigurationStore, "find" | "openCredentials">;
  credentialChecks: Pick<CredentialChecks, "apple">;
  ids: Ids;
};

/**
 * Writes down that a tenant's passes are to be signed anew, for the workers; or answers with the task of the tenant that runs
 * already (`isNew` false). Rejects with not_found without a configuration or passes, with invalid_state where the wallet is
 * disabled, and with invalid_configuration where the credentials could not sign.
 */
export async function startResign(
  deps: Deps,
  input: { tenantId: string; rate: number | null; by: string; signal: AbortSignal },
): Promise<{ task: ResignTask; isNew: boolean }> {
  const { tenantId, rate, by } = input;
  await assertSigns(deps, tenantId, input.signal);
  const passes = await deps.resignTasks.passes(tenantId);
  if (passes === 0) throw new PasswrightError("not_found", `The tenant ${tenantId} has no passes.`);
  const id = deps.ids.uuid();
  const record = resignRecord({ id, tenantId }, { who: by, result: "started", details: { rate, passes } });
  const started = await deps.resignTasks.start({ id, tenantId, rate, requestedBy: by, passes }, record);
  if ("task" in started) return { task: started.task, isNew: true };
  const running = await deps.resignTasks.find(started.busy);
  if (running === null) throw new PasswrightError("unavailable", "Another one has just ended. Try again.");
  return { task: running, isNew: false };
}

/** Each phone would fetch in vain, and keep what it has, were the new signature one that cannot be made. */
export async function assertSigns(
  deps: Pick<Deps, "providerConfigurations" | "credentialChecks">,
  tenantId: string,
  signal: AbortSignal,
): Promise<void> {
  const named = { tenantId, wallet: "apple" } as const;
  const configuration = await deps.providerConfigurations.find(tenantId, "apple");
  if (configuration === null) throw noSuchProvider(named);
  if (!configuration.enabled) {
    throw new PasswrightError(
      "invalid_state",
      `Apple Wallet is disabled for the tenant, so no phone could fetch a pass. \`passwright providers enable apple --tenant ${tenantId}\` changes that.`,
    );
  }
  const credentials = await deps.providerConfigurations.openCredentials(tenantId, "apple");
  if (credentials === null) throw noSuchProvider(named);
  await deps.credentialChecks.apple(credentials, signal);
}
