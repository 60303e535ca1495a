import type { Key } from "./key.ts";
import {
  type Page,
  type Place,
  placeKey,
  type Row,
  type RunningReplay,
  type Scope,
  type Tab,
} from "./page.ts";

/** What is done with dead letters. */
export type Verb = "replay" | "purge";

/** What is done at all: a replay that runs can be ended. */
export type Deed = Verb | "cancel";

/** Which letters: some by their ids, or all of a reason, of a tenant or of all. */
export type Selection = { ids: readonly string[] } | { reason: string | null; scope: Scope | null };

/** What a dry run has found. */
export type Planned = { matched: number; obstacles: Record<string, number>; reasons: Record<string, number> };

/** What stands over the page. Only `confirming` with its `typed` word, and `cancelling`, lead to a change. */
export type Dialog =
  | { stage: "planning"; verb: Verb }
  | { stage: "confirming"; verb: Verb; planned: Planned; typed: string }
  | { stage: "cancelling"; verb: "cancel"; replay: RunningReplay }
  | { stage: "working"; verb: Deed; done: number; total: number }
  | { stage: "ended"; verb: Deed; lines: readonly string[]; failed: boolean };

/** What is to be done now; `number` tells one from the next. */
export type Act =
  | { number: number; kind: "plan"; verb: Verb; selection: Selection }
  | { number: number; kind: "carry out"; verb: Verb }
  | { number: number; kind: "cancel"; verb: "cancel"; replayId: string };

export type Size = { columns: number; rows: number };

export type State = {
  place: Place;
  /** Where one was in the pages that lead to this one. */
  cursors: readonly string[];
  /** Null until it has been read. */
  page: Page | null;
  /** What the list could be limited to, also while it is read anew for another choice. */
  choices: readonly string[];
  /** The row that is looked at, by its id, since rows move. In text: how far it is scrolled. */
  cursor: string | null;
  scroll: number;
  marked: ReadonlySet<string>;
  filter: string;
  isFiltering: boolean;
  helpShown: boolean;
  dialog: Dialog | null;
  act: Act | null;
  notice: string | null;
  readAtMs: number | null;
  /** Since when Redis gives no answer, and what is said of it. */
  stale: { sinceMs: number; why: string } | null;
  nowMs: number;
  size: Size;
  readOnly: boolean;
  left: boolean;
};

export type DashboardEvent =
  | { type: "key"; key: Key }
  | { type: "resized"; size: Size }
  | { type: "ticked"; nowMs: number }
  | { type: "read"; place: string; page: Page; nowMs: number }
  | { type: "unread"; why: string; nowMs: number }
  | { type: "planned"; act: number; planned: Planned }
  | { type: "went on"; act: number; done: number; total: number }
  | { type: "ended"; act: number; lines: readonly string[]; failed: boolean };

export function firstState(given: { size: Size; nowMs: number; readOnly: boolean; tab?: Tab }): State {
  return {
    place: { tab: given.tab ?? "overview", path: [], scope: null, choice: null, stretch: 0 },
    cursors: [],
    page: null,
    choices: [],
    cursor: null,
    scroll: 0,
    marked: new Set(),
    filter: "",
    isFiltering: false,
    helpShown: false,
    dialog: null,
    act: null,
    notice: null,
    readAtMs: null,
    stale: null,
    nowMs: given.nowMs,
    size: given.size,
    readOnly: given.readOnly,
    left: false,
  };
}

/** The rows that the filter lets through: those with its text in a cell, whatever its case. */
export function shownRows({ page, filter }: Pick<State, "page" | "filter">): readonly Row[] {
  const rows = page?.rows ?? [];
  const wanted = filter.toLowerCase();
  return wanted === "" ? rows : rows.filter(({ cells }) => cells.join(" ").toLowerCase().includes(wanted));
}

/** Where the cursor is among the rows that are shown; -1 where there are none. */
export function cursorIndex(state: State): number {
  const rows = shownRows(state);
  const index = rows.findIndex(({ id }) => id === state.cursor);
  return index >= 0 ? index : rows.length > 0 ? 0 : -1;
}

/** What data, time and the terminal do to the state; keys have a file of their own. */
export function afterEvent(state: State, event: Exclude<DashboardEvent, { type: "key" }>): State {
  switch (event.type) {
    case "resized":
      return { ...state, size: event.size };
    case "ticked":
      return { ...state, nowMs: event.nowMs };
    case "read":
      return afterReading(state, event);
    case "unread":
      return {
        ...state,
        nowMs: event.nowMs,
        stale: { sinceMs: state.stale?.sinceMs ?? event.nowMs, why: event.why },
      };
    case "planned":
      return afterPlanning(state, event);
    case "went on":
      if (state.act?.number !== event.act || state.dialog?.stage !== "working") return state;
      return { ...state, dialog: { ...state.dialog, done: event.done, total: event.total } };
    case "ended":
      return afterAct(state, event);
  }
}

function afterReading(state: State, event: Extract<DashboardEvent, { type: "read" }>): State {
  const answered = { ...state, nowMs: event.nowMs, stale: null };
  // The answer to what was asked before one went on to another page.
  if (event.place !== placeKey(state.place)) return answered;
  const { page } = event;
  const read = { ...answered, page, choices: page.choices ?? [], readAtMs: event.nowMs };
  const known = new Set(page.rows.map(({ id }) => id));
  // A row that is gone cannot be dealt with any more, and where it was, the next one is.
  const marked = new Set([...state.marked].filter((id) => known.has(id)));
  if (state.cursor === null || known.has(state.cursor)) return { ...read, marked };
  const rows = shownRows(read);
  const before = Math.min(Math.max(cursorIndex(state), 0), rows.length - 1);
  return { ...read, marked, cursor: rows[before]?.id ?? null };
}

function afterPlanning(state: State, { act, planned }: Extract<DashboardEvent, { type: "planned" }>): State {
  if (state.act?.number !== act || state.dialog?.stage !== "planning") return state;
  const { verb } = state.dialog;
  if (planned.matched > 0) {
    return { ...state, dialog: { stage: "confirming", verb, planned, typed: "" } };
  }
  const lines = ["No dead letter matches any more."];
  return { ...state, dialog: { stage: "ended", verb, lines, failed: true } };
}

/** What came of an act is told also to those who have put its dialog away. */
function afterAct(state: State, { act, lines, failed }: Extract<DashboardEvent, { type: "ended" }>): State {
  if (state.act?.number !== act || state.dialog === null) return { ...state, notice: lines.join(" ") };
  const { verb } = state.act;
  return { ...state, marked: new Set(), dialog: { stage: "ended", verb, lines, failed } };
}
