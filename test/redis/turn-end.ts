import t from "tap";
import { doTogether } from "../../src/redis/do-together.ts";
import { gatherAtTurnEnd, sendAtTurnEnd } from "../../src/redis/turn-end.ts";

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

t.test("what gathers comes before what sends, however late it was asked for", async (t) => {
  const done: string[] = [];
  sendAtTurnEnd(() => done.push("send"));
  gatherAtTurnEnd(() => {
    done.push("gather");
    gatherAtTurnEnd(() => done.push("gather what was gathered"));
    sendAtTurnEnd(() => done.push("send what was gathered"));
  });
  t.strictSame(done, [], "nothing happens within the turn");
  await endOfTurn();
  t.strictSame(done, ["gather", "gather what was gathered", "send", "send what was gathered"]);
});

t.test("each turn has an end of its own", async (t) => {
  const done: number[] = [];
  for (const turn of [1, 2, 3]) {
    gatherAtTurnEnd(() => done.push(turn));
    await endOfTurn();
    t.equal(done.length, turn);
  }
});

t.test("what is done together within something that is done together needs no further turn", async (t) => {
  let turns = 0;
  const inner = doTogether(async (items: readonly number[]) => items.map((item) => item * turns), {
    most: 10,
  });
  const outer = doTogether((items: readonly number[]) => Promise.all(items.map(inner)), { most: 10 });
  const results = Promise.all([outer(1), outer(2)]);
  await endOfTurn();
  turns += 1;
  t.strictSame(await results, [0, 0]);
});

t.test("one that throws keeps none of the others", async (t) => {
  const done: string[] = [];
  const thrown = new Promise((resolve) => process.once("uncaughtException", resolve));
  gatherAtTurnEnd(() => {
    throw new Error("a defect");
  });
  sendAtTurnEnd(() => done.push("send"));
  t.match(await thrown, { message: "a defect" });
  await endOfTurn();
  t.strictSame(done, ["send"]);
  gatherAtTurnEnd(() => done.push("later"));
  await endOfTurn();
  t.strictSame(done, ["send", "later"]);
});
