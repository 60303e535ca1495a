import type { Key } from "./key.ts";
import { type RunningReplay, tabs } from "./page.ts";
import { cursorIndex, type Dialog, type Selection, type State, shownRows, type Verb } from "./state.ts";

/** Keys by what they do, as the help shows them. */
export const keyHelp: readonly (readonly [keys: string, what: string])[] = [
  ["tab, 1 to 6", "go to another tab"],
  ["↑ ↓, k j", "up and down; page up, page down, g first, G last"],
  ["enter", "see more of the row"],
  ["esc", "back; put away what stands over the page"],
  ["/", "show only rows with a text; enter keeps it, esc drops it"],
  ["s", "tenants: show only this tenant on the other tabs; again: all"],
  ["[ ]", "tenants: newer ones, older ones"],
  ["← →, h l", "jobs: only one state or status; dead letters: only one reason"],
  ["x, a", "dead letters: mark one; mark all that are shown, or none"],
  ["R, P", "dead letters: REPLAY, PURGE what is marked, or the row"],
  ["E, F", "dead letters: REPLAY, PURGE every one of the reason that is shown"],
  ["C", "dead letters: CANCEL the replay that runs"],
  ["?", "this help"],
  ["q, ctrl-c", "leave"],
];

/** What a key does to the state. Lower case looks; only upper case leads to a change, and asks before it. */
export function afterKey(given: State, key: Key): State {
  const state = given.notice === null ? given : { ...given, notice: null };
  if (state.dialog !== null) return inDialog(state, state.dialog, key);
  if (state.isFiltering) return inFilter(state, key);
  if (state.helpShown) {
    const leaves = key.name === "escape" || ["?", "q"].includes(key.text);
    return leaves ? { ...state, helpShown: false } : state;
  }
  if (key.name === "text") return afterText(state, key.text);
  switch (key.name) {
    case "up":
      return moved(state, -1);
    case "down":
      return moved(state, 1);
    case "page up":
      return moved(state, -pageLength(state));
    case "page down":
      return moved(state, pageLength(state));
    case "home":
      return moved(state, Number.NEGATIVE_INFINITY);
    case "end":
      return moved(state, Number.POSITIVE_INFINITY);
    case "left":
      return choosing(state, -1);
    case "right":
      return choosing(state, 1);
    case "tab":
      return atTab(state, tabs.indexOf(state.place.tab) + 1);
    case "back tab":
      return atTab(state, tabs.indexOf(state.place.tab) - 1);
    case "enter":
      return opened(state);
    case "escape":
      return back(state);
    default:
      return state;
  }
}

function afterText(state: State, text: string): State {
  switch (text) {
    case "j":
      return moved(state, 1);
    case "k":
      return moved(state, -1);
    case "g":
      return moved(state, Number.NEGATIVE_INFINITY);
    case "G":
      return moved(state, Number.POSITIVE_INFINITY);
    case "h":
      return choosing(state, -1);
    case "l":
      return choosing(state, 1);
    case "/":
      return { ...state, isFiltering: true, filter: "" };
    case "?":
      return { ...state, helpShown: true };
    case "q":
      return { ...state, left: true };
    case "s":
      return scoped(state);
    case "x":
    case " ":
      return marking(state);
    case "a":
      return markingAll(state);
    case "R":
    case "P":
      return asking(state, text === "R" ? "replay" : "purge", idsOf(state));
    case "C":
      return cancelling(state);
    case "[":
      return stretching(state, -1);
    case "]":
      return stretching(state, 1);
    case "E":
    case "F": {
      const { choice: reason, scope } = state.place;
      return asking(state, text === "E" ? "replay" : "purge", { reason, scope });
    }
    default: {
      const number = Number(text);
      return number >= 1 && number <= tabs.length ? atTab(state, number - 1) : state;
    }
  }
}

function pageLength({ size }: State): number {
  return Math.max(1, size.rows - 10);
}

function moved(state: State, by: number): State {
  if (state.page?.lines !== undefined) {
    const last = Math.max(0, state.page.lines.length - 1);
    return { ...state, scroll: Math.min(Math.max(state.scroll + by, 0), last) };
  }
  const rows = shownRows(state);
  const index = Math.min(Math.max(cursorIndex(state) + by, 0), rows.length - 1);
  return { ...state, cursor: rows[index]?.id ?? null };
}

/** Another page: what was read, marked and filtered belongs to the one before. */
function at(state: State, place: Partial<State["place"]>, cursors: readonly string[], cursor: string | null) {
  return {
    ...state,
    place: { ...state.place, stretch: 0, ...place },
    cursors,
    cursor,
    page: null,
    choices: [],
    readAtMs: null,
    scroll: 0,
    marked: new Set<string>(),
    filter: "",
  };
}

function atTab(state: State, index: number): State {
  const tab = tabs.at(index % tabs.length) ?? "overview";
  return at(state, { tab, path: [], choice: null }, [], null);
}

function opened(state: State): State {
  const row = shownRows(state)[cursorIndex(state)];
  if (row === undefined || row.opens !== true) return state;
  return at(state, { path: [...state.place.path, row.id] }, [...state.cursors, row.id], null);
}

function back(state: State): State {
  if (state.filter !== "") return { ...state, filter: "" };
  const { path } = state.place;
  if (path.length === 0) return state;
  return at(state, { path: path.slice(0, -1) }, state.cursors.slice(0, -1), state.cursors.at(-1) ?? null);
}

/** All, the first choice, the second, … and all again. */
function choosing(state: State, by: 1 | -1): State {
  const { choices } = state;
  if (choices.length === 0) return state;
  const all = [null, ...choices];
  const index = Math.max(all.indexOf(state.place.choice), 0) + by;
  return { ...at(state, { choice: all.at(index % all.length) ?? null }, state.cursors, null), choices };
}

/** The next of a list that is longer than is read at a time, or the one before. */
function stretching(state: State, by: 1 | -1): State {
  const { stretch } = state.place;
  const isThere = by > 0 ? state.page?.hasMore === true : stretch > 0;
  return isThere ? at(state, { stretch: stretch + by }, state.cursors, null) : state;
}

function scoped(state: State): State {
  const row = shownRows(state)[cursorIndex(state)];
  const { scope } = state.place;
  if (row?.tenant === undefined) {
    // What it could be limited to was the tenant's.
    return scope === null ? state : at(state, { scope: null, choice: null }, state.cursors, state.cursor);
  }
  const next = scope?.id === row.tenant.id ? null : row.tenant;
  // The list of tenants stays as it is.
  return { ...state, place: { ...state.place, scope: next } };
}

function marking(state: State): State {
  const row = canMark(state) ? shownRows(state)[cursorIndex(state)] : undefined;
  if (row === undefined) return state;
  const marked = new Set(state.marked);
  if (!marked.delete(row.id)) marked.add(row.id);
  return moved({ ...state, marked }, 1);
}

function markingAll(state: State): State {
  if (!canMark(state)) return state;
  const ids = shownRows(state).map(({ id }) => id);
  const isAll = ids.every((id) => state.marked.has(id));
  return { ...state, marked: new Set(isAll ? [] : [...state.marked, ...ids]) };
}

function canMark({ place }: State): boolean {
  return place.tab === "dead letters" && place.path.length === 0;
}

/** What is marked; else the row that is looked at, or the letter whose page this is. */
function idsOf(state: State): { ids: string[] } {
  const [letter] = state.place.path;
  if (letter !== undefined) return { ids: [letter] };
  if (state.marked.size > 0) return { ids: [...state.marked] };
  const row = shownRows(state)[cursorIndex(state)];
  return { ids: row === undefined ? [] : [row.id] };
}

function asking(state: State, verb: Verb, selection: Selection): State {
  if (state.place.tab !== "dead letters") return state;
  if ("ids" in selection && selection.ids.length === 0) return state;
  const notice = hindrance(state);
  if (notice !== null) return { ...state, notice };
  const act = { number: nextNumber(state), kind: "plan", verb, selection } as const;
  return { ...state, act, dialog: { stage: "planning", verb } };
}

/** Asks whether the replay that runs is to end, also one whose progress is looked at. */
function cancelling(state: State): State {
  if (state.place.tab !== "dead letters") return state;
  const { replay } = state.page ?? {};
  const notice = hindrance(state) ?? (replay === undefined ? "No replay runs." : null);
  if (notice !== null || replay === undefined) return { ...state, notice };
  return { ...state, dialog: { stage: "cancelling", verb: "cancel", replay } };
}

/** Why nothing can be changed at the moment. */
function hindrance({ readOnly, stale }: State): string | null {
  if (readOnly) return "Started with --read-only: nothing can be changed.";
  return stale === null ? null : "Not while Redis does not answer.";
}

function nextNumber({ act }: State): number {
  return (act?.number ?? 0) + 1;
}

function inDialog(state: State, dialog: Dialog, key: Key): State {
  if (key.name === "escape") return { ...state, dialog: null };
  if (dialog.stage === "ended" && (key.name === "enter" || key.text === "q"))
    return { ...state, dialog: null };
  if (dialog.stage === "working" && dialog.verb === "replay" && key.text === "C") return cancelling(state);
  if (dialog.stage === "cancelling" && key.text === "C") return cancelled(state, dialog.replay);
  if (dialog.stage !== "confirming") return state;
  if (key.name === "enter") {
    if (dialog.typed !== String(dialog.planned.matched)) {
      return { ...state, dialog: null, notice: "That was another number. Nothing has been done." };
    }
    const { verb, planned } = dialog;
    const act = { number: state.act?.number ?? 0, kind: "carry out", verb } as const;
    return { ...state, act, dialog: { stage: "working", verb, done: 0, total: planned.matched } };
  }
  const typed = key.name === "backspace" ? dialog.typed.slice(0, -1) : dialog.typed + digitsOf(key);
  return { ...state, dialog: { ...dialog, typed: typed.slice(0, 12) } };
}

function cancelled(state: State, { id, done, total }: RunningReplay): State {
  const act = { number: nextNumber(state), kind: "cancel", verb: "cancel", replayId: id } as const;
  return { ...state, act, dialog: { stage: "working", verb: "cancel", done, total } };
}

function digitsOf({ name, text }: Key): string {
  return name === "text" ? text.replace(/\D/g, "") : "";
}

function inFilter(state: State, key: Key): State {
  switch (key.name) {
    case "enter":
      return { ...state, isFiltering: false };
    case "escape":
      return { ...state, isFiltering: false, filter: "" };
    case "backspace":
      return { ...state, filter: state.filter.slice(0, -1) };
    case "text":
      return { ...state, filter: (state.filter + key.text).slice(0, 60) };
    default:
      return moved(state, key.name === "up" ? -1 : key.name === "down" ? 1 : 0);
  }
}
