import t from "tap";
import { createTokenRateLimiter } from "../../src/redis/rate-limiter.ts";
import { openStore } from "../support/store.ts";

const store = await openStore(t);
const limit = { requests: 10, windowMs: 60_000 };
const here = createTokenRateLimiter(store, limit);
const elsewhere = createTokenRateLimiter(await store.another(), limit);
const startMs = Date.parse("2026-11-21T06:43:46.625Z");

t.test("ten requests are let through in a minute, whichever process they come to", async (t) => {
  const address = "203.0.113.1";
  for (let i = 0; i < 10; i++) {
    t.strictSame(await (i % 2 === 0 ? here : elsewhere).take(address, startMs + i), {
      allowed: true,
      limit: 10,
      remaining: 9 - i,
      resetSeconds: 60,
    });
  }
  const refused = { allowed: false, limit: 10, remaining: 0 };
  t.match(await here.take(address, startMs + 10), refused);
  t.match(await elsewhere.take(address, startMs + 11), refused);
});

t.test("a request is free again to the millisecond when the oldest has left the window", async (t) => {
  const address = "203.0.113.2";
  for (let i = 0; i < 10; i++) await here.take(address, startMs + i * 1000);
  t.match(await elsewhere.take(address, startMs + 59_999), { allowed: false, resetSeconds: 1 });
  t.match(await here.take(address, startMs + 60_000), { allowed: true, remaining: 0 });
  t.match(await here.take(address, startMs + 60_999), { allowed: false }, "one left, one was free");
  t.match(await elsewhere.take(address, startMs + 61_000), { allowed: true, remaining: 0, resetSeconds: 1 });
});

t.test("the window slides: a burst at the turn of a minute is no way around it", async (t) => {
  const address = "203.0.113.3";
  const turn = Date.parse("2026-11-21T06:44:00.000Z");
  for (let i = 0; i < 10; i++) await here.take(address, turn - 1);
  t.match(await here.take(address, turn), { allowed: false, resetSeconds: 60 });
});

t.test("what was refused does not prolong the waiting", async (t) => {
  const address = "203.0.113.4";
  for (let i = 0; i < 10; i++) await here.take(address, startMs);
  for (let i = 1; i < 60; i++) await here.take(address, startMs + i * 1000);
  t.match(await here.take(address, startMs + 60_000), { allowed: true, remaining: 9 });
});

t.test("of many requests at the same millisecond in two processes exactly ten are let through", async (t) => {
  const address = "2001:db8::1";
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? here : elsewhere).take(address, startMs)),
  );
  t.equal(answers.filter(({ allowed }) => allowed).length, 10);
});

t.test("each address has a window of its own", async (t) => {
  for (let i = 0; i < 11; i++) await here.take("203.0.113.5", startMs);
  t.match(await here.take("203.0.113.6", startMs), { allowed: true, remaining: 9 });
});

t.test("the window of an address that went away is not kept", async (t) => {
  await here.take("203.0.113.7", startMs);
  const left = await store.connection.pttl(store.keys.tokenRate("203.0.113.7"));
  t.ok(left > 50_000 && left <= 60_000, `${left} ms`);
});
