import t from "tap";
import { createReadyPartitions } from "../../src/daemon/ready-partitions.ts";

const any = () => true;

/** Of one class, with partitions that may hold more. */
function holding(more: number[]) {
  const ready = createReadyPartitions(["interactive"]);
  ready.look("interactive").found(more, []);
  return { ...ready, look: (intoAll?: boolean) => ready.look("interactive", intoAll) };
}

t.test("all news is looked into, and of what may hold more one at a time, in turn", async (t) => {
  const ready = holding([3, 1, 4]);
  ready.ring([2, 1]);
  t.strictSame(ready.look().partitions, [2, 1, 3], "each partition once");
  t.strictSame(ready.look().partitions, [4], "those that were looked into come last");
  t.strictSame(ready.look().partitions, [1]);
  t.strictSame(ready.look(true).partitions, [3, 4, 1], "unless all of them are wanted");
});

t.test("each class is looked after by itself", async (t) => {
  const ready = createReadyPartitions(["interactive", "bulk"]);
  ready.ring([2, 1]);
  t.strictSame(ready.look("interactive").partitions, [2, 1]);
  t.ok(ready.isAny((workClass) => workClass === "bulk"));
  t.notOk(ready.isAny((workClass) => workClass === "interactive"));
  t.strictSame(ready.look("bulk").partitions, [2, 1]);
  t.notOk(ready.isAny(any));
  t.strictSame(ready.look("webhooks").partitions, [], "one that nobody takes has nothing");
});

t.test("what may hold more is looked into until it is known that it does not", async (t) => {
  const ready = holding([1, 2]);
  const look = ready.look();
  t.strictSame(look.partitions, [1]);
  t.ok(ready.isAny(any));
  look.found([], []);
  t.strictSame(ready.look().partitions, [2]);
  t.strictSame(ready.look().partitions, [2], "while it is being looked into, too");
});

t.test("who has looked last knows best", async (t) => {
  const ready = holding([]);
  ready.ring([1]);
  const early = ready.look();
  ready.ring([1]);
  const late = ready.look();
  late.found([1], []);
  early.found([], []);
  t.strictSame(ready.look().partitions, [1], "what came meanwhile is not forgotten");
});

t.test("nothing is forgotten when a look fails", async (t) => {
  const ready = holding([]);
  ready.ring([1, 2]);
  ready.look().failed();
  t.strictSame(ready.look(true).partitions, [1, 2]);
});

t.test("what nobody may take waits for a free hand, or for news", async (t) => {
  const ready = holding([1]);
  ready.look().found([], [1]);
  t.notOk(ready.isAny(any));
  ready.wake("interactive");
  t.strictSame(ready.look().partitions, [1]);

  ready.look().found([], [1]);
  ready.ring([1]);
  t.ok(ready.isAny(any));
  t.strictSame(ready.look().partitions, [1]);
});

t.test("what nobody may take keeps nobody from the rest", async (t) => {
  const ready = holding([1, 2]);
  const look = ready.look();
  t.strictSame(look.partitions, [1]);
  look.found([], [1]);
  t.ok(ready.isAny(any));
  t.strictSame(ready.look().partitions, [2]);
});

t.test("a hand that became free during a look may take what was passed over in it", async (t) => {
  const ready = holding([1]);
  const look = ready.look();
  ready.wake("interactive");
  look.found([], [1]);
  t.ok(ready.isAny(any));
});

t.test("what somebody has found to hold more since is not idle", async (t) => {
  const ready = holding([1]);
  const passedOver = ready.look();
  ready.look().found([1], []);
  passedOver.found([], [1]);
  t.ok(ready.isAny(any));
});
