import t from "tap";
import { type Page, type Place, placeKey } from "../../src/tui/page.ts";
import { type Acts, createSession } from "../../src/tui/session.ts";
import type { State } from "../../src/tui/state.ts";
import { until } from "../support/until.ts";
import { atLetters, nowMs, opened, pageOf } from "./support/dashboard.ts";

const noActs: Acts = {
  plan: () => Promise.reject(new Error("nothing is planned")),
  carryOut: () => Promise.reject(new Error("nothing is carried out")),
  cancel: () => Promise.reject(new Error("nothing is cancelled")),
};

/** A session whose readings the test answers by itself. */
function watched(first: State, given: { acts?: Acts; intervalMs?: number } = {}) {
  const asked: { place: Place; answer: PromiseWithResolvers<Page> }[] = [];
  const session = createSession(first, {
    acts: given.acts ?? noActs,
    nowMs: () => nowMs,
    intervalMs: given.intervalMs ?? 3_600_000,
    read(place) {
      const answer = Promise.withResolvers<Page>();
      asked.push({ place, answer });
      return answer.promise;
    },
  });
  const press = (text: string) => session.dispatch({ type: "key", key: { name: "text", text } });
  return { session, asked, press };
}

t.test("only the page that is looked at is read, and one reading is under way at a time", async (t) => {
  const { session, asked, press } = watched(opened());
  t.teardown(() => session.stop());
  session.start();
  press("2");
  press("3");
  t.equal(asked.length, 1, "the first has no answer yet");
  asked[0]?.answer.resolve(pageOf({}));
  await until("the page that is looked at now is read", () => asked.length === 2);
  t.equal(asked[1]?.place.tab, "workers", "jobs were left before they were read");
  asked[1]?.answer.resolve(pageOf({ empty: "No workers." }));
  await until("it is shown", () => session.state().page?.empty === "No workers.");
});

t.test("a page is read again every interval, and after a failure, too", async (t) => {
  const { session, asked } = watched(opened(), { intervalMs: 1 });
  t.teardown(() => session.stop());
  session.start();
  asked[0]?.answer.reject(new Error("Redis is away."));
  await until("a second reading", () => asked.length === 2);
  t.match(session.state().stale, { why: "Redis is away." });
  asked[1]?.answer.resolve(pageOf({}));
  await until("a third reading", () => asked.length === 3);
  t.equal(session.state().stale, null);
});

t.test("what was planned is carried out once it is confirmed, and not before", async (t) => {
  const did: string[] = [];
  const { session, press } = watched(atLetters({}, "a"), {
    acts: {
      ...noActs,
      async plan({ verb, selection }) {
        did.push(`plan ${verb} ${JSON.stringify(selection)}`);
        return { matched: 1, obstacles: {}, reasons: {} };
      },
      async carryOut(_number, { onProgress }) {
        did.push("carry out");
        onProgress(1, 1);
        return ["1 of 1 are in the queue again."];
      },
    },
  });
  t.teardown(() => session.stop());
  press("R");
  await until("a question", () => session.state().dialog?.stage === "confirming");
  t.strictSame(did, ['plan replay {"ids":["a"]}']);
  press("1");
  session.dispatch({ type: "key", key: { name: "enter", text: "" } });
  await until("its end", () => session.state().dialog?.stage === "ended");
  t.equal(did.at(-1), "carry out");
  t.match(session.state().dialog, { failed: false, lines: ["1 of 1 are in the queue again."] });
});

t.test("a replay is cancelled when that was asked twice", async (t) => {
  const did: string[] = [];
  const { session, asked, press } = watched(atLetters({}, "a"), {
    acts: {
      ...noActs,
      async cancel(id) {
        did.push(id);
        return ["Replay 7: cancelled."];
      },
    },
  });
  t.teardown(() => session.stop());
  session.start();
  asked[0]?.answer.resolve(pageOf({ replay: { id: "7", done: 1, total: 9 } }));
  await until("the page", () => session.state().page?.replay?.id === "7");
  press("C");
  t.strictSame(did, []);
  press("C");
  await until("its end", () => session.state().dialog?.stage === "ended");
  t.strictSame(did, ["7"]);
  t.match(session.state().dialog, { failed: false, lines: ["Replay 7: cancelled."] });
});

t.test("what goes wrong with an act is told", async (t) => {
  const { session, press } = watched(atLetters({}, "a"));
  t.teardown(() => session.stop());
  press("P");
  await until("its end", () => session.state().dialog?.stage === "ended");
  t.match(session.state().dialog, { failed: true, lines: ["nothing is planned"] });
});

t.test("who leaves waits until what was begun is left to others", async (t) => {
  const letGo = Promise.withResolvers<readonly string[]>();
  let wasTold = false;
  const { session, press } = watched(atLetters({}, "a"), {
    acts: {
      ...noActs,
      plan: async () => ({ matched: 1, obstacles: {}, reasons: {} }),
      carryOut(_number, { signal }) {
        signal.addEventListener("abort", () => {
          wasTold = true;
        });
        return letGo.promise;
      },
    },
  });
  press("R");
  await until("a question", () => session.state().dialog?.stage === "confirming");
  press("1");
  session.dispatch({ type: "key", key: { name: "enter", text: "" } });
  let hasStopped = false;
  const stopped = session.stop().then(() => {
    hasStopped = true;
  });
  t.ok(wasTold);
  t.ok(session.isBusy());
  await new Promise((resolve) => setImmediate(resolve));
  t.notOk(hasStopped);
  letGo.resolve([]);
  await stopped;
  t.notOk(session.isBusy());
});

t.test("a page of another tenant, reason, stretch or row is another page", async (t) => {
  const place: Place = { tab: "jobs", path: [], scope: null, choice: null, stretch: 0 };
  const others: Partial<Place>[] = [{}, { path: ["a"] }, { choice: "b" }, { stretch: 1 }];
  others.push({ scope: { id: "c", name: "C" } });
  t.equal(new Set(others.map((other) => placeKey({ ...place, ...other }))).size, 5);
});
