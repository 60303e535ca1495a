import { PasswrightError } from "../errors.ts";
import { type CreatePassDeps, type CreatePassInput, createPass } from "./create.ts";
import type { AcceptedPass } from "./pass.ts";
import { replacePass } from "./update.ts";

/**
 * Creates the pass of an external reference, or replaces its data when it exists. Two callers at once end as one creation and
 * one replacement.
 */
export async function upsertPass(deps: CreatePassDeps, input: CreatePassInput): Promise<AcceptedPass> {
  const existing = await deps.passes.findByExternalRef(input.tenantId, input.externalRef);
  if (existing === null) {
    try {
      const accepted = await createPass(deps, { ...input, wantsNewOne: true });
      // The implicit key (tenant, external_ref) is POST's: here, an equal pass made meanwhile is one to update.
      if (!accepted.repeated) return accepted;
    } catch (error) {
      if (!(error instanceof PasswrightError && error.code === "duplicate_external_ref")) throw error;
    }
  }
  const passId = existing?.id ?? (await deps.passes.findByExternalRef(input.tenantId, input.externalRef))?.id;
  if (passId === undefined) throw new PasswrightError("not_found", "There is no such pass.");
  return replacePass(deps, { ...input, passId });
}
