import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { openJournal } from "../../src/sandbox/journal.ts";

const file = (t: { testdir(): string }) => join(t.testdir(), "things.jsonl");

t.test(
  "what was set and not deleted is there again after reopening, in the order of first setting",
  async (t) => {
    const path = file(t);
    const first = openJournal<{ n: number }>(path);
    first.set("a", { n: 1 });
    first.set("b", { n: 2 });
    first.set("a", { n: 3 });
    first.set("c", { n: 4 });
    first.delete("b");
    first.close();

    const again = openJournal<{ n: number }>(path);
    t.strictSame([...again.values()], [{ n: 3 }, { n: 4 }]);
    t.equal(again.get("b"), undefined);
    t.equal(again.size, 2);
    again.close();
  },
);

t.test("every change is in the file before the call returns", async (t) => {
  const path = file(t);
  const journal = openJournal<string>(path);
  journal.set("k", "v");
  t.equal(readFileSync(path, "utf8"), '["k","v"]\n');
  journal.delete("k");
  t.equal(readFileSync(path, "utf8"), '["k","v"]\n["k"]\n');
  journal.close();
});

t.test("opening compacts the file to its living entries", async (t) => {
  const path = file(t);
  writeFileSync(path, '["a",1]\n["a",2]\n["b",1]\n["b"]\n');
  openJournal<number>(path).close();
  t.equal(readFileSync(path, "utf8"), '["a",2]\n');
});

t.test("outlived lines are compacted away while it runs", async (t) => {
  const path = file(t);
  const journal = openJournal<number>(path);
  for (let n = 0; n < 50_000; n++) journal.set("same", n);
  t.ok(readFileSync(path, "utf8").split("\n").length < 25_000);
  journal.set("other", 1);
  journal.close();
  const again = openJournal<number>(path);
  t.equal(again.get("same"), 49_999);
  t.equal(again.get("other"), 1);
  again.close();
});

t.test("a torn last line is dropped, and what follows is written whole", async (t) => {
  const path = file(t);
  writeFileSync(path, '["a",1]\n["b",{"half":');
  const journal = openJournal<number>(path);
  t.equal(journal.get("a"), 1);
  t.equal(journal.size, 1);
  journal.set("c", 3);
  journal.close();
  t.equal(readFileSync(path, "utf8"), '["a",1]\n["c",3]\n');
});

t.test("damage before the last line is an error that names the line", async (t) => {
  const path = file(t);
  writeFileSync(path, '["a",1]\n["b",\n["c",3]\n');
  t.throws(() => openJournal<number>(path), { message: /line 2 is damaged/ });
});

t.test("it is readable by the owner only", async (t) => {
  const path = file(t);
  openJournal<number>(path).close();
  t.equal(statSync(path).mode & 0o777, 0o600);
});

t.test("a closed journal refuses changes", async (t) => {
  const path = file(t);
  const journal = openJournal<number>(path);
  journal.close();
  t.throws(() => journal.set("a", 1), { message: /is closed/ });
});
