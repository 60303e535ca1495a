import t, { type Test } from "tap";
import { createAccessTokens } from "../../src/crypto/access-tokens.ts";
import { createKeyring } from "../../src/crypto/keyring.ts";
import { mintSigningKey } from "../../src/crypto/signing-key-mint.ts";
import { dropCompromisedKey } from "../../src/domain/signing-keys/drop-compromised.ts";
import { rotateKey } from "../../src/domain/signing-keys/rotate.ts";
import { createSigningKeyStore } from "../../src/redis/signing-keys.ts";
import { dayMs, openSigningKeys } from "../support/signing-keys.ts";
import { openStore, type TestStore } from "../support/store.ts";

const baseUrl = "https://passes.example.com";

/** A process that signs and verifies, with keys of its own reading. */
async function openProcess(store: TestStore) {
  const { clock } = store;
  const signingKeys = createSigningKeyStore(await store.another());
  const keyring = await createKeyring(() => signingKeys.list(), clock);
  const tokens = createAccessTokens({ keyring, clock, baseUrl });
  return {
    keyring,
    tokens,
    published: (): string[] =>
      JSON.parse(keyring.published().body).keys.map(({ kid }: { kid: string }) => kid),
    sign() {
      const issuedAt = Math.floor(clock.nowMs() / 1000);
      const claims = { tenantId: "t", applicationId: "a", scopes: ["passes:read"] as const };
      return tokens.sign({ ...claims, id: store.ids.uuid(), issuedAt, expiresAt: issuedAt + 3600 });
    },
  };
}

async function opened(t: Test) {
  const store = await openStore(t);
  const keys = await openSigningKeys(store, mintSigningKey);
  return { store, keys, clock: store.clock };
}

t.test(
  "a token of a compromised key is refused after the next reading, though it was verified before",
  async (t) => {
    const { store, keys } = await opened(t);
    const [one, other] = [await openProcess(store), await openProcess(store)];
    const token = await one.sign();
    for (const { tokens } of [one, other]) t.match(await tokens.verify(token), { tenantId: "t" });
    const { active } = await keys.states();
    const { active: follower } = await dropCompromisedKey(keys, { kid: active, dryRun: false });
    for (const { keyring, tokens, published, sign } of [one, other]) {
      await keyring.refresh();
      await t.rejects(tokens.verify(token), { code: "invalid_token" });
      t.notOk(published().includes(active));
      t.match(await tokens.verify(await sign()), { tenantId: "t" }, "new ones are signed by another key");
      t.equal(keyring.active().kid, follower);
    }
  },
);

t.test("while a rotation spreads, tokens of either key are good in every process", async (t) => {
  const { store, keys, clock } = await opened(t);
  const before = await keys.states();
  clock.forward(2 * dayMs);
  const [ahead, behind] = [await openProcess(store), await openProcess(store)];
  await rotateKey(keys, { force: false, dryRun: false });
  await ahead.keyring.refresh();
  t.equal(ahead.keyring.active().kid, before.next);
  t.equal(behind.keyring.active().kid, before.active, "it has not read them since");
  for (const signer of [ahead, behind]) {
    for (const verifier of [ahead, behind]) {
      t.match(await verifier.tokens.verify(await signer.sign()), { tenantId: "t" });
    }
  }
});
