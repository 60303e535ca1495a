import fc from "fast-check";
import t from "tap";
import { retireExpiredKeys } from "../../../src/domain/signing-keys/retire-expired.ts";
import { rotateKey } from "../../../src/domain/signing-keys/rotate.ts";
import { accessTokenLifetimeSeconds } from "../../../src/domain/tokens/token.ts";
import { dayMs, hourMs, openSigningKeys } from "../../support/signing-keys.ts";
import { openStore, type TestStore } from "../../support/store.ts";

/** How far a process may be behind the store: it reads the keys every 2 s, and has 5 s to know. */
const mostBehindMs = 5000;

/** What the store held from an instant on. */
type Snapshot = { fromMs: number; active: string; published: string[] };

/**
 * Lives through rotations, each as soon as it is allowed and some hours later, with the scheduler's removals in
 * between; answers what the store held at every instant.
 */
async function history(store: TestStore, pausesMs: readonly number[]): Promise<Snapshot[]> {
  await store.connection.del(store.keys.signingKeys);
  const keys = await openSigningKeys(store);
  const snapshots: Snapshot[] = [];
  const record = async (): Promise<void> => {
    const held = await keys.signingKeys.list();
    const { active } = await keys.states();
    snapshots.push({ fromMs: store.clock.nowMs(), active, published: held.map(({ kid }) => kid) });
  };
  await record();
  for (const pauseMs of pausesMs) {
    const fromMs = store.clock.nowMs();
    const untilMs = fromMs + pauseMs;
    while (store.clock.nowMs() < untilMs) {
      // The scheduler comes often while tokens of before are alive, and now and then afterwards.
      const stepMs = store.clock.nowMs() < fromMs + 2 * hourMs ? hourMs / 3 : 6 * hourMs;
      store.clock.setTo(Math.min(store.clock.nowMs() + stepMs, untilMs));
      if ((await retireExpiredKeys(keys)) > 0) await record();
    }
    // What is refused because it is not safe yet is part of the history, too.
    await rotateKey(keys, { force: false, dryRun: false }).then(record, () => {});
  }
  return snapshots;
}

function at(snapshots: readonly Snapshot[], ms: number): Snapshot {
  const found = snapshots.findLast(({ fromMs }) => fromMs <= ms) ?? snapshots[0];
  if (found === undefined) throw new Error("there is no history");
  return found;
}

t.test("who keeps a key set for 24 hours never meets a token of a key that is not in it", async (t) => {
  const store = await openStore(t);
  const pause = fc.oneof(
    fc.constantFrom(dayMs, dayMs + mostBehindMs, dayMs - 1, dayMs + 1, 48 * hourMs),
    fc.integer({ min: hourMs, max: 4 * dayMs }),
  );
  // Half of all draws are at an end of the range: there is where it breaks, if anywhere.
  const upTo = (max: number) => fc.oneof(fc.constantFrom(0, max), fc.integer({ min: 0, max }));
  const verifier = fc.record({
    /** When it fetches: at any time, or around a change of the keys; and from a process how far behind. */
    fetched: fc.oneof(
      fc.record({ change: fc.constant(null), offset: fc.double({ min: 0, max: 1, noNaN: true }) }),
      fc.record({ change: fc.nat(), offset: fc.integer({ min: -mostBehindMs, max: 2 * mostBehindMs }) }),
    ),
    servedBehindMs: upTo(mostBehindMs),
    /** How old its set is when it meets a token, how old that is, and how far behind its signer was. */
    setAgeMs: upTo(dayMs),
    tokenAgeMs: upTo(accessTokenLifetimeSeconds * 1000),
    signedBehindMs: upTo(mostBehindMs),
  });
  let rotations = 0;
  const result = await fc.check(
    fc.asyncProperty(
      fc.array(pause, { minLength: 3, maxLength: 8 }),
      fc.array(verifier, { minLength: 400, maxLength: 400 }),
      async (pausesMs, verifiers) => {
        const startMs = store.clock.nowMs();
        const snapshots = await history(store, pausesMs);
        const spanMs = store.clock.nowMs() + dayMs - startMs;
        rotations += new Set(snapshots.map(({ active }) => active)).size - 1;
        for (const one of verifiers) {
          const { change, offset } = one.fetched;
          const fetchedAtMs =
            change === null
              ? startMs + Math.floor(offset * spanMs)
              : (snapshots[change % snapshots.length]?.fromMs ?? startMs) + offset;
          const metAtMs = fetchedAtMs + one.setAgeMs;
          const signedAtMs = metAtMs - one.tokenAgeMs;
          // A token of before the first key is none of ours.
          if (signedAtMs < startMs) continue;
          const known = at(snapshots, fetchedAtMs - one.servedBehindMs).published;
          const { active } = at(snapshots, signedAtMs - one.signedBehindMs);
          if (!known.includes(active)) {
            throw new Error(`${active} of ${signedAtMs} is not in the set of ${fetchedAtMs}`);
          }
        }
      },
    ),
    // The first counterexample says enough; each attempt at a smaller one lives through it all again.
    { numRuns: 15, endOnFailure: true },
  );
  t.notOk(result.failed, String(result.errorInstance));
  t.ok(rotations > 15, `${rotations} rotations`);
});

t.test("with force it does: the property can fail", async (t) => {
  const store = await openStore(t);
  const keys = await openSigningKeys(store);
  const fetched = (await keys.signingKeys.list()).map(({ kid }) => kid);
  for (let i = 0; i < 2; i++) await rotateKey(keys, { force: true, dryRun: false });
  t.notOk(fetched.includes((await keys.states()).active));
});
