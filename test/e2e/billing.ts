import t from "tap";
import { checkout } from "./billing/checkout.ts";
import { problems } from "./billing/problems.ts";
import { takeIn } from "./billing/surroundings.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";

const service = await startPasswright(t, {
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
  },
});
const surroundings = await takeIn(service);

t.test("buying", (t) => checkout(t, surroundings));
t.test("what is refused", (t) => problems(t, surroundings));
