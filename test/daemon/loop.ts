import t from "tap";
import { runLoop } from "../../src/daemon/loop.ts";
import { readableLog } from "../support/log.ts";

t.test("a loop goes round until it is told to end", async (t) => {
  const log = readableLog();
  const end = new AbortController();
  let rounds = 0;
  await runLoop(
    "test",
    async () => {
      rounds += 1;
      if (rounds === 1000) end.abort();
      return 0;
    },
    { log, signal: end.signal },
  );
  t.equal(rounds, 1000);
  t.strictSame(log.lines, [], "and has nothing to say about it");
});

t.test("a loop that waits for its next round ends at once", async (t) => {
  const end = new AbortController();
  const { promise: waiting, resolve } = Promise.withResolvers<void>();
  const round = async (): Promise<number> => {
    resolve();
    return 3_600_000;
  };
  const loop = runLoop("test", round, { log: readableLog(), signal: end.signal });
  await waiting;
  end.abort();
  await loop;
  t.pass("it did not wait for an hour");
});

t.test(
  "a round that fails does not end the loop, and is told once for as long as it fails alike",
  async (t) => {
    const log = readableLog();
    const end = new AbortController();
    const rounds = ["away", "away", null, null, "away", "odd", null];
    await runLoop(
      "promoter",
      async () => {
        const failure = rounds.shift();
        if (rounds.length === 0) end.abort();
        if (failure) throw new Error(failure);
        return 0;
      },
      { log, signal: end.signal },
    );
    t.match(
      log.lines.map(({ event, level, facts }) => [event, level, facts]),
      [
        ["loop.failed", "warn", { loop: "promoter", err: { message: "away" } }],
        ["loop.recovered", "info", { loop: "promoter" }],
        ["loop.failed", "warn", { err: { message: "away" } }],
        ["loop.failed", "warn", { err: { message: "odd" } }],
        ["loop.recovered", "info", {}],
      ],
    );
    t.equal(log.lines.length, 5);
  },
);

t.test("a round that fails because the loop is ending is not told", async (t) => {
  const log = readableLog();
  const end = new AbortController();
  const failing = async (): Promise<number> => {
    end.abort();
    throw new Error("the connection was closed");
  };
  await runLoop("test", failing, { log, signal: end.signal });
  t.strictSame(log.lines, []);
});
