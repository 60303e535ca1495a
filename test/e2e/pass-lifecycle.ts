import t from "tap";
import { failures } from "./pass-lifecycle/failures.ts";
import { idempotency } from "./pass-lifecycle/idempotency.ts";
import { jobs } from "./pass-lifecycle/jobs.ts";
import { lists } from "./pass-lifecycle/lists.ts";
import { revocations } from "./pass-lifecycle/revocations.ts";
import { samples } from "./pass-lifecycle/samples.ts";
import { takeIn } from "./pass-lifecycle/surroundings.ts";
import { updates } from "./pass-lifecycle/updates.ts";
import { upserts } from "./pass-lifecycle/upserts.ts";
import { versions } from "./pass-lifecycle/versions.ts";
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

t.test("samples", (t) => samples(t, surroundings));
t.test("PATCH", (t) => updates(t, surroundings));
t.test("PUT", (t) => upserts(t, surroundings));
t.test("DELETE", (t) => revocations(t, surroundings));
t.test("versions", (t) => versions(t, surroundings));
t.test("wallets that refuse", (t) => failures(t, surroundings));
t.test("jobs", (t) => jobs(t, surroundings));
t.test("lists", (t) => lists(t, surroundings));
t.test("Idempotency-Key", (t) => idempotency(t, surroundings));
