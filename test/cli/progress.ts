import t from "tap";
import { createProgress } from "../../src/cli/progress.ts";

/** A terminal so wide, and a clock that is moved by hand. */
function terminal(columns: number, isTTY = true) {
  const written: string[] = [];
  const time = { ms: 0 };
  return {
    written,
    time,
    screen: { isTTY, columns, write: (text: string) => written.push(text) },
    nowMs: () => time.ms,
    lines: () => written.map((text) => text.replaceAll("\r\u001b[K", "")),
  };
}

t.test("a bar, a count and the time that is left stand in one line, which is drawn over", async (t) => {
  const { screen, nowMs, time, written, lines } = terminal(100);
  const progress = createProgress("Purging", 2000, screen, nowMs);
  time.ms = 1000;
  progress.at(500);
  time.ms = 2000;
  progress.at(1000, { note: "and more" });
  progress.end();
  t.strictSame(lines(), [
    "Purging  ██████░░░░░░░░░░░░░░░░░░  500 of 2,000 (25 %)  3 s left",
    "Purging  ████████████░░░░░░░░░░░░  1,000 of 2,000 (50 %)  2 s left  and more",
    "",
  ]);
  for (const text of written) t.match(text, /^\r\u001b\[K/);
});

t.test("where the total is not known, there is a count, and a bar as soon as it is", async (t) => {
  const { screen, nowMs, time, lines } = terminal(100);
  const progress = createProgress("Replaying", null, screen, nowMs);
  progress.at(7);
  time.ms = 200;
  progress.at(10, { total: 10 });
  t.strictSame(lines(), ["Replaying  7", `Replaying  ${"█".repeat(24)}  10 of 10 (100 %)  0 s left`]);
});

t.test("it is drawn ten times a second at most", async (t) => {
  const { screen, nowMs, time, written } = terminal(100);
  const progress = createProgress("Purging", 1000, screen, nowMs);
  for (let done = 1; done <= 1000; done += 1) {
    time.ms += 1;
    progress.at(done);
  }
  t.equal(written.length, 10);
});

t.test("on a narrow terminal the line is shorter, and never as wide as to wrap", async (t) => {
  for (let columns = 1; columns < 90; columns += 1) {
    const { screen, nowMs, lines } = terminal(columns);
    createProgress("Purging", 1000, screen, nowMs).at(10, { note: "x".repeat(30) });
    t.ok((lines()[0]?.length ?? 0) < columns, `${columns}: ${lines()[0]}`);
  }
});

t.test("where standard error is no terminal, nothing is written", async (t) => {
  const { screen, nowMs, written } = terminal(100, false);
  const progress = createProgress("Purging", 10, screen, nowMs);
  progress.at(5);
  progress.end();
  t.strictSame(written, []);
});
