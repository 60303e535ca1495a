import t from "tap";
import { createKeyring } from "../../src/crypto/keyring.ts";
import type { SigningKey } from "../../src/domain/signing-keys/signing-key.ts";
import { refusalOf } from "../domain/fixtures/refusal.ts";
import { settableClock } from "../support/clock.ts";
import { mintKeys } from "./fixtures/signing-keys.ts";

const [active, next, retiring] = mintKeys("active", "next", "retiring") as [
  SigningKey,
  SigningKey,
  SigningKey,
];

t.test("the active key signs, and every key of the ring verifies", async (t) => {
  const ring = await createKeyring(async () => [active, next, retiring], settableClock());
  t.equal(ring.active().kid, active.kid);
  t.equal(ring.active().key.type, "private");
  for (const { kid } of [active, next, retiring]) t.equal(ring.verifier(kid)?.type, "public");
  for (const kid of ["", "unknown", "__proto__", "constructor"]) t.equal(ring.verifier(kid), undefined);
});

t.test("the key set publishes the public halves, and nothing private (RFC 7517)", async (t) => {
  const ring = await createKeyring(async () => [active, next, retiring], settableClock());
  const { body, etag } = ring.published();
  const { keys, ...rest } = JSON.parse(body);
  t.strictSame(rest, {});
  t.strictSame(
    keys.map(({ kid }: { kid: string }) => kid),
    [active, next, retiring].map(({ kid }) => kid),
  );
  for (const key of keys) {
    t.strictSame(Object.keys(key).sort(), ["alg", "e", "kid", "kty", "n", "use"]);
    t.match(key, { alg: "RS256", kty: "RSA", use: "sig" });
  }
  t.match(etag, /^"[A-Za-z0-9_-]+"$/, "a strong ETag (RFC 9110 section 8.8.3)");
});

t.test("the ETag changes with the keys and only with them", async (t) => {
  let keys = [active, next];
  const ring = await createKeyring(async () => keys, settableClock());
  const first = ring.published().etag;
  await ring.refresh();
  t.equal(ring.published().etag, first);
  keys = [active, next, retiring];
  await ring.refresh();
  t.not(ring.published().etag, first);
  const elsewhere = await createKeyring(async () => keys, settableClock());
  t.equal(elsewhere.published().etag, ring.published().etag, "the same in every process");
});

t.test("a rotation is seen with the next refresh, and a removed key is gone", async (t) => {
  let keys = [active, next];
  const ring = await createKeyring(async () => keys, settableClock());
  keys = [
    { ...next, state: "active" },
    { ...active, state: "retiring" },
  ];
  t.equal(ring.active().kid, active.kid, "not before");
  await ring.refresh();
  t.equal(ring.active().kid, next.kid);
  t.ok(ring.verifier(active.kid));
  keys = [{ ...next, state: "active" }];
  await ring.refresh();
  t.equal(ring.verifier(active.kid), undefined);
  t.notMatch(ring.published().body, active.kid);
});

t.test("while the store is away the ring stays as it was", async (t) => {
  let away = false;
  const ring = await createKeyring(async () => {
    if (away) throw new Error("away");
    return [active];
  }, settableClock());
  away = true;
  await t.rejects(ring.refresh());
  t.equal(ring.active().kid, active.kid);
  t.ok(ring.verifier(active.kid));
  t.match(ring.published().body, active.kid);
});

t.test("keys that could not be read for a minute sign nothing, as theirs may have retired", async (t) => {
  const clock = settableClock();
  const ring = await createKeyring(async () => [active], clock);
  clock.forward(60_000);
  t.equal(ring.active().kid, active.kid);
  clock.forward(1);
  t.match(await refusalOf(() => ring.active()), { code: "unavailable", retryAfterSeconds: 2 });
  t.ok(ring.verifier(active.kid), "what was signed before is still verified");
  await ring.refresh();
  t.equal(ring.active().kid, active.kid);
});

t.test("a ring without an active key is our fault", async (t) => {
  const ring = await createKeyring(async () => [next], settableClock());
  t.equal((await refusalOf(() => ring.active())).kind, "bug");
});
