import type { DeadLetterStore } from "./dead-letter.ts";
import type { Selection } from "./select.ts";

/** Forgets letters, one after the other. Their records expire as any that are finished. */
export async function purgeDeadLetters(
  deps: { deadLetters: Pick<DeadLetterStore, "purge"> },
  selection: Selection,
  onProgress: (purged: number) => void,
): Promise<{ purged: number; already_gone: number }> {
  let purged = 0;
  let alreadyGone = 0;
  for await (const letter of selection.letters()) {
    if ((await deps.deadLetters.purge(letter)) === "purged") purged += 1;
    else alreadyGone += 1;
    onProgress(purged);
  }
  return { purged, already_gone: alreadyGone };
}
