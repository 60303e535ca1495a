import type { Clock } from "../clock.ts";
import type { DeadLetterStore } from "./dead-letter.ts";
import type { Selection } from "./select.ts";

type Deps = {
  deadLetters: Pick<DeadLetterStore, "replay">;
  clock: Clock;
  pause(ms: number): Promise<unknown>;
};

export type Replay = {
  /** Back in the queue. */
  replayed: number;
  /** Passes that have moved on meanwhile: nothing was left to do. */
  overtaken: number;
  /** Somebody else dealt with them meanwhile. */
  already_gone: number;
  /** What could not be replayed, and stays a dead letter, by reason. */
  refused: Record<string, number>;
  /** The first of these. */
  refused_ids: { id: string; reason: string }[];
};

const refusedShown = 100;

/**
 * Moves letters back into the queue, one after the other and each in one step, at most `rate` a second. What was
 * interrupted goes on with the next call: what is back in the queue is no letter any more.
 */
export async function replayDeadLetters(
  deps: Deps,
  selection: Selection,
  options: { rate: number | null; onProgress(replay: Replay): void },
): Promise<Replay> {
  const replay: Replay = { replayed: 0, overtaken: 0, already_gone: 0, refused: {}, refused_ids: [] };
  const startedAtMs = deps.clock.nowMs();
  let begun = 0;
  for await (const letter of selection.letters()) {
    if (options.rate !== null) {
      const waitMs = startedAtMs + (begun * 1000) / options.rate - deps.clock.nowMs();
      if (waitMs > 0) await deps.pause(waitMs);
    }
    begun += 1;
    const outcome = await deps.deadLetters.replay(letter);
    if (outcome === "replayed" || outcome === "overtaken") replay[outcome] += 1;
    else if (outcome === "missing") replay.already_gone += 1;
    else {
      const reason = outcome === "gone" ? "record_gone" : outcome;
      replay.refused[reason] = (replay.refused[reason] ?? 0) + 1;
      if (replay.refused_ids.length < refusedShown) replay.refused_ids.push({ id: letter.id, reason });
    }
    options.onProgress(replay);
  }
  return replay;
}
