import t from "tap";
import { createRounds } from "../../src/daemon/rounds.ts";

const never = () => new Promise<never>(() => {});
const atOnce = async () => {};

/** Rounds that end when the test says so. */
function controlled() {
  const begun: { news: readonly number[]; end(): void; fail(error: Error): void }[] = [];
  const rounds = createRounds((news) => {
    const round = Promise.withResolvers<void>();
    begun.push({ news, end: round.resolve, fail: round.reject });
    return round.promise;
  });
  return { rounds, begun };
}

/** Whether a promise is settled by now, which it is told in the same turn of the event loop or not at all. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  const turn = new Promise<"pending">((resolve) => setImmediate(() => resolve("pending")));
  return (await Promise.race([promise.then(() => "settled"), turn])) === "settled";
}

t.test("a second round may begin while the first is under way, and a third may not", async (t) => {
  const { rounds, begun } = controlled();
  await rounds.next([1], atOnce);
  const second = rounds.next([2], atOnce);
  t.strictSame(
    begun.map(({ news }) => news),
    [[1], [2]],
  );
  t.notOk(await isSettled(second));
  begun[1]?.end();
  await second;
  const third = rounds.next([3], atOnce);
  t.notOk(await isSettled(third));
  begun[0]?.end();
  await third;
});

t.test("the next begins when there is a reason, and not because one has ended", async (t) => {
  const { rounds, begun } = controlled();
  const next = rounds.next([], never);
  begun[0]?.end();
  t.notOk(await isSettled(next));
});

t.test("a round that fails is told at once, whatever else is waited for", async (t) => {
  const { rounds, begun } = controlled();
  const next = rounds.next([], never);
  begun[0]?.fail(new Error("no store"));
  await t.rejects(next, { message: "no store" });
});

t.test("a failure is told once, by whoever comes next where nobody was there", async (t) => {
  const { rounds, begun } = controlled();
  await rounds.next([], atOnce);
  begun[0]?.fail(new Error("no store"));
  await rounds.ended();
  await t.rejects(rounds.next([], atOnce), { message: "no store" });
  begun[1]?.end();
  await rounds.ended();
  await t.resolves(rounds.next([], atOnce));
});

t.test("rounds that fail at once do not keep the process from everything else", async (t) => {
  let failed = 0;
  const rounds = createRounds(async () => {
    failed += 1;
    throw new Error("no store");
  });
  for (let i = 0; i < 10; i++)
    await rounds.next([], atOnce).catch((error) => t.equal(error.message, "no store"));
  t.ok(failed <= 20);
});

t.test("whoever ends waits for all that is under way", async (t) => {
  const { rounds, begun } = controlled();
  await rounds.next([], atOnce);
  const ended = rounds.ended();
  t.notOk(await isSettled(ended));
  begun[0]?.end();
  await ended;
});
