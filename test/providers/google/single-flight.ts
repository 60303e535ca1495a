import t from "tap";
import { createSingleFlight } from "../../../src/providers/google/single-flight.ts";

const never = new AbortController().signal;

t.test("those who ask for the same while it is under way share one run", async (t) => {
  const flight = createSingleFlight<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  let runs = 0;
  const work = () => {
    runs++;
    return promise;
  };
  const asked = [flight("a", work, never), flight("a", work, never)];
  t.equal(runs, 1);
  const other = flight("b", async () => 8, never);
  resolve(7);
  t.strictSame(await Promise.all([...asked, other]), [7, 7, 8]);
});

t.test("a failure is shared, and not kept", async (t) => {
  const flight = createSingleFlight<number>();
  const fail = async (): Promise<number> => {
    throw new Error("no");
  };
  const outcomes = await Promise.allSettled([flight("a", fail, never), flight("a", fail, never)]);
  t.strictSame(
    outcomes.map(({ status }) => status),
    ["rejected", "rejected"],
  );
  t.equal(await flight("a", async () => 1, never), 1);
});

t.test("who leaves by his own signal takes nothing from the others", async (t) => {
  const flight = createSingleFlight<number>();
  const { promise, resolve } = Promise.withResolvers<number>();
  const leaving = new AbortController();
  const left = flight("a", () => promise, leaving.signal);
  const staying = flight("a", () => promise, never);
  leaving.abort();
  await t.rejects(left, { code: "provider_unavailable" });
  await t.rejects(
    flight("a", () => promise, AbortSignal.abort()),
    { code: "provider_unavailable" },
  );
  resolve(7);
  t.equal(await staying, 7);
});
