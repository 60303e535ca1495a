import t from "tap";
import { withEndpointSlots } from "../../src/daemon/endpoint-slots.ts";
import { type Answer, deliverWebhook } from "../../src/domain/webhooks/deliver.ts";
import { openStore } from "../support/store.ts";
import { until } from "../support/until.ts";
import { openSubscriber } from "../support/webhooks.ts";
import { employ } from "../support/worker.ts";

t.test("one receiver that hangs and one that fails keep nothing from ninety-eight others", async (t) => {
  const store = await openStore(t, { partitions: 1 });
  store.clock.setTo(Date.now());
  const at = openSubscriber(store);
  // Its own event each, so that a hundred events for the one are a hundred deliveries to it alone.
  const hanging = await at.subscribe({ url: "https://hangs.example.com/", events: ["pass.revoked"] });
  const failing = await at.subscribe({ url: "https://fails.example.com/", events: ["pass.updated"] });
  const others = openSubscriber(store);
  const fine = new Map<string, number>();
  // A tenant has fifty webhooks at most.
  for (const [owner, count] of [
    [at, 48],
    [others, 50],
  ] as const) {
    for (let i = 0; i < count; i += 1) {
      const url = `https://fine.example.com/${fine.size}`;
      await owner.subscribe({ url, events: ["pass.created"] });
      fine.set(url, 0);
    }
  }
  for (let i = 0; i < 100; i += 1) {
    await at.fire("pass.revoked");
    await at.fire("pass.updated");
  }

  let hung = 0;
  let failed = 0;
  const deps = {
    ...at,
    clock: { nowMs: Date.now },
    webhookRetrySchedule: [0, 20, 20, 20, 20],
    webhookHoldLimitMs: 60_000,
    webhookSender: {
      async post(url: string, _headers: unknown, _body: string, signal: AbortSignal): Promise<Answer> {
        if (url === failing.url) {
          failed += 1;
          return { statusCode: 500, retryAfterSeconds: null };
        }
        if (url === hanging.url) {
          hung += 1;
          await new Promise((_, reject) => signal.addEventListener("abort", reject, { once: true }));
        }
        fine.set(url, (fine.get(url) ?? 0) + 1);
        return { statusCode: 204, retryAfterSeconds: null };
      },
    },
  };
  const worker = await employ(t, store, {
    concurrency: 4,
    handlers: { delivery: withEndpointSlots(10, (task, signal) => deliverWebhook(deps, task, signal)) },
  });
  await until("the one hangs and the other fails", () => hung > 0 && failed > 0);
  for (let round = 1; round <= 3; round += 1) {
    await at.fire("pass.created");
    await others.fire("pass.created");
    await until("every other one has it", () => [...fine.values()].every((count) => count === round), 20_000);
  }
  t.ok(hung <= 10, `${hung} calls hang, though 100 deliveries wait for them`);
  await until("the failing one's are all given up", async () =>
    (await at.history(failing)).every(({ status }) => status === "dead_lettered"),
  );
  t.equal(failed, 500, "each with its five attempts");
  await worker.stop(10);
});
