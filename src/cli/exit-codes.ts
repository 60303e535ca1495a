import type { ErrorKind, PasswrightError } from "../domain/errors.ts";

/** Documented exit codes: scripts rely on them. */
export const exitCodes = { done: 0, failed: 1, usage: 2, partly: 3, nothing: 4, interrupted: 130 } as const;

/** The commands' border for errors. */
const exitCodeOf: Partial<Record<ErrorKind, number>> = {
  not_found: exitCodes.nothing,
};

/** Settings that are wrong are wrong usage; other configuration that does not work is a failure. */
export function exitCodeFor(error: PasswrightError): number {
  const isSetting = error.details?.some(({ path }) => path.startsWith("PASSWRIGHT_")) === true;
  if (error.code === "invalid_request" || isSetting) return exitCodes.usage;
  return exitCodeOf[error.kind] ?? exitCodes.failed;
}
