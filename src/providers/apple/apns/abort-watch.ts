/** Calls `aborted` when the signal aborts; answers with what takes that back. */
export type AbortWatch = (signal: AbortSignal, aborted: () => void) => () => void;

/**
 * Watches signals that hundreds of requests share with one listener each: a signal compares every new listener with all that it
 * has, which at a page of pushes costs more than the pushes.
 */
export function createAbortWatch(): AbortWatch {
  const watched = new WeakMap<AbortSignal, { calls: Set<() => void>; listener: () => void }>();

  function watch(signal: AbortSignal) {
    const calls = new Set<() => void>();
    const listener = (): void => {
      for (const call of [...calls]) call();
    };
    signal.addEventListener("abort", listener, { once: true });
    const entry = { calls, listener };
    watched.set(signal, entry);
    return entry;
  }

  return (signal, aborted) => {
    const { calls, listener } = watched.get(signal) ?? watch(signal);
    calls.add(aborted);
    return () => {
      calls.delete(aborted);
      if (calls.size > 0 || watched.get(signal)?.calls !== calls) return;
      watched.delete(signal);
      signal.removeEventListener("abort", listener);
    };
  };
}
