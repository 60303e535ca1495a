import t from "tap";
import type { PassView } from "../../../src/domain/events/event.ts";
import { createViewRecorder } from "../../../src/domain/events/record-views.ts";
import { createIds } from "../../../src/domain/ids.ts";
import type { Facts } from "../../../src/domain/log.ts";
import { settableClock } from "../../support/clock.ts";

const pass = { tenantId: "tenant", id: "pass", templateId: "template" };

/** A recorder over writes that end when, and how, the test says. */
function recorder() {
  const clock = settableClock();
  const written: { view: PassView; end: (error?: Error) => void }[] = [];
  const warnings: [string, Facts][] = [];
  const ignore = () => {};
  const views = createViewRecorder({
    clock,
    ids: createIds({ clock, sameHome: () => true }),
    log: {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (facts, event) => warnings.push([event, facts]),
    },
    events: {
      recordView(view) {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        written.push({ view, end: (error) => (error ? reject(error) : resolve()) });
        return promise;
      },
    },
  });
  return { views, written, warnings, clock };
}

t.test("a view is written with its pass and instant, each as an event of its own", async (t) => {
  const { views, written, clock, warnings } = recorder();
  views.viewed(pass);
  views.viewed(pass);
  const common = { tenantId: "tenant", passId: "pass", templateId: "template", atMs: clock.nowMs() };
  t.match(
    written.map(({ view }) => view),
    [common, common],
  );
  t.not(written[0]?.view.eventId, written[1]?.view.eventId);
  for (const { end } of written) end();
  await views.settled();
  t.strictSame(warnings, []);
});

t.test("a view that cannot be written is logged, and nobody else hears of it", async (t) => {
  const { views, written, warnings } = recorder();
  const error = new Error("no store");
  views.viewed(pass);
  written[0]?.end(error);
  await views.settled();
  t.strictSame(warnings, [["view.failed", { pass_id: "pass", err: error }]]);
});

t.test("while very many are being written, more are dropped, counted, and said once", async (t) => {
  const { views, written, warnings } = recorder();
  for (let i = 0; i < 510; i += 1) views.viewed(pass);
  t.equal(written.length, 500);
  written[0]?.end();
  await Promise.resolve().then(() => new Promise(setImmediate));
  views.viewed(pass);
  t.equal(written.length, 501, "there is room again");
  for (const { end } of written) end();
  await views.settled();
  t.strictSame(
    warnings.map(([event]) => event),
    ["view.dropped", "views.lost"],
  );
  t.strictSame(warnings[1]?.[1], { views: 10 });
});

t.test("settled waits for what is being written", async (t) => {
  const { views, written } = recorder();
  views.viewed(pass);
  let settled = false;
  const waiting = views.settled().then(() => {
    settled = true;
  });
  await new Promise(setImmediate);
  t.equal(settled, false);
  written[0]?.end();
  await waiting;
  t.equal(settled, true);
});
