import t, { type Test } from "tap";
import type { SigningKey } from "../../src/domain/signing-keys/signing-key.ts";
import { createSigningKeyStore } from "../../src/redis/signing-keys.ts";
import { openStore } from "../support/store.ts";

function key(kid: string, given: Partial<SigningKey> = {}): SigningKey {
  return {
    kid,
    state: "active",
    publicJwk: { kty: "RSA", n: "modulus", e: "AQAB", kid, alg: "RS256", use: "sig" },
    privateKey: `private key of ${kid}`,
    publishedAtMs: 1,
    activatedAtMs: 1,
    retiredAtMs: null,
    ...given,
  };
}

async function opened(t: Test) {
  const store = await openStore(t);
  return { store, signingKeys: createSigningKeyStore(store) };
}

t.test(
  "signing keys are read as they were written: active, next, then retiring ones, newest first",
  async (t) => {
    const { signingKeys } = await opened(t);
    t.strictSame(await signingKeys.list(), []);
    const [active, next] = [key("a"), key("n", { state: "next", activatedAtMs: null })];
    const retiring = [2, 3].map((publishedAtMs) =>
      key(`r${publishedAtMs}`, { state: "retiring", publishedAtMs }),
    );
    await signingKeys.seed([...retiring, next, active]);
    t.strictSame(await signingKeys.list(), [active, next, ...retiring.toReversed()]);
  },
);

t.test("of processes that start at the same time on an empty store one makes the keys", async (t) => {
  const { store, signingKeys } = await opened(t);
  const others = await Promise.all(
    Array.from({ length: 5 }, async () => createSigningKeyStore(await store.another())),
  );
  await Promise.all(
    others.map((one, number) =>
      one.seed([key(`active ${number}`), key(`next ${number}`, { state: "next" })]),
    ),
  );
  const kids = (await signingKeys.list()).map(({ kid }) => kid.split(" "));
  t.strictSame(
    kids.map(([state]) => state),
    ["active", "next"],
  );
  t.equal(kids[0]?.[1], kids[1]?.[1], "both of one process");
});

t.test("a private key that was moved to another key's record does not open", async (t) => {
  const { store, signingKeys } = await opened(t);
  await signingKeys.seed([key("a"), key("b", { state: "next" })]);
  const { a = "", b = "" } = await store.connection.hgetall(store.keys.signingKeys);
  const forged = { ...JSON.parse(b), privateKey: JSON.parse(a).privateKey };
  await store.connection.hset(store.keys.signingKeys, "b", JSON.stringify(forged));
  await t.rejects(signingKeys.list());
});
