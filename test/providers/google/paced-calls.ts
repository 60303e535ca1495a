import t from "tap";
import { PasswrightError } from "../../../src/domain/errors.ts";
import type { CallPlace, CallRate } from "../../../src/domain/providers/call-rate.ts";
import { callAccount, createPacedCalls, type ReadyCall } from "../../../src/providers/google/paced-calls.ts";
import { credentialsFor } from "./fixtures/service-account.ts";

const never = new AbortController().signal;
const credentials = credentialsFor("https://google.example");
const call = { method: "GET" as const, path: "issuer" };
const place = (line = "a"): CallPlace => ({ line, waited: false });

/** A rate that answers as the test says, and a carrier that answers at once. */
function opened(waits: (places: readonly CallPlace[]) => number[] | Promise<number[]>) {
  const questions: CallPlace[][] = [];
  const carried: number[] = [];
  const rate: CallRate = {
    async take(_account, places) {
      questions.push([...places]);
      return waits(places);
    },
    hold: async () => 0,
  };
  const calls = createPacedCalls({
    rateOf: () => rate,
    carry(_credentials, ready: readonly ReadyCall[]) {
      carried.push(ready.length);
      for (const { resolve } of ready) resolve({ status: 200, body: {} });
    },
  });
  const make = (at: CallPlace, signal = never) => calls.make({ credentials, place: at }, call, signal);
  return { make, questions, carried };
}

t.test("what comes while the rate is being asked for is asked for together", async (t) => {
  const { make, questions, carried } = opened((places) => places.map(() => 0));
  await Promise.all(Array.from({ length: 30 }, () => make(place())));
  t.strictSame(
    questions.map((places) => places.length),
    [1, 29],
  );
  t.strictSame(carried, [1, 29]);
});

t.test(
  "once the first call of a piece of work was let through, the others do not stand in line anew",
  async (t) => {
    const { make, questions } = opened((places) => places.map(() => 0));
    const one = place();
    await make(one);
    await make(one);
    await make(place());
    t.strictSame(
      questions.flat().map(({ waited }) => waited),
      [false, true, false],
    );
  },
);

t.test("a short wait is waited for, and a long one said with the turn", async (t) => {
  const { make, questions } = opened((places) => places.map(({ waited }) => (waited ? 0 : 20)));
  t.match(await make(place()), { status: 200 });
  t.equal(questions.length, 2);
  const long = opened((places) => places.map(() => 90_000));
  await t.rejects(long.make(place()), {
    code: "provider_rate_limited",
    retryAfterSeconds: 90,
    turn: { inMs: 90_000, refused: false },
  });
});

t.test("few hands wait at a time, however short the wait is", async (t) => {
  const { make } = opened((places) => places.map(({ waited }) => (waited ? 0 : 50)));
  const all = await Promise.allSettled(Array.from({ length: 25 }, () => make(place())));
  t.equal(all.filter(({ status }) => status === "fulfilled").length, 10);
});

t.test("who is to leave does so at once, and while the store is away that is said", async (t) => {
  const leaving = new AbortController();
  const { make, questions } = opened((places) => places.map(() => 300));
  const left = make(place(), leaving.signal);
  leaving.abort(new Error("the lease is over"));
  await t.rejects(left, { message: "the lease is over" });
  t.equal(questions.length, 1);

  const away = new PasswrightError("unavailable", "Redis is away.");
  const without = opened(() => Promise.reject(away));
  await t.rejects(without.make(place()), { code: "unavailable" });
  await t.rejects(without.make(place()), { code: "unavailable" }, "and the next asks again");
});

t.test("the account is the issuer's service account, whatever key or tenant goes by it", async (t) => {
  const account = callAccount(credentials);
  t.equal(callAccount({ ...credentials, privateKey: "another", demoMode: true }), account);
  for (const other of [{ issuerId: "1" }, { clientEmail: "a@b" }, { apiUrl: "https://x.example" }])
    t.not(callAccount({ ...credentials, ...other }), account);
  t.match(account, /^[\w-]{22}$/);
});
