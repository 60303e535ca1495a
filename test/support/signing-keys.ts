import { randomBytes } from "node:crypto";
import { ensureSigningKeys } from "../../src/domain/signing-keys/ensure.ts";
import type { SigningKeyMint } from "../../src/domain/signing-keys/signing-key.ts";
import { createSigningKeyStore } from "../../src/redis/signing-keys.ts";
import type { TestStore } from "./store.ts";

export const hourMs = 60 * 60 * 1000;
export const dayMs = 24 * hourMs;

/** Keys that sign nothing, for rules that look at states and times only: real ones take a second each to make. */
export const mintHollowKey: SigningKeyMint = async () => {
  const kid = `key-${randomBytes(8).toString("hex")}`;
  return {
    kid,
    publicJwk: {
      kty: "RSA",
      n: randomBytes(8).toString("base64url"),
      e: "AQAB",
      kid,
      alg: "RS256",
      use: "sig",
    },
    privateKey: `private half of ${kid}`,
  };
};

/** The store's signing keys as the first start leaves them, and what verbs on them take. */
export async function openSigningKeys(store: TestStore, mintSigningKey: SigningKeyMint = mintHollowKey) {
  const deps = { signingKeys: createSigningKeyStore(store), mintSigningKey, clock: store.clock };
  await ensureSigningKeys(deps);
  return {
    ...deps,
    /** Ids by state; those of retiring keys newest first. */
    async states() {
      const keys = await deps.signingKeys.list();
      const kidsOf = (state: string) => keys.filter((key) => key.state === state).map(({ kid }) => kid);
      const [active = "", ...otherActive] = kidsOf("active");
      const [next = "", ...otherNext] = kidsOf("next");
      if (otherActive.length + otherNext.length > 0) throw new Error("there is one of each");
      return { active, next, retiring: kidsOf("retiring") };
    },
  };
}
