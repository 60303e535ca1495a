import { PasswrightError } from "../errors.ts";
import type { AuditEntry, AuditLog } from "./entry.ts";

/**
 * Carries a verb out and writes down that it was, and whether it succeeded. `details` may be told by the result. A verb that
 * was refused or failed is written down too, with its error's code.
 */
export async function audited<Result>(
  deps: { audit: Pick<AuditLog, "append"> },
  act: Pick<AuditEntry, "who" | "action" | "tenant_id" | "target"> & { details?: AuditEntry["details"] },
  verb: () => Promise<Result>,
): Promise<Result> {
  const { details = {}, ...what } = act;
  let result: Result;
  try {
    result = await verb();
  } catch (error) {
    const code = error instanceof PasswrightError ? error.code : "internal_error";
    // What went wrong is what must be told; with Redis away there is no record either.
    await deps.audit
      .append({ ...what, result: "failed", details: { ...details, error: code } })
      .catch(() => {});
    throw error;
  }
  await deps.audit.append({ ...what, result: "done", details });
  return result;
}
