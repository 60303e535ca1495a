import t from "tap";
import { PasswrightError } from "../../../src/domain/errors.ts";
import { untilOver } from "../../../src/domain/operator-tasks/until-over.ts";

const never = new AbortController().signal;
const away = new PasswrightError("unavailable", "The store does not answer.");

/** Steps through the given outcomes; the last one is for ever. */
function watch(outcomes: readonly (string | null | Error)[], signal = never) {
  const seen = { steps: 0, pauses: 0, away: 0 };
  const answer = untilOver(
    async () => {
      seen.pauses += 1;
    },
    {
      signal,
      onAway: () => {
        seen.away += 1;
      },
    },
    async () => {
      const outcome = outcomes[Math.min(seen.steps, outcomes.length - 1)] ?? null;
      seen.steps += 1;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  );
  return { seen, answer };
}

t.test("a store that is away for a while is asked again", async (t) => {
  const { seen, answer } = watch([null, away, away, null, away, "over"]);
  t.equal(await answer, "over");
  t.strictSame(seen, { steps: 6, pauses: 5, away: 3 });
});

t.test(
  "one that stays away is given up after about a minute, which begins anew with each answer",
  async (t) => {
    const { seen, answer } = watch([away, null, away]);
    await t.rejects(answer, { code: "unavailable" });
    t.strictSame(seen, { steps: 63, pauses: 62, away: 61 });
  },
);

t.test("who is told to leave does not wait for the store, and no other failure is waited for", async (t) => {
  const left = watch([away], AbortSignal.abort());
  await t.rejects(left.answer, { code: "unavailable" });
  t.equal(left.seen.steps, 1);
  const gone = watch([new PasswrightError("not_found", "There is no such task.")]);
  await t.rejects(gone.answer, { code: "not_found" });
  t.equal(gone.seen.steps, 1);
});
