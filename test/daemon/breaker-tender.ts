import t from "tap";
import { tendBreakers } from "../../src/daemon/breaker-tender.ts";
import type { BreakersTended } from "../../src/domain/webhooks/breaker.ts";
import { openEndpoint, up } from "../support/breakers.ts";
import { readableLog } from "../support/log.ts";
import { until } from "../support/until.ts";
import { employ } from "../support/worker.ts";

const none: BreakersTended = { released: 0, probes: 0, buried: 0, nextDueAtMs: null };

t.test("a round comes when the next webhook is due, soon in any case, and says what it did", async (t) => {
  const log = readableLog();
  let tended = none;
  const breakers = {
    tend: async () => tended,
    depth: async () => ({ open: 0, parked: 0 }),
    troubled: async () => [],
    health: () => Promise.reject(new Error("nobody asks")),
  };
  const round = tendBreakers({ breakers, nowMs: () => 1000, log });
  const { signal } = new AbortController();
  t.equal(await round(signal), 500);
  t.strictSame(log.of("breakers.tended"), [], "a round without anything to do says nothing");
  tended = { ...none, released: 100, nextDueAtMs: 1100 };
  t.equal(await round(signal), 100);
  tended = { ...none, buried: 3, nextDueAtMs: 900 };
  t.equal(await round(signal), 20);
  t.match(log.of("breakers.tended"), [{ released: 100 }, { buried: 3 }]);
});

t.test("a worker that starts finds what others have left parked", async (t) => {
  const at = await openEndpoint(t);
  at.store.clock.setTo(Date.now() - 120_000);
  await at.untilOpen(5);
  at.answers(up);
  const worker = await employ(t, at.store, {
    handlers: {
      delivery: async (task) => {
        at.store.clock.setTo(Date.now());
        return at.deliver(task);
      },
    },
  });
  await until("all are delivered", async () =>
    (await at.look()).every(({ status }) => status === "delivered"),
  );
  await worker.stop(1000);
  t.match(await at.health(), { breaker: "closed", parked: 0 });
});
