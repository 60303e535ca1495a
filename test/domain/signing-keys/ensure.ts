import t from "tap";
import { ensureSigningKeys } from "../../../src/domain/signing-keys/ensure.ts";
import { signingKeyResource } from "../../../src/domain/signing-keys/resource.ts";
import { createSigningKeyStore } from "../../../src/redis/signing-keys.ts";
import { keySpace } from "../../support/key-space.ts";
import { openStore } from "../../support/store.ts";

const store = await openStore(t);
let minted = 0;
/** Nothing here signs, so that what is minted need only be told apart: RSA keys of 3072 bits take their time. */
const deps = (through: Parameters<typeof createSigningKeyStore>[0]) => ({
  signingKeys: createSigningKeyStore(through),
  clock: store.clock,
  async mintSigningKey() {
    const kid = `kid-${++minted}`;
    const publicJwk = {
      kty: "RSA" as const,
      n: kid,
      e: "AQAB",
      kid,
      alg: "RS256" as const,
      use: "sig" as const,
    };
    return { kid, publicJwk, privateKey: `-----BEGIN PRIVATE KEY-----\n${kid}` };
  },
});

t.test("two processes that start at once agree on one active and one next key", async (t) => {
  const [one, other] = await Promise.all([
    ensureSigningKeys(deps(await store.another())),
    ensureSigningKeys(deps(await store.another())),
  ]);
  t.strictSame(one, other);
  t.strictSame(
    one.map(({ state }) => state),
    ["active", "next"],
  );
  const nowMs = store.clock.nowMs();
  t.match(one, [
    { publishedAtMs: nowMs, activatedAtMs: nowMs, retiredAtMs: null },
    { publishedAtMs: nowMs, activatedAtMs: null, retiredAtMs: null },
  ]);
});

t.test("keys that are there are taken, and none is made", async (t) => {
  const before = minted;
  store.clock.forward(86_400_000);
  const keys = await ensureSigningKeys(deps(store));
  t.equal(minted, before);
  t.equal(keys.length, 2);
});

t.test("a private key cannot be read in the store", async (t) => {
  t.notMatch(JSON.stringify(await keySpace(store)), /PRIVATE KEY/);
});

t.test(
  "a key is shown without its private half, and a next one with when it becomes safe to use",
  async (t) => {
    const [active, next] = (await ensureSigningKeys(deps(store))).map(signingKeyResource);
    const published = "2026-11-21T06:43:46.625Z";
    t.strictSame(active, {
      kid: active?.kid,
      state: "active",
      published_at: published,
      activated_at: published,
      retired_at: null,
      safe_to_activate_at: null,
      tokens_expire_by: null,
      removed_at: null,
    });
    t.match(next, { state: "next", activated_at: null, safe_to_activate_at: "2026-11-22T06:43:51.625Z" });
  },
);
