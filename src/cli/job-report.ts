import { isoInstant } from "../domain/clock.ts";
import type { JobDetails } from "../domain/jobs/history.ts";
import type { Job } from "../domain/jobs/job.ts";
import { jobDetailResource } from "../domain/jobs/resource.ts";
import { factLines, tableLines } from "./table.ts";

/** A list of jobs for people. */
export function jobTable(jobs: readonly Job[]): string[] {
  return tableLines(
    ["id", "type", "status", "done", "attempts", "created", "error"],
    jobs.map(({ id, type, status, progress, attempts, createdAtMs, error }) => [
      id,
      type,
      status,
      `${progress.done}/${progress.total}`,
      attempts,
      isoInstant(createdAtMs),
      error?.code ?? "-",
    ]),
    { least: ["attempts", "created"] },
  );
}

/** One job with its lanes; what is not the case is left out. */
export function jobLines(details: JobDetails): string[] {
  const { lanes, resource, progress, error, warnings = [], ...facts } = jobDetailResource(details);
  const { id, type, status, trace_id, ...rest } = facts;
  const known = Object.entries(rest).filter(([, value]) => value !== null);
  const lines = factLines({
    ...{ id, type, status },
    [resource.type]: resource.id,
    done: `${progress.done} of ${progress.total}`,
    ...(Object.fromEntries(known) as Record<string, string | number>),
    trace_id,
  });
  if (error !== null) lines.push("", `${error.error}: ${error.error_description}`);
  for (const { warning, description } of warnings) lines.push("", `${warning}: ${description}`);
  if (lanes.length === 0) return lines;
  const rows = lanes.map((lane) => [
    lane.lane,
    lane.state,
    lane.attempts,
    lane.replays,
    lane.next_attempt_at ?? "-",
    lane.dead_letter ?? "-",
  ]);
  const heads = ["lane", "state", "attempts", "replays", "next attempt", "dead letter"];
  return [...lines, "", ...tableLines(heads, rows)];
}
