import { jobTypes } from "../../../domain/jobs/job.ts";
import type { JsonSchema } from "../../route.ts";
import { failureSchema } from "./error.ts";
import { choice, described, instant, instantOrNull, integer, record, uuid } from "./scalars.ts";

export const jobSchema = record("JobResponse", {
  id: uuid,
  type: choice(jobTypes),
  status: described(
    "`retrying`: an attempt failed and the next one waits for its time. `completed`, `failed` and `cancelled` are final.",
    choice(["queued", "running", "retrying", "completed", "failed", "cancelled"]),
  ),
  resource: record("JobResource", {
    type: choice(["pass", "message", "batch"]),
    id: uuid,
  }),
  attempts: described("How often the work was begun.", integer(0, 2_147_483_647)),
  progress: record("JobProgress", { done: integer(0), total: integer(0) }),
  error: orNull(failureSchema),
  created_at: instant,
  started_at: instantOrNull,
  finished_at: instantOrNull,
});

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}
