import { renderToString } from "ink";
import { createElement } from "react";
import t from "tap";
import { tabs } from "../../../src/tui/page.ts";
import { reduce } from "../../../src/tui/reduce.ts";
import type { Size, State } from "../../../src/tui/state.ts";
import { Screen } from "../../../src/tui/views/dashboard.ts";
import { atLetters, nowMs, opened, press, read } from "../support/dashboard.ts";

const sizes: readonly Size[] = [
  { columns: 80, rows: 24 },
  { columns: 200, rows: 60 },
  { columns: 40, rows: 12 },
];

/** What stands on the screen, a line each. */
function linesOf(state: State): string[] {
  return renderToString(createElement(Screen, { state }), { columns: state.size.columns }).split("\n");
}

const manyRows = Array.from({ length: 100 }, (_, index) => ({
  id: `row ${index}`,
  cells: [`row ${index}`, "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10", "x".repeat(300)],
  opens: true,
}));

const full = {
  facts: Array.from({ length: 9 }, (_, index) => ({ name: `Fact ${index}`, text: "good" })),
  columns: [{ title: "name" }, { title: "id" }, { title: "address" }],
  rows: manyRows,
};

for (const size of sizes) {
  t.test(
    `a full page fits ${size.columns}x${size.rows}: no line is too long, and none too many`,
    async (t) => {
      const lines = linesOf(read(opened({ size }), full));
      t.equal(lines.length, size.rows);
      t.strictSame(
        lines.filter((line) => [...line].length > size.columns),
        [],
      );
      t.match(lines.at(-1), /1\/100/, "the last line is there");
      t.match(lines[0], /\[1 overview\]/);
    },
  );

  t.test(`the row that is looked at is always to be seen at ${size.columns}x${size.rows}`, async (t) => {
    const state = read(opened({ size }), full);
    for (const keys of [[], ["G"], Array<string>(50).fill("j")]) {
      const seen = linesOf(press(state, ...keys)).filter((line) => line.startsWith("›"));
      t.equal(seen.length, 1, `after ${keys.length} keys`);
    }
  });
}

t.test("at 80 columns every tab has its number and its name", async (t) => {
  const [first = ""] = linesOf(opened());
  for (const [index, tab] of tabs.entries()) t.ok(first.includes(`${index + 1} ${tab}`), tab);
});

t.test("a wide screen shows more of each column, and facts beside each other", async (t) => {
  const size = { columns: 200, rows: 60 };
  const lines = linesOf(read(opened({ size }), full)).join("\n");
  t.match(lines, "0199d1c5-8a4e-7c3b-9f00-5b1f6a2d7e10");
  t.match(lines, /Fact 0 .*Fact 1 /);
  t.notMatch(linesOf(read(opened(), full)).join("\n"), /Fact 0 .*Fact 1 /);
});

t.test("the page says that it is stale, since when, and what is wrong", async (t) => {
  const seen = read(opened(), full);
  const stale = reduce(seen, { type: "unread", why: "Redis is away.", nowMs: nowMs + 2000 });
  const later = linesOf(reduce(stale, { type: "ticked", nowMs: nowMs + 14_000 }));
  t.match(later[1], /STALE for 12s, seen 14s ago: Redis is away\./);
  t.match(later.join("\n"), "row 0", "what was seen stays");
  t.notMatch(linesOf(read(stale, full)).join("\n"), "STALE");
});

t.test("text of others cannot command the terminal", async (t) => {
  const evil = "Acme\u001b[2J\u001b]0;owned\u0007\r\nsecond line\u202egnp";
  const shown = linesOf(read(opened(), { rows: [{ id: "a", cells: [evil] }] })).join("\n");
  t.match(shown, "Acme·[2J·]0;owned···second line·gnp");
});

t.test("a marked row has a sign, not only a colour", async (t) => {
  const marked = linesOf(press(atLetters({}, "letter a", "letter b"), "x"));
  t.ok(marked.some((line) => line.startsWith(" ✓ letter a")));
  t.ok(marked.some((line) => line.startsWith("›  letter b")));
});

t.test("a dry run tells numbers, reasons and obstacles, and what to type", async (t) => {
  const state = press(atLetters({}, "a"), "F");
  const planned = {
    matched: 1200,
    obstacles: { webhook_deleted: 7 },
    reasons: { http_503: 1190, http_404: 10 },
  };
  const asked = reduce(state, { type: "planned", act: state.act?.number ?? 0, planned });
  const shown = linesOf(press(asked, "1", "2")).join("\n");
  t.match(shown, /PURGE DEAD LETTERS/);
  t.match(shown, /EVERY letter of all tenants/);
  t.match(shown, /A dry run finds 1,200\. They are forgotten for good/);
  t.match(shown, /1,190 http_503/);
  t.match(shown, /7 would stay: webhook_deleted/);
  t.match(shown, /Type «1200» and enter to PURGE, esc to leave them: 12_/);
});

t.test("progress has a bar and figures", async (t) => {
  const state = press(atLetters({}, "a"), "R");
  const act = state.act?.number ?? 0;
  const planned = { matched: 4, obstacles: {}, reasons: {} };
  const working = press(reduce(state, { type: "planned", act, planned }), "4", "enter");
  const shown = linesOf(reduce(working, { type: "went on", act, done: 2, total: 4 })).join("\n");
  t.match(shown, /█{15}░{15} 2 of 4/);
});

t.test("the help names every key, at 80x24", async (t) => {
  const shown = linesOf(press(opened(), "?")).join("\n");
  t.match(shown, /R, P .*REPLAY, PURGE/);
  t.match(shown, /q, ctrl-c/);
  t.match(shown, /UPPER CASE changes something/);
});

t.test("read-only is told, and no key that changes something is offered", async (t) => {
  const shown = linesOf(atLetters({ readOnly: true }, "a"));
  t.match(shown[1], /read-only/);
  t.notMatch(shown.join("\n"), /REPLAY/);
});
