import { setTimeout as pause } from "node:timers/promises";

/** Asks again until the answer is there; tap's time limit ends it if it never comes. */
export async function eventually<Fact>(look: () => Promise<Fact | undefined>): Promise<Fact> {
  for (;;) {
    const fact = await look();
    if (fact !== undefined) return fact;
    await pause(50);
  }
}
