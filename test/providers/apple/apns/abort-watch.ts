import { getEventListeners } from "node:events";
import t from "tap";
import { createAbortWatch } from "../../../../src/providers/apple/apns/abort-watch.ts";

t.test("all who watch a signal are called when it aborts, over one listener", async (t) => {
  const onAbort = createAbortWatch();
  const { signal, abort } = controller();
  const called: number[] = [];
  const forgets = [1, 2, 3].map((number) => onAbort(signal, () => void called.push(number)));
  t.equal(getEventListeners(signal, "abort").length, 1);
  forgets[1]?.();
  abort();
  t.strictSame(called, [1, 3]);
});

t.test("a signal that nobody watches any more has no listener, and may be watched anew", async (t) => {
  const onAbort = createAbortWatch();
  const { signal, abort } = controller();
  const forget = onAbort(signal, () => t.fail("it was taken back"));
  forget();
  forget();
  t.equal(getEventListeners(signal, "abort").length, 0);
  let called = 0;
  onAbort(signal, () => {
    called += 1;
  });
  forget();
  abort();
  t.equal(called, 1);
});

function controller() {
  const own = new AbortController();
  return { signal: own.signal, abort: () => own.abort() };
}
