import t from "tap";
import { createRefusedCallers } from "../../src/http/refused-callers.ts";
import { createRefusedCallbackRateLimiter } from "../../src/redis/rate-limiter.ts";
import { openStore } from "../support/store.ts";

t.test(
  "an address is not listened to after so many refusals, in any process, until the first are old",
  async (t) => {
    const store = await openStore(t);
    const process = () =>
      createRefusedCallers(createRefusedCallbackRateLimiter(store, { requests: 3, windowMs: 60_000 }));
    const [one, other] = [process(), process()];
    const nowMs = store.clock.nowMs();
    for (let n = 0; n < 3; n++) {
      one.requireWelcome("192.0.2.7", nowMs);
      await one.refuse("192.0.2.7", nowMs);
    }
    const tooMany = { code: "too_many_requests", retryAfterSeconds: 60, limit: 3 };
    t.throws(() => one.requireWelcome("192.0.2.7", nowMs), tooMany);
    one.requireWelcome("192.0.2.8", nowMs);
    other.requireWelcome("192.0.2.7", nowMs);
    await other.refuse("192.0.2.7", nowMs + 10_000);
    t.throws(() => other.requireWelcome("192.0.2.7", nowMs + 10_000), { ...tooMany, retryAfterSeconds: 50 });
    one.requireWelcome("192.0.2.7", nowMs + 60_000);
  },
);
