import t, { type Test } from "tap";
import { unlimitedCalls } from "../../../src/domain/providers/call-rate.ts";
import { createWalletApi } from "../../../src/providers/google/wallet-api.ts";
import { refuse, startGoogleServer } from "./fixtures/google-server.ts";
import { credentialsFor, issuerId } from "./fixtures/service-account.ts";
import { startStrictGoogle } from "./fixtures/strict-google.ts";

const never = new AbortController().signal;
const clock = { nowMs: Date.now };

/** Calls are let through when the test says so, all of them together. */
async function started(t: Test, { mostTogether = 20 } = {}) {
  const google = await startStrictGoogle({ limit: 10_000 });
  const held: (string | number)[] = [];
  let open = Promise.withResolvers<void>();
  open.resolve();
  const rate = {
    async take(account: string, places: Parameters<typeof unlimitedCalls.take>[1]) {
      await open.promise;
      return unlimitedCalls.take(account, places);
    },
    async hold(_account: string, askedMs: number | null) {
      held.push(askedMs ?? "");
      return 5000;
    },
  };
  const api = createWalletApi({ clock, rateOf: () => rate, mostTogether });
  t.teardown(async () => {
    await api.close();
    await google.close();
  });
  const credentials = credentialsFor(google.url);
  const call = (name: string) => ({
    ...{ credentials, collection: "loyaltyObject", body: { id: `${issuerId}.${name}` } },
  });
  return {
    ...{ google, api, call, held },
    /** What becomes of so many inserts that are let through together. The first only opens the line. */
    async together(names: readonly string[], signal = never) {
      open = Promise.withResolvers<void>();
      const calls = names.map((name) => api.insert(call(name), signal));
      open.resolve();
      return Promise.allSettled(calls);
    },
    /** Paths of the API, as they were asked since the last time. */
    asked: () => google.requests.splice(0).filter((path) => path !== "/token"),
  };
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`);

t.test(
  "calls that are let through together go out as one request, and each gets its own answer",
  async (t) => {
    const { google, together, asked } = await started(t);
    const first = await together(names(7));
    t.ok(first.every((one) => one.status === "fulfilled" && one.value.outcome === "written"));
    t.strictSame(
      asked(),
      ["/walletobjects/v1/loyaltyObject", "/batch"],
      "what waited for the question goes first",
    );
    t.equal(google.calls.length, 7);
    t.strictSame(
      [...google.bodies.keys()].toSorted(),
      names(7).map((name) => `${issuerId}.${name}`),
    );
  },
);

t.test("a batch is of so many at most, and of one where they are switched off", async (t) => {
  const few = await started(t, { mostTogether: 3 });
  await few.together(names(9));
  t.equal(few.asked().filter((path) => path === "/batch").length, 3, "1, and 3 + 3 + 2");
  const none = await started(t, { mostTogether: 1 });
  await none.together(names(4));
  t.strictSame(none.asked(), Array(4).fill("/walletobjects/v1/loyaltyObject"));
});

t.test("a part that is refused is its caller's alone", async (t) => {
  const { google, together, held } = await started(t);
  google.refuseSome(({ id }) =>
    id.endsWith("p2") ? { status: 429, headers: { "retry-after": "3" }, reason: "rateLimitExceeded" } : null,
  );
  const outcomes = await together(names(5));
  t.strictSame(
    outcomes.map(({ status }) => status),
    ["fulfilled", "fulfilled", "rejected", "fulfilled", "fulfilled"],
  );
  t.match(outcomes[2], { reason: { code: "provider_rate_limited", turn: { inMs: 5000, refused: true } } });
  t.strictSame(held, [3000]);
});

t.test("a Google that knows no batches gets the calls one by one, and is not asked again", async (t) => {
  const { google, together, asked } = await started(t);
  google.takeNoBatches();
  const outcomes = await together(names(4));
  t.ok(outcomes.every(({ status }) => status === "fulfilled"));
  t.strictSame(asked().filter((path) => path === "/batch").length, 1);
  await together(names(4));
  t.notOk(asked().includes("/batch"));
});

t.test("a batch that fails whole fails each of its calls as it would have failed alone", async (t) => {
  const google = await startGoogleServer();
  const api = createWalletApi({ clock, mostTogether: 20 });
  t.teardown(async () => {
    await api.close();
    await google.close();
  });
  const credentials = credentialsFor(google.url);
  const call = { credentials, collection: "loyaltyClass", body: { id: `${issuerId}.a` } };
  const three = () => Promise.allSettled([1, 2, 3].map(() => api.insert(call, never)));
  const codes = async () =>
    (await three()).slice(1).map((one) => (one.status === "rejected" ? one.reason.code : one.value.outcome));

  google.meet("POST /batch", { status: 503 });
  t.strictSame(await codes(), ["provider_unavailable", "provider_unavailable"]);
  google.meet("POST /batch", "hang up");
  t.strictSame(await codes(), ["provider_unavailable", "provider_unavailable"]);
  google.meet("POST /batch", refuse(403, "Permission denied.", "permissionDenied"));
  t.strictSame(await codes(), ["provider_credentials_invalid", "provider_credentials_invalid"]);
  google.meet("POST /batch", {
    ...{ status: 200, body: "--x--", headers: { "content-type": "multipart/mixed; boundary=x" } },
  });
  t.strictSame(await codes(), ["provider_unavailable", "provider_unavailable"], "a part without an answer");

  // A token that was withdrawn is replaced: once for all of them.
  const before = google.calls.filter((one) => one === "POST /token").length;
  google.meet("POST /batch", refuse(401, "Invalid Credentials", "authError"));
  google.meet("POST /batch", { status: 404 });
  await codes();
  t.equal(google.calls.filter((one) => one === "POST /token").length, before + 1);
});

t.test("who has to leave a batch leaves the others to it", async (t) => {
  const { google, api, call } = await started(t);
  const goOn = google.stall();
  const leaving = new AbortController();
  const first = api.insert(call("first"), never);
  const left = api.insert(call("leaves"), leaving.signal);
  const stays = api.insert(call("stays"), never);
  leaving.abort(new Error("the lease is over"));
  await t.rejects(left, { code: "provider_unavailable" });
  goOn();
  t.strictSame(await Promise.all([first, stays]), Array(2).fill({ outcome: "written" }));
});
