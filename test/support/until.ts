import { setTimeout as delay } from "node:timers/promises";

/**
 * Asks for a fact again and again until it holds, and answers with it. An attempt that throws counts as «not yet».
 * Rejects after `patienceMs`, naming what was waited for.
 */
export async function until<Fact>(
  what: string,
  fact: () => Fact | Promise<Fact>,
  patienceMs = 45_000,
): Promise<Exclude<Fact, null | undefined | false>> {
  const deadline = performance.now() + patienceMs;
  let lastError: unknown;
  for (;;) {
    try {
      const found = await fact();
      if (found !== null && found !== undefined && found !== false) {
        return found as Exclude<Fact, null | undefined | false>;
      }
    } catch (error) {
      lastError = error;
    }
    if (performance.now() > deadline) throw new Error(`never came true: ${what}`, { cause: lastError });
    await delay(5);
  }
}
