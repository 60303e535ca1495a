import { createRandom } from "../e2e/model/random.ts";

/** What can befall the service, and how often each comes to pass, relative to the others. */
export const faultWeights = {
  "kill-worker": 6,
  "freeze-worker": 3,
  "kill-serve": 4,
  "kill-redis": 2,
  "freeze-redis": 1,
  "cut-connections": 3,
  "delete-stream": 2,
  "delete-waiting": 2,
  "destroy-group": 2,
};
export type FaultKind = keyof typeof faultWeights;
export const faultKinds = Object.keys(faultWeights) as FaultKind[];

export type Fault = {
  kind: FaultKind;
  /** How long after the one before it, ms. */
  afterMs: number;
  /** Which of several it hits: taken modulo their number. */
  target: number;
  /** How long it lasts, where it does, as a share of the longest. */
  share: number;
};

/** The faults in their order, without end: all of it follows from the seed alone. */
export function* planFaults(
  seed: number,
  kinds: readonly FaultKind[],
  everyMs: number,
): Generator<Fault, never> {
  const random = createRandom(seed * 7919 + 5);
  const weights = Object.fromEntries(kinds.map((kind) => [kind, faultWeights[kind]]));
  for (;;) {
    yield {
      kind: random.weighted(weights) as FaultKind,
      afterMs: everyMs * (0.6 + random.below(800) / 1000),
      target: random.below(1 << 16),
      share: random.below(1000) / 1000,
    };
  }
}
