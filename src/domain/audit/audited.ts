import { PasswrightError } from "../errors.ts";
import type { AuditEntry, AuditLog } from "./entry.ts";

export type AuditDeps = { audit: Pick<AuditLog, "append">; unrecorded(error: unknown): void };

export type Act<Result> = Pick<AuditEntry, "who" | "action" | "tenant_id" | "target"> & {
  details?: AuditEntry["details"];
  /** Written down as it begins, too, before anything is changed. */
  isLong?: boolean;
  /** What is known only from the result. */
  told?(result: Result): Partial<Pick<AuditEntry, "tenant_id" | "target" | "details" | "result">>;
};

/**
 * Carries a verb out and writes down that it was, and whether it succeeded. A verb that was refused or failed is written down
 * with its error's code. What was done is done, and may be told only once, like a secret: where it cannot be written down, the
 * result is returned nevertheless, and `unrecorded` hears of it.
 */
export async function audited<Result>(
  deps: AuditDeps,
  act: Act<Result>,
  verb: () => Promise<Result>,
): Promise<Result> {
  const { details = {}, isLong = false, told, ...what } = act;
  if (isLong) await deps.audit.append({ ...what, result: "started", details });
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
  const known = told?.(result);
  await deps.audit
    .append({ ...what, result: "done", ...known, details: { ...details, ...known?.details } })
    .catch(deps.unrecorded);
  return result;
}
