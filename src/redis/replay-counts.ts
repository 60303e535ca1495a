import { type ReplayCount, refusedShown } from "../domain/deadletters/replay-task.ts";
import { compareLetterIds } from "../domain/deadletters/select.ts";
import { letterId } from "./dead-letters.ts";

/** What a task has done, out of what the part `replay-step` has counted in each of its partitions. */
export function countOf(parts: readonly { partition: number; fields: Record<string, string> }[]): {
  count: ReplayCount;
  /** The letter that was dealt with last, of each partition that has one. */
  cursors: string[];
} {
  const count: ReplayCount = { replayed: 0, overtaken: 0, already_gone: 0, refused: {}, refused_ids: [] };
  const cursors: string[] = [];
  for (const { partition, fields } of parts) {
    count.replayed += Number(fields.replayed ?? 0);
    count.overtaken += Number(fields.overtaken ?? 0);
    count.already_gone += Number(fields.missing ?? 0);
    if (fields.cursor !== undefined) cursors.push(letterId(partition, fields.cursor));
    for (const [name, value] of Object.entries(fields)) {
      const [what, of = ""] = name.split(":");
      if (what === "refused" && of !== "") count.refused[of] = (count.refused[of] ?? 0) + Number(value);
      if (what === "no") count.refused_ids.push({ id: letterId(partition, of), reason: value });
    }
  }
  count.refused_ids.sort((a, b) => compareLetterIds(a.id, b.id)).splice(refusedShown);
  return { count, cursors };
}
