import type { ReactNode } from "react";
import { keyHelp } from "../keys.ts";
import { count } from "../shown.ts";
import type { Deed, Dialog, Selection, State, Verb } from "../state.ts";
import { box, line } from "./tinted.ts";

const titles: Record<Deed, string> = {
  replay: "REPLAY DEAD LETTERS",
  purge: "PURGE DEAD LETTERS",
  cancel: "CANCEL A REPLAY",
};

const consequence: Record<Verb, string> = {
  replay: "They get another try, with a fresh count of attempts.",
  purge: "They are forgotten for good: they cannot be replayed any more.",
};

const barLength = 30;

/** What stands over the page while letters are replayed or purged. */
export function dialogView(state: State, dialog: Dialog): ReactNode {
  const tone = dialog.verb === "purge" ? "bad" : "warning";
  return box(
    { flexDirection: "column", borderStyle: "round", paddingX: 1 },
    line(titles[dialog.verb], { key: "title", bold: true, tone }),
    ...linesOf(state, dialog).map((text, index) => line(text || " ", { key: String(index) })),
  );
}

function linesOf({ act }: State, dialog: Dialog): string[] {
  switch (dialog.stage) {
    case "planning":
      return ["", "Counting what matches…", "", "esc: nothing is done"];
    case "confirming": {
      const { planned, verb, typed } = dialog;
      const selected = act?.kind === "plan" ? [aboutSelection(act.selection)] : [];
      const reasons = Object.entries(planned.reasons).slice(0, 5);
      const obstacles = Object.entries(planned.obstacles);
      return [
        "",
        ...selected,
        `A dry run finds ${count(planned.matched)}. ${consequence[verb]}`,
        ...reasons.map(([reason, letters]) => `  ${count(letters)} ${reason}`),
        ...obstacles.map(([reason, letters]) => `  ${count(letters)} would stay: ${reason}`),
        "",
        `Type «${planned.matched}» and enter to ${verb.toUpperCase()}, esc to leave them: ${typed}_`,
      ];
    }
    case "working": {
      const { done, total } = dialog;
      const filled = total === 0 ? 0 : Math.floor((Math.min(done, total) / total) * barLength);
      return [
        "",
        `${"█".repeat(filled)}${"░".repeat(barLength - filled)} ${count(done)} of ${count(total)}`,
        "",
        `esc: put this away, it goes on${dialog.verb === "replay" ? "; C: CANCEL it" : ""}`,
      ];
    }
    case "cancelling": {
      const { id, done, total } = dialog.replay;
      return [
        "",
        `The replay ${id} has dealt with ${count(done)} of ${count(total)}.`,
        "What is in the queue again stays there, the rest stays dead letters.",
        "",
        "C: CANCEL it, esc: let it go on",
      ];
    }
    case "ended":
      return ["", ...(dialog.failed ? ["Not done:"] : []), ...dialog.lines, "", "enter: back to the list"];
  }
}

function aboutSelection(selection: Selection): string {
  if ("ids" in selection)
    return selection.ids.length === 1 ? "One letter." : `${selection.ids.length} letters.`;
  const whose = selection.scope === null ? "of all tenants" : `of ${selection.scope.name}`;
  return selection.reason === null
    ? `EVERY letter ${whose}.`
    : `Every letter with ${selection.reason}, ${whose}.`;
}

export function helpView(): ReactNode {
  return box(
    { flexDirection: "column" },
    line("KEYS", { key: "title", bold: true }),
    ...keyHelp.map(([keys, what]) =>
      box({ key: keys }, box({ width: 14, flexShrink: 0 }, line(keys, { tone: "accent" })), line(what)),
    ),
    line(" ", { key: "blank" }),
    line("Lower case only looks. UPPER CASE changes something, and asks before it does.", { key: "cases" }),
    line("Of webhooks' answers no body is kept. Signatures are not shown.", {
      key: "kept",
    }),
  );
}
