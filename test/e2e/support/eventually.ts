import { setTimeout as pause } from "node:timers/promises";

/** Asks again until the answer is there. A minute is far more than any fact takes on a busy machine; then it is not coming. */
export async function eventually<Fact>(
  look: () => Promise<Fact | undefined>,
  limitMs = 60_000,
): Promise<Fact> {
  const end = performance.now() + limitMs;
  for (;;) {
    const fact = await look();
    if (fact !== undefined) return fact;
    if (performance.now() > end) throw new Error(`not within ${limitMs} ms: ${look}`);
    await pause(50);
  }
}
