import t from "tap";
import { filters } from "./analytics/filters.ts";
import { occurrences } from "./analytics/occurrences.ts";
import { summary } from "./analytics/summary.ts";
import { takeIn } from "./analytics/surroundings.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";

const service = await startPasswright(t, {
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
    PASSWRIGHT_JOB_RETRY_SCHEDULE: "0s,50ms,50ms",
  },
});
const surroundings = await takeIn(service);

t.test("what is recorded", (t) => occurrences(t, surroundings));
t.test("the list of events", (t) => filters(t, surroundings));
t.test("the summary", (t) => summary(t, surroundings));
