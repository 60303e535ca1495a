import t, { type Test } from "tap";
import { createKeyCache } from "../../../../src/providers/google/callbacks/key-cache.ts";
import { settableClock } from "../../../support/clock.ts";
import { googleSigner } from "../../../support/google-callbacks.ts";
import { readableLog } from "../../../support/log.ts";

const minuteMs = 60_000;

/** A source whose answers the test gives; each load waits for one where `holding`. */
function opened(t: Test) {
  const clock = settableClock();
  const log = readableLog();
  const signer = googleSigner({ issuerId: "1", nowMs: () => clock.nowMs() });
  const state = {
    loads: 0,
    isAway: false,
    text: JSON.stringify(signer.keysDocument()),
    freshMs: 10 * minuteMs,
  };
  let gate: Promise<void> = Promise.resolve();
  const cache = createKeyCache(
    {
      name: "https://keys.example.com",
      leastIntervalMs: minuteMs,
      async load() {
        state.loads += 1;
        await gate;
        if (state.isAway) throw new Error("nobody answers");
        return { text: state.text, freshMs: state.freshMs };
      },
    },
    { clock, log },
  );
  return {
    clock,
    log,
    state,
    signer,
    keys: () => cache.keys(),
    /** Loads end when the answer is called. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      t.teardown(resolve);
      return resolve;
    },
  };
}

t.test("keys are loaded once, and by nobody else while that goes on", async (t) => {
  const { keys, state, hold } = opened(t);
  const release = hold();
  const asked = Array.from({ length: 20 }, keys);
  release();
  for (const found of await Promise.all(asked)) t.equal(found.length, 1);
  await keys();
  t.equal(state.loads, 1);
});

t.test("shortly before they are stale, others are asked for in the background", async (t) => {
  const { keys, state, clock, hold } = opened(t);
  const [first] = await keys();
  clock.forward(7.9 * minuteMs);
  await keys();
  t.equal(state.loads, 1);
  clock.forward(0.1 * minuteMs);
  state.text = JSON.stringify(googleSigner({ issuerId: "1", nowMs: () => clock.nowMs() }).keysDocument());
  const release = hold();
  t.equal((await keys())[0], first, "nobody waits");
  t.equal(state.loads, 2);
  release();
  t.not((await settled(keys, first))[0], first);
  t.equal(state.loads, 2);
});

/** The answer once it is another one. */
async function settled<Key>(keys: () => Promise<readonly Key[]>, before: Key | undefined) {
  let found = await keys();
  for (let turn = 0; turn < 100 && found[0] === before; turn++) found = await keys();
  return found;
}

t.test("stale ones are not gone by where there are others", async (t) => {
  const { keys, state, clock } = opened(t);
  const [first] = await keys();
  clock.forward(10 * minuteMs);
  state.text = JSON.stringify(googleSigner({ issuerId: "1", nowMs: () => clock.nowMs() }).keysDocument());
  t.not((await keys())[0], first);
});

t.test(
  "those that end sooner than their source said are not waited with: others are asked for before",
  async (t) => {
    const { keys, state, clock, signer } = opened(t);
    state.text = JSON.stringify(signer.keysDocument({ keyExpiration: String(clock.nowMs() + 5 * minuteMs) }));
    const [first] = await keys();
    state.text = JSON.stringify(signer.keysDocument());
    clock.forward(4 * minuteMs);
    t.not((await settled(keys, first))[0], first);
    t.equal(state.loads, 2);
  },
);

t.test("where all have ended before their source said, others are had at once", async (t) => {
  const { keys, state, clock, signer } = opened(t);
  state.text = JSON.stringify(signer.keysDocument({ keyExpiration: String(clock.nowMs() + 5 * minuteMs) }));
  await keys();
  state.text = JSON.stringify(signer.keysDocument());
  clock.forward(5 * minuteMs);
  t.equal((await keys()).length, 1);
});

t.test("the last ones are kept while the source is away, until they end themselves", async (t) => {
  const { keys, state, clock, log } = opened(t);
  const [first] = await keys();
  state.isAway = true;
  for (let hour = 1; hour < 24; hour++) {
    clock.forward(60 * minuteMs);
    t.equal((await keys())[0], first);
  }
  t.equal(state.loads, 24);
  t.match(log.of("callback_keys.unavailable").at(-1), { source: "https://keys.example.com", kept: 1 });
  clock.forward(60 * minuteMs);
  await t.rejects(keys(), { code: "provider_unavailable" });
});

t.test("no more than one load a minute begins, whatever happens", async (t) => {
  const { keys, state, clock } = opened(t);
  state.isAway = true;
  await t.rejects(keys(), { code: "provider_unavailable", retryAfterSeconds: 60 });
  clock.forward(20_000);
  for (let n = 0; n < 1000; n++) await keys().catch(() => {});
  t.equal(state.loads, 1);
  await t.rejects(keys(), { code: "provider_unavailable", retryAfterSeconds: 40 });
  state.isAway = false;
  clock.forward(40_000);
  t.equal((await keys()).length, 1);
  t.equal(state.loads, 2);
});

t.test("an answer without keys that are in force replaces nothing", async (t) => {
  const { keys, state, clock, signer } = opened(t);
  const [first] = await keys();
  const ended = JSON.stringify(signer.keysDocument({ keyExpiration: String(clock.nowMs()) }));
  for (const text of ["<html>", '{"keys":[]}', ended]) {
    state.text = text;
    clock.forward(10 * minuteMs);
    t.equal((await keys())[0], first, text);
  }
  t.equal(state.loads, 4);
});
