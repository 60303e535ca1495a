/**
 * Faults that a pass asks for itself, without a word to the control API: by an id such as `3388….fault-429-once`, or by
 * a text anywhere in it, such as `sandbox:google:429:once`. `x3` instead of `once` is three times; neither is every time.
 */
import type { Fault } from "../faults.ts";

export const magicWords = ["403", "429", "500", "503", "slow", "reset"] as const;

export type Magic = {
  /** The fault that the request brings with it, counted as used. `resource` is `type/id`. */
  take(resource: string, body: Buffer): Fault | undefined;
};

const word = `(${magicWords.join("|")})`;
const inIds = new RegExp(`\\bfault-${word}(?:-(once|x[1-9]\\d?))?\\b`);
const inTexts = new RegExp(`\\bsandbox:google:${word}(?::(once|x[1-9]\\d?))?\\b`);
/** So many uses are remembered, the latest. */
const remembered = 10_000;

export function createMagic({ slowMs }: { slowMs: number }): Magic {
  const uses = new Map<string, number>();

  function isUsedUp(key: string, times: string | undefined): boolean {
    if (times === undefined) return false;
    const used = uses.get(key) ?? 0;
    uses.delete(key);
    uses.set(key, used + 1);
    const [oldest] = uses.keys();
    if (uses.size > remembered && oldest !== undefined) uses.delete(oldest);
    return used >= (times === "once" ? 1 : Number(times.slice(1)));
  }

  return {
    take(resource, body) {
      const [text, which, times] = inIds.exec(resource) ?? inTexts.exec(body.toString("utf8")) ?? [];
      if (text === undefined || isUsedUp(`${resource} ${text}`, times)) return undefined;
      return {
        id: text,
        resourcePrefix: resource,
        status: /^\d/.test(which ?? "") ? Number(which) : null,
        headers: {},
        delayMs: which === "slow" ? slowMs : 0,
        reset: which === "reset",
        when: "before",
        remaining: 1,
      };
    },
  };
}
