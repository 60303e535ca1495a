import t from "tap";
import { createRefusalLog } from "../../../src/domain/callbacks/refusal-log.ts";
import { settableClock } from "../../support/clock.ts";
import { readableLog } from "../../support/log.ts";

t.test("however much is refused, 20 lines a minute say so, and how many are left out", async (t) => {
  const [clock, log] = [settableClock(), readableLog()];
  const refusals = createRefusalLog({ clock, log });
  const facts = { tenant: "t", reason: "wrong_signature", detail: "it is not", trace_id: "7" } as const;
  for (let n = 0; n < 1000; n++) refusals.note(facts);
  t.equal(log.lines.length, 20);
  t.strictSame(log.lines[0], { level: "warn", event: "callback.refused", facts });
  clock.forward(60_000);
  refusals.note(facts);
  refusals.note(facts);
  t.strictSame(log.of("callback.refused").slice(20), [{ ...facts, left_out: 980 }, facts]);
});
