import { randomUUID } from "node:crypto";
import type { Clock } from "../domain/clock.ts";
import type { Turns } from "../domain/turns.ts";
import type { StoreParts } from "./store.ts";

const leaseMs = 60_000;

/** How far apart the clocks of two processes may be and yet agree on which run a turn was for. */
const rememberedMs = 24 * 60 * 60 * 1000;

/** One of all processes gets each due run of a task: whoever asks first. */
export function createTurns({ keys, run }: Pick<StoreParts, "keys" | "run">, clock: Clock): Turns {
  return {
    leaseMs,
    async take(task, dueAtMs) {
      const key = keys.turn(task);
      const holder = randomUUID();
      const reply = await run("take-turn", [key], [dueAtMs, clock.nowMs(), leaseMs, holder, rememberedMs]);
      if (reply !== "yours") return null;
      const hold = async (untilMs: number): Promise<boolean> =>
        (await run("hold-turn", [key], [holder, untilMs])) === "yours";
      return {
        renew: () => hold(clock.nowMs() + leaseMs),
        async end() {
          await hold(clock.nowMs());
        },
      };
    },
  };
}
