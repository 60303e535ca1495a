import { PasswrightError } from "../errors.ts";
import type { AuditEntry, AuditLog } from "./entry.ts";

export type Act<Result> = Pick<AuditEntry, "who" | "action" | "tenant_id" | "target"> & {
  details?: AuditEntry["details"];
  /** Written down as it begins, too, before anything is changed. */
  isLong?: boolean;
  /** What is known only from the result. */
  told?(result: Result): Partial<Pick<AuditEntry, "tenant_id" | "target" | "details">>;
};

/**
 * Carries a verb out and writes down that it was, and whether it succeeded. A verb that was refused or failed is written down
 * with its error's code.
 */
export async function audited<Result>(
  deps: { audit: Pick<AuditLog, "append"> },
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
  await deps.audit.append({
    ...what,
    ...known,
    result: "done",
    details: { ...details, ...known?.details },
  });
  return result;
}
