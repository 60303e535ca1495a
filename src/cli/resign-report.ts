import { type ResignTask, resignTaskResource } from "../domain/resigns/resign-task.ts";
import { exitCodes } from "./exit-codes.ts";
import { factLines } from "./table.ts";

/** A task for people: what is not the case is left out. */
export function resignTaskLines(task: ResignTask, nowMs: number): string[] {
  const facts = Object.entries(resignTaskResource(task, nowMs));
  const known = facts.filter(([name, value]) => value !== null && !(name === "untold" && value === 0));
  return factLines(Object.fromEntries(known) as Record<string, string | number>);
}

/** How it went, for scripts. */
export function resignExitCode({ status, count }: ResignTask): number {
  if (status === "completed") return count.untold === 0 ? exitCodes.done : exitCodes.partly;
  return count.renewed > 0 && status !== "failed" ? exitCodes.partly : exitCodes.failed;
}
