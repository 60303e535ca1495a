import type { Pass } from "../../src/domain/passes/pass.ts";

type Latest = "versionJobId" | "versionAtMs" | "revision" | "message" | "change" | "modifiedAtMs";

/** A pass whose latest operation made its present version, and that no message was sent to, unless it says so. */
export function wholePass(given: Omit<Pass, Latest> & Partial<Pick<Pass, Latest>>): Pass {
  return {
    versionJobId: given.jobId,
    versionAtMs: given.updatedAtMs,
    revision: given.version,
    message: null,
    change: given.version - 1,
    modifiedAtMs: given.updatedAtMs,
    ...given,
  };
}
