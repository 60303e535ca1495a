import type { Happening } from "./happening.ts";

/** When a phone is put away. */
export type End = { kind: "voided" } | { kind: "updates" | "seconds"; count: number };

/** `voided`, `updates=N` or `seconds=N`; null for anything else. */
export function endOf(text: string): End | null {
  if (text === "voided") return { kind: "voided" };
  const [, kind, number] = /^(updates|seconds)=(\d{1,6})$/.exec(text) ?? [];
  if ((kind !== "updates" && kind !== "seconds") || Number(number) === 0) return null;
  return { kind, count: Number(number) };
}

/** Calls `reached` as soon as one of the ends has come, seen from what happens. */
export function createEnds(ends: readonly End[], reached: () => void) {
  let updates = 0;
  const timers = ends.flatMap((end) =>
    end.kind === "seconds" ? [setTimeout(reached, end.count * 1000)] : [],
  );
  return {
    saw(happening: Happening): void {
      if (happening.event === "fetched") updates += 1;
      const isVoid = happening.event === "voided" || (happening.event === "installed" && happening.voided);
      const isReached = ends.some(
        (end) => (end.kind === "voided" && isVoid) || (end.kind === "updates" && updates >= end.count),
      );
      if (isReached) reached();
    },
    stop(): void {
      for (const timer of timers) clearTimeout(timer);
    },
  };
}
