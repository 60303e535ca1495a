import { placeKey, type ReadPage } from "./page.ts";
import { reduce } from "./reduce.ts";
import type { Act, DashboardEvent, State } from "./state.ts";

/** What is done on an operator's word. Resolves with what to tell of it, and rejects with what went wrong. */
export type Acts = {
  plan(act: Extract<Act, { kind: "plan" }>): Promise<Extract<DashboardEvent, { type: "planned" }>["planned"]>;
  /** The plan of the same number. `signal`: one leaves, and whoever else can goes on with it. */
  carryOut(
    number: number,
    options: { signal: AbortSignal; onProgress(done: number, total: number): void },
  ): Promise<readonly string[]>;
  /** Ends a replay that runs, whoever drives it. */
  cancel(replayId: string, signal: AbortSignal): Promise<readonly string[]>;
};

export type Session = {
  state(): State;
  dispatch(event: DashboardEvent): void;
  /** Calls back after each change; answers with how to be called no more. */
  subscribe(changed: () => void): () => void;
  /** Reads the page that is looked at, and again every interval, until `stop`. */
  start(): void;
  /** Whether something that was confirmed is still being done. */
  isBusy(): boolean;
  /** Reads nothing more. Resolves once what was begun has ended, or is in other hands. */
  stop(): Promise<void>;
};

/**
 * Holds the state and does what it asks for: reads the page that is looked at and no other, and carries acts out. One reading
 * is under way at a time, so a slow Redis is asked less often, not more.
 */
export function createSession(
  first: State,
  deps: { read: ReadPage; acts: Acts; nowMs(): number; intervalMs: number; tickMs?: number },
): Session {
  const { read, acts, nowMs } = deps;
  const leaving = new AbortController();
  const listeners = new Set<() => void>();
  const underWay = new Set<Promise<void>>();
  let state = first;
  let nextReading: NodeJS.Timeout | undefined;
  let ticking: NodeJS.Timeout | undefined;
  let reading = false;
  let started = false;

  function dispatch(event: DashboardEvent): void {
    const before = state;
    state = reduce(before, event);
    if (state === before) return;
    for (const changed of listeners) changed();
    if (state.act !== null && state.act !== before.act) begin(state.act);
    if (started && placeKey(state.place) !== placeKey(before.place)) void readNow();
  }

  async function readNow(): Promise<void> {
    clearTimeout(nextReading);
    if (reading || leaving.signal.aborted) return;
    reading = true;
    const { place } = state;
    try {
      const page = await read(place);
      dispatch({ type: "read", place: placeKey(place), page, nowMs: nowMs() });
    } catch (error) {
      dispatch({ type: "unread", why: messageOf(error), nowMs: nowMs() });
    }
    reading = false;
    if (leaving.signal.aborted) return;
    const hasMoved = placeKey(place) !== placeKey(state.place);
    nextReading = setTimeout(() => void readNow(), hasMoved ? 0 : deps.intervalMs);
  }

  function begin(act: Act): void {
    const work = carry(act).catch((error: unknown) => {
      dispatch({ type: "ended", act: act.number, lines: [messageOf(error)], failed: true });
    });
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  }

  async function carry(act: Act): Promise<void> {
    if (act.kind === "plan") {
      dispatch({ type: "planned", act: act.number, planned: await acts.plan(act) });
      return;
    }
    const lines =
      act.kind === "cancel" ? await acts.cancel(act.replayId, leaving.signal) : await carryOut(act);
    dispatch({ type: "ended", act: act.number, lines, failed: false });
    void readNow();
  }

  function carryOut({ number }: Act): Promise<readonly string[]> {
    return acts.carryOut(number, {
      signal: leaving.signal,
      onProgress: (done, total) => dispatch({ type: "went on", act: number, done, total }),
    });
  }

  return {
    state: () => state,
    dispatch,
    subscribe(changed) {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
    start() {
      started = true;
      ticking = setInterval(() => dispatch({ type: "ticked", nowMs: nowMs() }), deps.tickMs ?? 1000);
      void readNow();
    },
    isBusy: () => underWay.size > 0,
    async stop() {
      leaving.abort();
      clearTimeout(nextReading);
      clearInterval(ticking);
      await Promise.all(underWay);
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
