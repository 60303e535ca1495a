import { setTimeout as pause } from "node:timers/promises";

/** Asks again until the answer is there. Twenty seconds are far more than any fact takes; then it is not coming. */
export async function eventually<Fact>(
  look: () => Promise<Fact | undefined>,
  limitMs = 20_000,
): Promise<Fact> {
  const end = performance.now() + limitMs;
  for (;;) {
    const fact = await look();
    if (fact !== undefined) return fact;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${look}`);
    await pause(50);
  }
}
