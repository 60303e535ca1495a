import t from "tap";
import { reduce } from "../../src/tui/reduce.ts";
import { cursorIndex, shownRows } from "../../src/tui/state.ts";
import { nowMs, opened, pageOf, press, read, rowsOf } from "./support/dashboard.ts";

t.test("tab, shift-tab and the numbers go to the tabs, and round", async (t) => {
  const tabAfter = (...keys: string[]) => press(opened(), ...keys).place.tab;
  t.equal(tabAfter(), "overview");
  t.equal(tabAfter("tab"), "jobs");
  t.equal(tabAfter("back tab"), "tenants");
  t.equal(tabAfter("6", "tab"), "overview");
  t.strictSame(
    ["1", "2", "3", "4", "5", "6", "7"].map((key) => tabAfter(key)),
    ["overview", "jobs", "workers", "webhooks", "dead letters", "tenants", "overview"],
  );
});

t.test(
  "the cursor stays on its row when rows come and go, and takes the next when its row is gone",
  async (t) => {
    const before = press(read(opened(), { rows: rowsOf("a", "b", "c") }), "down");
    t.equal(before.cursor, "b");
    t.equal(read(before, { rows: rowsOf("new", "a", "b", "c") }).cursor, "b");
    t.equal(cursorIndex(read(before, { rows: rowsOf("new", "a", "b", "c") })), 2);
    t.equal(read(before, { rows: rowsOf("a", "c") }).cursor, "c");
    t.equal(read(before, { rows: rowsOf("a") }).cursor, "a");
    t.equal(cursorIndex(read(before, {})), -1);
  },
);

t.test("arrows and j k stop at either end; g and G go there", async (t) => {
  const state = read(opened(), { rows: rowsOf("a", "b", "c") });
  t.equal(press(state, "up", "k").cursor, "a");
  t.equal(press(state, "j", "down", "j", "j").cursor, "c");
  t.equal(press(state, "G").cursor, "c");
  t.equal(press(state, "G", "g").cursor, "a");
  t.equal(press(read(opened(), {}), "down", "G").cursor, null);
});

t.test("enter opens a row, esc comes back to it", async (t) => {
  const list = press(read(opened(), { rows: rowsOf("a", "b") }), "2");
  const inside = press(press(read(list, { rows: rowsOf("a", "b") }), "j"), "enter");
  t.strictSame(inside.place.path, ["b"]);
  t.equal(inside.page, null, "nothing of the list is shown as the row's");
  t.equal(press(inside, "escape").cursor, "b");
  t.strictSame(press(inside, "escape").place.path, []);
  const closed = read(list, { rows: [{ id: "a", cells: ["a"] }] });
  t.strictSame(press(closed, "enter").place.path, [], "a row without more does not open");
});

t.test("a text page is scrolled and not past its end", async (t) => {
  const text = read(opened(), { lines: ["1", "2", "3"] });
  t.equal(press(text, "j", "j", "j", "j").scroll, 2);
  t.equal(press(text, "j", "k", "k").scroll, 0);
});

t.test(
  "a filter shows the rows that have its text; letters type and command nothing meanwhile",
  async (t) => {
    const rows = [
      { id: "1", cells: ["Acme", "active"] },
      { id: "2", cells: ["Quux", "suspended"] },
    ];
    const typed = press(read(opened(), { rows }), "/", "Q", "u", "q");
    t.equal(typed.left, false, "q was typed");
    t.equal(typed.filter, "Quq");
    const fixed = press(typed, "backspace", "enter");
    t.strictSame(
      shownRows(fixed).map(({ id }) => id),
      ["2"],
    );
    t.equal(shownRows(press(fixed, "escape")).length, 2, "esc drops it");
    t.equal(shownRows(press(typed, "escape")).length, 2);
  },
);

t.test(
  "what comes for another page than the present one is not shown, and says that Redis answers",
  async (t) => {
    const state = reduce(press(opened(), "2"), { type: "unread", why: "away", nowMs });
    const late = reduce(state, {
      type: "read",
      place: "the overview",
      page: pageOf({ rows: rowsOf("a") }),
      nowMs: nowMs + 1,
    });
    t.equal(late.page, null);
    t.equal(late.stale, null);
  },
);

t.test("without an answer the page stays, is stale since the first failure, and recovers", async (t) => {
  const seen = read(opened(), { rows: rowsOf("a") });
  const stale = [1000, 3000].reduce(
    (state, after) => reduce(state, { type: "unread", why: "Redis is away.", nowMs: nowMs + after }),
    seen,
  );
  t.strictSame(stale.stale, { sinceMs: nowMs + 1000, why: "Redis is away." });
  t.equal(shownRows(stale).length, 1);
  t.equal(read(stale, {}).stale, null);
});

t.test("the tenant that is chosen limits the other tabs until it is chosen again", async (t) => {
  const tenant = { id: "T", name: "Acme" };
  const rows = [{ id: "T", cells: ["Acme"], tenant }];
  const chosen = press(read(press(opened(), "6"), { rows }), "s");
  t.strictSame(chosen.place.scope, tenant);
  t.strictSame(press(chosen, "2").place.scope, tenant);
  t.equal(press(read(press(chosen, "2"), {}), "s").place.scope, null, "s where there is no tenant drops it");
  t.equal(press(chosen, "s").place.scope, null);
});

t.test("a list that is longer than is read at a time is gone through in stretches", async (t) => {
  const first = read(press(opened(), "6"), { rows: rowsOf("a"), hasMore: true });
  t.equal(press(first, "[").place.stretch, 0, "nothing is newer");
  const second = press(first, "]");
  t.match(second, { page: null, place: { tab: "tenants", stretch: 1 } });
  const last = read(second, { rows: rowsOf("b") });
  t.equal(press(last, "]").place.stretch, 1, "nothing is older");
  t.equal(press(last, "[").place.stretch, 0);
  t.equal(press(last, "2").place.stretch, 0, "another tab begins at its beginning");
});

t.test("? shows the help over any page, and takes it away", async (t) => {
  const helped = press(opened(), "?");
  t.equal(helped.helpShown, true);
  t.equal(press(helped, "2").place.tab, "overview", "other keys do nothing there");
  t.equal(press(helped, "escape").helpShown, false);
  t.equal(press(helped, "q").left, false, "q leaves the help first");
  t.equal(press(opened(), "q").left, true);
});

t.test("a new size is a fact like any other", async (t) => {
  const size = { columns: 200, rows: 60 };
  t.strictSame(reduce(opened(), { type: "resized", size }).size, size);
});
