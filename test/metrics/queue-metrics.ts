import t from "tap";
import type { QueueDepth } from "../../src/domain/jobs/queue-depth.ts";
import { createQueueMetrics } from "../../src/metrics/queue-metrics.ts";

const depth: QueueDepth = {
  classes: {
    interactive: { ready: 1, active: 2, delayed: 7, deadLetters: 8, oldestReadyMs: 1500 },
    webhooks: { ready: 3, active: 4, delayed: 10, deadLetters: 0, oldestReadyMs: 0 },
    bulk: { ready: 5, active: 6, delayed: 0, deadLetters: 11, oldestReadyMs: 20 },
  },
  fullest: { waiting: 30, deadLetters: 5 },
  outbox: { events: 9, oldestMs: 250 },
};

const limits = { waiting: 100, deadLetters: 20 };

const samples = (text: string): string[] => text.split("\n").filter((line) => /^[^#]/.test(line));

t.test("the depth is shown in seconds and pieces, by class where there are classes", async (t) => {
  const metrics = createQueueMetrics(async () => depth, limits);
  t.strictSame(samples(await metrics.text()), [
    "passwright_queue_readable 1",
    'passwright_queue_ready{class="interactive"} 1',
    'passwright_queue_ready{class="webhooks"} 3',
    'passwright_queue_ready{class="bulk"} 5',
    'passwright_queue_active{class="interactive"} 2',
    'passwright_queue_active{class="webhooks"} 4',
    'passwright_queue_active{class="bulk"} 6',
    'passwright_queue_oldest_ready_seconds{class="interactive"} 1.5',
    'passwright_queue_oldest_ready_seconds{class="webhooks"} 0',
    'passwright_queue_oldest_ready_seconds{class="bulk"} 0.02',
    'passwright_queue_delayed{class="interactive"} 7',
    'passwright_queue_delayed{class="webhooks"} 10',
    'passwright_queue_delayed{class="bulk"} 0',
    'passwright_queue_dead_letters{class="interactive"} 8',
    'passwright_queue_dead_letters{class="webhooks"} 0',
    'passwright_queue_dead_letters{class="bulk"} 11',
    'passwright_queue_fullness_ratio{bound="waiting"} 0.3',
    'passwright_queue_fullness_ratio{bound="dead_letters"} 0.25',
    "passwright_outbox_events 9",
    "passwright_outbox_oldest_seconds 0.25",
  ]);
});

t.test(
  "while the queue cannot be read its gauges are absent, the last ones too, and come back",
  async (t) => {
    let away = false;
    const metrics = createQueueMetrics(async () => {
      if (away) throw new Error("Redis is away");
      return depth;
    }, limits);
    t.match(await metrics.text(), "passwright_queue_ready");
    away = true;
    t.strictSame(samples(await metrics.text()), ["passwright_queue_readable 0"]);
    away = false;
    t.match(await metrics.text(), "passwright_queue_ready");
  },
);

t.test("who asks gets an answer in time, and a slow reading is not begun twice", async (t) => {
  let begun = 0;
  const slow = Promise.withResolvers<QueueDepth>();
  const metrics = createQueueMetrics(
    () => {
      begun += 1;
      return slow.promise;
    },
    limits,
    { patienceMs: 1 },
  );
  for (let scrape = 0; scrape < 3; scrape++) {
    t.strictSame(samples(await metrics.text()), ["passwright_queue_readable 0"]);
  }
  t.equal(begun, 1);
});
