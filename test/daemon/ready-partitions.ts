import t from "tap";
import { createReadyPartitions } from "../../src/daemon/ready-partitions.ts";

const any = () => true;

t.test("all news is looked at, and of what may hold more one at a time, in turn", async (t) => {
  const ready = createReadyPartitions(["interactive", "bulk"]);
  ready.keep("interactive", [3, 1, 4], false);
  ready.ring([2, 1]);
  t.strictSame(ready.take("interactive"), [2, 1, 3], "each partition once");
  t.strictSame(ready.take("interactive"), [4], "those that were looked at come last");
  t.strictSame(ready.take("interactive"), [1]);
  t.strictSame(ready.take("bulk"), [2, 1], "each class is looked after by itself");
});

t.test("what may hold more is looked at until it is known that it does not", async (t) => {
  const ready = createReadyPartitions(["interactive"]);
  ready.keep("interactive", [1, 2], false);
  ready.forget("interactive", [1]);
  t.strictSame(ready.take("interactive"), [2]);
  t.strictSame(ready.take("interactive"), [2], "while it is being looked at, too");
  ready.forget("interactive", [2]);
  t.strictSame(ready.take("interactive"), []);
  t.notOk(ready.isAny(any));
});

t.test("a class that may not be taken from is no reason to look", async (t) => {
  const ready = createReadyPartitions(["interactive", "bulk"]);
  ready.keep("bulk", [1], false);
  t.ok(ready.isAny(any));
  t.notOk(ready.isAny((workClass) => workClass !== "bulk"));
});

t.test("what nobody may take waits for a free hand, or for news", async (t) => {
  const ready = createReadyPartitions(["interactive"]);
  ready.keep("interactive", [1], true);
  t.notOk(ready.isAny(any));
  ready.wake();
  t.ok(ready.isAny(any));
  ready.keep("interactive", [1], true);
  ready.ring([2]);
  t.ok(ready.isAny(any));
  ready.keep("interactive", [1], true);
  t.ok(ready.isAny(any), "news that came meanwhile is looked at nevertheless");
});
