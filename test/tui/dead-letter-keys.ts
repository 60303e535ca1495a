import t from "tap";
import { reduce } from "../../src/tui/reduce.ts";
import type { State } from "../../src/tui/state.ts";
import { atLetters, nowMs, opened, press, read, rowsOf } from "./support/dashboard.ts";

const planned = { matched: 12, obstacles: {}, reasons: { http_503: 12 } };

/** As far as the question whether it is meant. */
function asked(verbKey: "R" | "P" = "R"): State {
  const state = press(atLetters({}, "a", "b"), verbKey);
  return reduce(state, { type: "planned", act: state.act?.number ?? 0, planned });
}

t.test("R is about the row, or about what is marked", async (t) => {
  const state = atLetters({}, "a", "b", "c");
  t.match(press(state, "R").act, { kind: "plan", verb: "replay", selection: { ids: ["a"] } });
  const marked = press(state, "x", "j", "x");
  t.match(press(marked, "P").act, { kind: "plan", verb: "purge", selection: { ids: ["a", "c"] } });
  t.strictSame([...press(state, "a").marked], ["a", "b", "c"]);
  t.strictSame([...press(state, "a", "a").marked], [], "a again: none");
});

t.test("E and F are about every letter of the reason and the tenant that are shown", async (t) => {
  const one = press(atLetters({}, "a"), "right");
  t.equal(one.place.choice, "http_503");
  t.match(press(one, "E").act, { verb: "replay", selection: { reason: "http_503", scope: null } });
  t.match(press(atLetters({}, "a"), "F").act, { verb: "purge", selection: { reason: null } });
});

t.test("the reasons go round: all of them, one after the other, all of them", async (t) => {
  const choiceAfter = (...keys: string[]) =>
    keys.reduce(
      (state, key) => read(press(state, key), { choices: ["http_503", "http_404"] }),
      atLetters({}, "a"),
    ).place.choice;
  t.equal(choiceAfter("l", "l"), "http_404");
  t.equal(choiceAfter("l", "l", "l"), null);
  t.equal(choiceAfter("h"), "http_404");
  t.equal(press(atLetters({}, "a"), "l", "l").place.choice, "http_404", "also faster than it is read");
});

t.test("what is marked and gone is marked no more", async (t) => {
  const marked = press(atLetters({}, "a", "b"), "a");
  t.strictSame([...read(marked, { rows: rowsOf("b") }).marked], ["b"]);
});

t.test("lower case, other tabs and an empty list plan nothing", async (t) => {
  t.equal(press(atLetters({}, "a"), "r", "p", "e", "f").act, null);
  t.equal(press(read(opened(), { rows: rowsOf("a") }), "R", "P", "E", "F").act, null);
  t.equal(press(atLetters({}), "R").act, null);
});

t.test("read-only plans nothing and says why", async (t) => {
  for (const key of ["R", "P", "E", "F"]) {
    const state = press(atLetters({ readOnly: true }, "a"), key);
    t.equal(state.act, null, key);
    t.match(state.notice, /--read-only/);
  }
});

t.test("nothing is planned on a page that is stale", async (t) => {
  const stale = reduce(atLetters({}, "a"), { type: "unread", why: "away", nowMs });
  t.match(press(stale, "R"), { act: null, notice: /Redis/ });
});

t.test("only the number that the dry run found, typed and entered, carries it out", async (t) => {
  const confirmed = press(asked("P"), "1", "2", "enter");
  t.match(confirmed, {
    act: { kind: "carry out", verb: "purge" },
    dialog: { stage: "working", total: 12, done: 0 },
  });
  for (const keys of [["enter"], ["1", "enter"], ["y", "enter"], ["1", "2", "3", "enter"]]) {
    const refused = press(asked("P"), ...keys);
    t.equal(refused.act?.kind, "plan", keys.join(" "));
    t.match(refused, { dialog: null, notice: /Nothing has been done/ });
  }
  t.match(press(asked("P"), "1", "3", "backspace", "2", "enter").act, { kind: "carry out" });
  t.match(press(asked("P"), "1", "2", "escape"), { dialog: null, act: { kind: "plan" } });
});

t.test("a dry run that finds nothing, or was put away, leads to no question", async (t) => {
  const state = press(atLetters({}, "a"), "R");
  const number = state.act?.number ?? 0;
  const none = { ...planned, matched: 0 };
  t.match(reduce(state, { type: "planned", act: number, planned: none }).dialog, {
    stage: "ended",
    failed: true,
  });
  t.equal(reduce(press(state, "escape"), { type: "planned", act: number, planned }).dialog, null);
  const again = press(press(state, "escape"), "R");
  t.match(
    reduce(again, { type: "planned", act: number, planned }).dialog,
    { stage: "planning" },
    "nor an older one",
  );
});

/** At the dead letters, while a replay runs. */
function whileReplaying(given: Parameters<typeof atLetters>[0] = {}): State {
  return read(atLetters(given), { rows: rowsOf("a"), replay: { id: "7", done: 3, total: 9 } });
}

t.test("C twice ends the replay that runs; once, esc, or without one it does nothing", async (t) => {
  const asked = press(whileReplaying(), "C");
  t.match(asked, { act: null, dialog: { stage: "cancelling", replay: { id: "7", done: 3 } } });
  t.match(press(asked, "C"), {
    act: { kind: "cancel", replayId: "7" },
    dialog: { stage: "working", verb: "cancel" },
  });
  for (const key of ["escape", "c", "enter", "y"]) t.equal(press(asked, key).act, null, key);
  t.match(press(atLetters({}, "a"), "C"), { act: null, dialog: null, notice: "No replay runs." });
  t.match(press(whileReplaying({ readOnly: true }), "C"), { dialog: null, notice: /--read-only/ });
  t.equal(press(read(opened(), {}), "C").notice, null, "on other tabs it is no key");
});

t.test("the replay whose progress is looked at can be cancelled, and only a replay", async (t) => {
  const working = press(asked(), "1", "2", "enter");
  const seen = read(working, { rows: rowsOf("a"), replay: { id: "7", done: 3, total: 12 } });
  const ended = press(seen, "C", "C");
  t.match(ended.act, { kind: "cancel", replayId: "7" });
  const of = (act: number) => ({ type: "ended", act, lines: ["cancelled"], failed: false }) as const;
  t.match(
    reduce(ended, of(working.act?.number ?? 0)).notice,
    "cancelled",
    "the end of the replay itself is told",
  );
  t.match(reduce(ended, of(ended.act?.number ?? 0)).dialog, { stage: "ended", verb: "cancel" });
  const purging = press(asked("P"), "1", "2", "enter");
  t.match(press(read(purging, { replay: { id: "7", done: 3, total: 12 } }), "C").dialog, { verb: "purge" });
});

t.test("progress and end are shown, also to those who put the dialog away", async (t) => {
  const working = press(asked(), "1", "2", "enter");
  const act = working.act?.number ?? 0;
  const half = reduce(working, { type: "went on", act, done: 6, total: 12 });
  t.match(half.dialog, { stage: "working", done: 6 });
  const ended = { type: "ended", act, lines: ["12 are in the queue again."], failed: false } as const;
  t.match(reduce(half, ended).dialog, { stage: "ended", lines: [/12 are/] });
  t.match(reduce(press(half, "escape"), ended), { dialog: null, notice: /12 are/ });
  t.equal(press(reduce(half, ended), "enter").dialog, null);
});
