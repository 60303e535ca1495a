import { isoInstant } from "../clock.ts";
import type { PassVersion } from "./pass.ts";

/** A version as the API shows it. */
export function versionResource(version: PassVersion) {
  return {
    version: version.version,
    change: version.change,
    data: version.data,
    job_id: version.jobId,
    created_at: isoInstant(version.createdAtMs),
  };
}
