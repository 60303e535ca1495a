import t from "tap";
import { createSlowReceivers } from "../../src/daemon/slow-receivers.ts";

/** Receivers on a clock that the test moves. */
function open(most: number) {
  let now = 0;
  const receivers = createSlowReceivers({ most, nowMs: () => now });
  return {
    ...receivers,
    forward(ms: number) {
      now += ms;
    },
    /** A delivery that takes so long. */
    take(receiver: string, ms: number) {
      const end = receivers.begin(receiver);
      now += ms;
      end();
    },
  };
}

t.test("who answers in time has as many hands as there are", async (t) => {
  const { begin, waitMs } = open(40);
  for (let i = 0; i < 40; i++) {
    t.equal(waitMs("quick"), 0);
    begin("quick");
  }
});

t.test("who has not answered for more than a second gets no more than its share", async (t) => {
  const { begin, waitMs, forward } = open(40);
  for (let i = 0; i < 10; i++) begin("hangs");
  forward(1000);
  t.equal(waitMs("hangs"), 0, "not yet");
  forward(1);
  t.equal(waitMs("hangs"), 1001);
  forward(20_000);
  t.equal(waitMs("hangs"), 21_001, "the longer it has hung, the longer the rest waits");
  t.equal(waitMs("other"), 0);
});

t.test("who was slow has its share from the start, until it answers in time", async (t) => {
  const { begin, waitMs, take } = open(40);
  take("hangs", 30_000);
  const ends = [begin("hangs"), begin("hangs")];
  t.equal(waitMs("hangs"), 1000, "a twentieth of the hands is in use");
  for (const end of ends) end();
  t.equal(waitMs("hangs"), 0, "as much work as it took less than a second for");
  for (let i = 0; i < 30; i++) begin("hangs");
  t.equal(waitMs("hangs"), 0);
});

t.test("all slow ones together have half of the hands", async (t) => {
  const { begin, waitMs, take } = open(40);
  const names = Array.from({ length: 21 }, (_, i) => `hangs ${i}`);
  for (const name of names) take(name, 2000);
  for (const name of names.slice(0, 20)) {
    t.equal(waitMs(name), 0);
    begin(name);
  }
  t.equal(waitMs("hangs 20"), 1000);
  t.equal(waitMs("quick"), 0);
});

t.test("of a single hand there is a share, too", async (t) => {
  const { begin, waitMs, take } = open(1);
  take("hangs", 2000);
  t.equal(waitMs("hangs"), 0);
  begin("hangs");
  t.equal(waitMs("hangs"), 1000);
});
