import t from "tap";
import { errorKinds } from "../../../src/domain/errors.ts";
import { isRecordKind, isWorthRetrying } from "../../../src/domain/jobs/work.ts";

t.test("only what may pass by itself, or is our own fault, is tried again", async (t) => {
  const retried = Object.entries(errorKinds).filter(([, kind]) => isWorthRetrying(kind));
  t.strictSame(retried.map(([code]) => code).sort(), [
    "internal_error",
    "provider_credentials_unreadable",
    "provider_rate_limited",
    "provider_unavailable",
    "too_many_batches",
    "too_many_requests",
    "unavailable",
    "worker_lost",
  ]);
});

t.test("jobs and deliveries are the kinds of records", async (t) => {
  t.strictSame(["job", "delivery", "", "Job", "constructor"].filter(isRecordKind), ["job", "delivery"]);
});
