import { PasswrightError } from "../../domain/errors.ts";

/** Runs the work unless it is under way for this key already; all who ask meanwhile share one outcome. */
export type SingleFlight<T> = (key: string, work: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/**
 * The work belongs to nobody who waits for it: a waiter whose signal fires leaves with `provider_unavailable`,
 * and the others still get the outcome. So the work needs a deadline of its own.
 */
export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Promise<T>>();
  return (key, work, signal) => {
    let flight = flights.get(key);
    if (flight === undefined) {
      flight = work().finally(() => flights.delete(key));
      flights.set(key, flight);
    }
    return untilAborted(flight, signal);
  };
}

/** What the work comes to, or `provider_unavailable` as soon as the signal fires; the work itself goes on. */
export function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      const detail = "Google did not answer in time";
      reject(new PasswrightError("provider_unavailable", detail, { cause: signal.reason }));
    };
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
