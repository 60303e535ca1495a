import { jobTypes, warningCodes } from "../../../domain/jobs/job.ts";
import type { JsonSchema } from "../../route.ts";
import { failureSchema } from "./error.ts";
import { choice, described, instant, instantOrNull, integer, record, text, uuid } from "./scalars.ts";

const warnings = described(
  "What was done otherwise than one may expect; only where there is something to say. `notification_capped`: the wallet shows a message without notifying. `change_not_notified`: an update changes values, and none of a field with a `change_message`, so Apple Wallet says nothing of it on the lock screen.",
  {
    type: "array",
    maxItems: 10,
    items: record("JobWarning", { warning: choice(warningCodes), description: text(500) }),
  },
);

const members = {
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
  warnings,
  created_at: instant,
  started_at: instantOrNull,
  finished_at: instantOrNull,
};

export const jobSchema = record("JobResponse", members, { optional: ["warnings"] });

export function orNull(schema: JsonSchema): JsonSchema {
  return { anyOf: [schema, { type: "null" }] };
}
