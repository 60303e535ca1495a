import t from "tap";
import { batches } from "./messages-and-batches/batches.ts";
import { broadcasts } from "./messages-and-batches/broadcasts.ts";
import { messages } from "./messages-and-batches/messages.ts";
import { takeIn } from "./messages-and-batches/surroundings.ts";
import { metricsAnywhere, newMasterKey, startPasswright } from "./support/passwright.ts";

const service = await startPasswright(t, {
  settings: {
    ...metricsAnywhere,
    PASSWRIGHT_TOKEN_RATE_LIMIT: "10000/1m",
    PASSWRIGHT_MASTER_KEY: newMasterKey(),
  },
});
const surroundings = await takeIn(service);

t.test("messages", (t) => messages(t, surroundings));
t.test("broadcasts", (t) => broadcasts(t, surroundings));
t.test("batches", (t) => batches(t, surroundings));
