import type { Key, KeyName } from "../../../src/tui/key.ts";
import { type Page, placeKey, type Row } from "../../../src/tui/page.ts";
import { reduce } from "../../../src/tui/reduce.ts";
import { firstState, type Size, type State } from "../../../src/tui/state.ts";

export const nowMs = Date.parse("2026-11-15T12:00:00.000Z");

export function opened(given: { size?: Size; readOnly?: boolean } = {}): State {
  const { size = { columns: 80, rows: 24 }, readOnly = false } = given;
  return firstState({ size, nowMs, readOnly });
}

const named: readonly KeyName[] = [
  "up",
  "down",
  "left",
  "right",
  "enter",
  "escape",
  "tab",
  "back tab",
  "backspace",
];

/** The state after keys were pressed: their names, or the letters themselves. */
export function press(state: State, ...keys: string[]): State {
  return keys
    .map((key): Key => {
      const name = named.find((each) => each === key);
      return name === undefined ? { name: "text", text: key } : { name, text: "" };
    })
    .reduce((before, key) => reduce(before, { type: "key", key }), state);
}

/** The state after the page that it is at has been read. */
export function read(state: State, page: Partial<Page>, atMs = nowMs): State {
  return reduce(state, { type: "read", place: placeKey(state.place), page: pageOf(page), nowMs: atMs });
}

export function pageOf(page: Partial<Page>): Page {
  return { facts: [], columns: [{ title: "name" }], rows: [], empty: "Nothing.", ...page };
}

export function rowsOf(...ids: string[]): Row[] {
  return ids.map((id) => ({ id, cells: [id], opens: true }));
}

/** At the dead letters, with these. */
export function atLetters(given: Parameters<typeof opened>[0], ...ids: string[]): State {
  return read(press(opened(given), "5"), { rows: rowsOf(...ids), choices: ["http_503", "http_404"] });
}
