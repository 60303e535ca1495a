import t from "tap";
import type { Happening } from "../../../src/sandbox/iphone/happening.ts";
import { createEnds, endOf } from "../../../src/sandbox/iphone/until.ts";

const fetched: Happening = { event: "fetched", modified: null, changes: [], fields: {} };

t.test("an end is voided, a number of updates or of seconds, and nothing else", async (t) => {
  t.strictSame(endOf("voided"), { kind: "voided" });
  t.strictSame(endOf("updates=3"), { kind: "updates", count: 3 });
  t.strictSame(endOf("seconds=60"), { kind: "seconds", count: 60 });
  for (const text of ["", "updates", "updates=0", "seconds=-1", "seconds=1e3", "voided=1"])
    t.equal(endOf(text), null, text);
});

t.test("it is reached by what happens", async (t) => {
  let reached = 0;
  const watch = createEnds([{ kind: "updates", count: 2 }, { kind: "voided" }], () => {
    reached += 1;
  });
  watch.saw(fetched);
  watch.saw({ event: "unchanged" });
  t.equal(reached, 0);
  watch.saw(fetched);
  t.equal(reached, 1);
  watch.saw({ event: "voided" });
  t.equal(reached, 2);
});
