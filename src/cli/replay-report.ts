import type { ReplayTask } from "../domain/deadletters/replay-task.ts";
import { replayTaskResource } from "../domain/deadletters/replay-task.ts";
import { exitCodes } from "./base-command.ts";
import { factLines, tableLines } from "./table.ts";

/** A task for people: what is not the case is left out. */
export function replayTaskLines(task: ReplayTask, nowMs: number): string[] {
  const resource = replayTaskResource(task, nowMs);
  const { filter, refused, refused_ids: ids, tenant_id: tenantId, replay_limit: limit, ...facts } = resource;
  const asked = Object.entries(filter).filter(([name, value]) => value !== null && name !== "tenant_id");
  const known = Object.entries(facts).filter(([, value]) => value !== null && value !== 0);
  const lines = factLines({
    ...(Object.fromEntries(known) as Record<string, string | number>),
    scope: tenantId ?? "all tenants",
    ...(asked.length > 0 && { filter: asked.map(([name, value]) => `${name}=${value}`).join(" ") }),
    ...(limit === null && { "replay limit": "none" }),
  });
  if (ids.length === 0) return lines;
  const reasons = tableLines(["stays because", "letters"], Object.entries(refused));
  return [...lines, "", ...reasons, "", ...ids.map(({ id, reason }) => `${id} stays: ${reason}`)];
}

export function replayTaskTable(tasks: readonly ReplayTask[], nowMs: number): string[] {
  const rows = tasks.map((task) => {
    const resource = replayTaskResource(task, nowMs);
    const dealt = resource.matched - resource.remaining;
    return [
      resource.id,
      resource.status,
      resource.created_at,
      resource.requested_by,
      resource.tenant_id ?? "all",
      `${dealt}/${resource.matched}`,
      resource.replayed,
      resource.rate ?? "-",
    ];
  });
  const headings = ["id", "status", "begun", "by", "tenant", "done", "replayed", "rate"];
  return tableLines(headings, rows, { least: ["rate", "by", "tenant", "begun"] });
}

/** How a replay went, for scripts. `unknown` ids were named and are no letters. */
export function replayExitCode({ count, status }: ReplayTask, unknown = 0): number {
  const settled = count.replayed + count.overtaken;
  const isWhole = status === "completed" && unknown === 0 && Object.keys(count.refused).length === 0;
  if (!isWhole) return settled > 0 ? exitCodes.partly : exitCodes.failed;
  // Others were faster with every one of them: nothing was left that matched.
  return settled > 0 ? exitCodes.done : exitCodes.nothing;
}
