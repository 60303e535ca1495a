import { useInput } from "ink";
import { createElement, type ReactNode, useSyncExternalStore } from "react";
import { type Fact, tabs } from "../page.ts";
import type { Session } from "../session.ts";
import { duration } from "../shown.ts";
import { cursorIndex, type State, shownRows } from "../state.ts";
import { dialogView, helpView } from "./dialog.ts";
import { keyFrom } from "./key-from.ts";
import { tableView, textView } from "./table.ts";
import { box, Colored, line } from "./tinted.ts";

/** From so many columns on, facts stand in two columns. */
const wideColumns = 140;

/** The whole screen, as the session's state has it. */
export function Dashboard({ session, colored }: { session: Session; colored: boolean }): ReactNode {
  const state = useSyncExternalStore(session.subscribe, session.state);
  useInput((text, pressed) => {
    for (const key of keyFrom(text, pressed)) session.dispatch({ type: "key", key });
  });
  return createElement(Colored, { value: colored }, createElement(Screen, { state }));
}

export function Screen({ state }: { state: State }): ReactNode {
  const { columns, rows } = state.size;
  const facts = factLines(state);
  // Tabs, where one is, a blank line above the body, and the last line.
  const bodyHeight = Math.max(1, rows - 4 - facts.length);
  return box(
    { flexDirection: "column", width: columns, height: rows, overflow: "hidden" },
    box({ key: "tabs", flexShrink: 0, height: 1 }, tabsView(state)),
    box({ key: "place", flexShrink: 0, height: 1 }, placeView(state)),
    ...facts.map((shown, index) => box({ key: `fact ${index}`, flexShrink: 0, height: 1 }, ...shown)),
    box({ key: "blank", flexShrink: 0, height: 1 }),
    box({ key: "body", flexGrow: 1, height: bodyHeight, overflow: "hidden" }, bodyView(state, bodyHeight)),
    box({ key: "last", flexShrink: 0, height: 1 }, lastLine(state)),
  );
}

function bodyView(state: State, height: number): ReactNode {
  if (state.dialog !== null) return dialogView(state, state.dialog);
  if (state.helpShown) return helpView();
  return state.page?.lines === undefined ? tableView(state, height) : textView(state, height);
}

function tabsView({ place, size }: State): ReactNode {
  const isNarrow = size.columns < 70;
  return box(
    {},
    ...tabs.map((tab, index) => {
      const isHere = tab === place.tab;
      const name = isNarrow && !isHere ? String(index + 1) : `${index + 1} ${tab}`;
      return line(isHere ? `[${name}]` : ` ${name} `, {
        key: tab,
        inverse: isHere,
        bold: isHere,
        tone: isHere ? "accent" : "plain",
      });
    }),
  );
}

/** Where one is, and how fresh what is seen is. */
function placeView(state: State): ReactNode {
  const { place, filter, isFiltering, stale, nowMs, readAtMs, readOnly } = state;
  const words = [
    place.tab,
    ...(place.scope === null ? [] : [`tenant: ${place.scope.name}`]),
    ...(place.choice === null ? [] : [`only ${place.choice}`]),
    ...(isFiltering || filter !== "" ? [`/${filter}${isFiltering ? "_" : ""}`] : []),
    ...(place.path.length > 0 ? ["esc: back"] : []),
    ...(readOnly ? ["read-only"] : []),
  ];
  if (stale !== null) {
    const since = duration(nowMs - stale.sinceMs);
    const seen = readAtMs === null ? "" : `, seen ${duration(nowMs - readAtMs)} ago`;
    return line(`${words.join(" · ")} · STALE for ${since}${seen}: ${stale.why}`, {
      tone: "bad",
      bold: true,
    });
  }
  return line(words.join(" · "), { tone: "faint" });
}

function factLines(state: State): ReactNode[][] {
  // What stands over the page takes their place, too.
  const facts = state.dialog === null && !state.helpShown ? (state.page?.facts ?? []) : [];
  const shown = facts.slice(0, Math.max(0, state.size.rows - 10));
  const width = Math.max(0, ...shown.map(({ name }) => name.length)) + 2;
  const factView = ({ name, text, tone }: Fact): ReactNode =>
    box(
      { key: name, flexGrow: 1, flexBasis: 0 },
      box({ width, flexShrink: 0 }, line(name, { tone: "faint" })),
      line(text, { tone }),
    );
  const perLine = state.size.columns >= wideColumns ? 2 : 1;
  const lines: ReactNode[][] = [];
  for (let index = 0; index < shown.length; index += perLine) {
    lines.push(shown.slice(index, index + perLine).map(factView));
  }
  return lines;
}

function lastLine(state: State): ReactNode {
  if (state.notice !== null) return line(state.notice, { tone: "warning", bold: true });
  const rows = shownRows(state);
  const position = rows.length === 0 ? "" : `${cursorIndex(state) + 1}/${rows.length}  `;
  const { tab, path } = state.place;
  const isLetters = tab === "dead letters" && !state.readOnly;
  const always = ["/: filter", "?: help", "q: leave"];
  const hints = [
    ...(rows[cursorIndex(state)]?.opens === true ? ["enter: more"] : []),
    ...(isLetters && state.page?.replay !== undefined ? ["C: CANCEL"] : []),
    ...(isLetters && path.length === 0 ? ["x: mark", "R: REPLAY", "P: PURGE", "E/F: every one"] : []),
    ...(tab === "tenants" ? ["s: only this tenant"] : []),
    ...(state.page?.hasMore === true ? ["]: older"] : []),
    ...(state.place.stretch > 0 ? ["[: newer"] : []),
  ];
  const widthOf = (some: readonly string[]): number => position.length + some.join("  ").length;
  // The help has the others.
  while (hints.length > 0 && widthOf([...hints, ...always]) > state.size.columns) hints.pop();
  return line(`${position}${[...hints, ...always].join("  ")}`, { tone: "faint" });
}
