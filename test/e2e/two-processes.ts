import t from "tap";
import { newMasterKey } from "./support/passwright.ts";
import { ceilings } from "./two-processes/ceilings.ts";
import { equalRequests } from "./two-processes/equal-requests.ts";
import { takeIn } from "./two-processes/surroundings.ts";

// Two processes of the built product on one Redis, as behind a load balancer: what is promised of one request and of one
// balance holds for both together.

// A busy machine takes its time over so many processes and requests.
t.setTimeout(300_000);
const surroundings = await takeIn(t, {
  PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
  PASSWRIGHT_MASTER_KEY: newMasterKey(),
});

t.test("equal requests at one moment", (t) => equalRequests(t, surroundings));
t.test("what can be paid for", (t) => ceilings(t, surroundings));
