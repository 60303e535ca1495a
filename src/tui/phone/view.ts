import { Text, useInput } from "ink";
import { createElement, type ReactNode, useContext, useSyncExternalStore } from "react";
import { keyFrom } from "../views/key-from.ts";
import { box, Colored, line } from "../views/tinted.ts";
import type { PhoneState, ShownField, Told } from "./state.ts";
import type { PhoneStore } from "./store.ts";

/** The pass leaves so many lines to what happened, where there is room at all. */
const leastTold = 4;
const labelColumns = 20;

/** Beside a code, fields need so many columns. */
const leastBeside = 30;

export function PhoneView({ store, colored }: { store: PhoneStore; colored: boolean }): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.state);
  useInput((text, pressed) => {
    for (const key of keyFrom(text, pressed)) store.dispatch({ type: "key", key });
  });
  return createElement(Colored, { value: colored }, createElement(PhoneScreen, { state }));
}

export function PhoneScreen({ state }: { state: PhoneState }): ReactNode {
  const { size, pass, side, told } = state;
  // Without the title, a blank line, the rule and the last line.
  const room = Math.max(1, size.rows - 4);
  const code =
    side === "front" && state.code !== null && fits(state.code, size.columns, room) ? state.code : null;
  const lines =
    side === "front" ? frontLines(state, code !== null) : fieldLines(pass.back, "This pass has no back.");
  const cardHeight = Math.min(Math.max(lines.length, code?.length ?? 0), Math.max(1, room - leastTold));
  const toldHeight = room - cardHeight;
  return box(
    { flexDirection: "column", width: size.columns, height: size.rows, overflow: "hidden" },
    box({ key: "title", flexShrink: 0, height: 1 }, titleView(state)),
    box({ key: "blank", flexShrink: 0, height: 1 }),
    box(
      { key: "card", flexShrink: 0, height: cardHeight, overflow: "hidden" },
      box(
        { key: "fields", flexDirection: "column", flexGrow: 1, flexBasis: 0, overflow: "hidden" },
        ...lines.slice(0, cardHeight),
      ),
      ...(code === null ? [] : [createElement(Code, { key: "code", code })]),
    ),
    box({ key: "rule", flexShrink: 0, height: 1 }, line("─".repeat(size.columns), { tone: "faint" })),
    box(
      { key: "told", flexDirection: "column", flexGrow: 1, overflow: "hidden" },
      ...(toldHeight === 0 ? [] : told.slice(-toldHeight)).map(toldView),
    ),
    box(
      { key: "last", flexShrink: 0, height: 1 },
      line(`b: ${side === "front" ? "back" : "front"}  u: update now  d: delete the pass  q: leave`, {
        tone: "faint",
      }),
    ),
  );
}

function fits(code: readonly string[], columns: number, room: number): boolean {
  const width = code[0]?.length ?? 0;
  return width + leastBeside <= columns && code.length + leastTold <= room;
}

function titleView({ pass, side }: PhoneState): ReactNode {
  const names = [pass.logoText || pass.organizationName, pass.description].filter((name) => name !== "");
  const marks = [
    ...(pass.voided ? ["VOID"] : []),
    ...(pass.expiresAt === null ? [] : [`expires ${pass.expiresAt}`]),
    ...(side === "back" ? ["back"] : []),
  ];
  return line(
    [...names, ...marks].join(" · "),
    pass.voided ? { tone: "bad", bold: true } : { tone: "accent", bold: true },
  );
}

function frontLines({ pass }: PhoneState, codeIsDrawn: boolean): ReactNode[] {
  const lines = fieldLines(pass.front, "This pass has no fields.");
  if (pass.barcode === null) return lines;
  const { format, message, altText } = pass.barcode;
  const text = codeIsDrawn ? altText : `${format}: ${message}`;
  return text === "" ? lines : [...lines, line(text, { key: "code", tone: "faint" })];
}

/** A label and its value, each line of the value by itself. */
function fieldLines(fields: readonly ShownField[], none: string): ReactNode[] {
  if (fields.length === 0) return [line(none, { key: "none", tone: "faint" })];
  return fields.flatMap(({ label, value }, index) => {
    const [first = "", ...more] = value.split(/\r?\n/);
    return [
      box(
        { key: `field ${index}`, flexShrink: 0, height: 1 },
        box(
          { key: "label", flexShrink: 0, width: labelColumns, paddingRight: 1 },
          line(label, { tone: "faint" }),
        ),
        line(first, { bold: true }),
      ),
      ...more.map((text, row) =>
        box(
          { key: `field ${index} ${row}`, flexShrink: 0, height: 1, paddingLeft: labelColumns },
          line(text || " ", { bold: true }),
        ),
      ),
    ];
  });
}

/** Dark on light, whatever the terminal's own colours are: so it can be scanned. */
function Code({ code }: { code: readonly string[] }): ReactNode {
  const style = useContext(Colored) ? { color: "black", backgroundColor: "white" } : {};
  const rows = code.map((row, index) => createElement(Text, { key: String(index), ...style }, row));
  return box({ flexDirection: "column", flexShrink: 0 }, ...rows);
}

function toldView({ atMs, text, tone }: Told, index: number): ReactNode {
  const time = new Date(atMs).toISOString().slice(11, 19);
  return box({ key: String(index), flexShrink: 0, height: 1 }, line(`${time}  ${text}`, { tone }));
}
