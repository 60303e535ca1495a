import { isoInstant } from "../clock.ts";
import type { PassData } from "./pass.ts";

/** One accepted state of a pass's data. */
export type PassVersion = {
  version: number;
  change: "created" | "updated";
  data: PassData;
  jobId: string;
  createdAtMs: number;
};

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
