import type { SigningKey, SigningKeyStore } from "../domain/signing-keys/signing-key.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

const order = { active: 0, next: 1, retiring: 2 };

export function createSigningKeyStore({ connection, keys, run, vault }: StoreParts): SigningKeyStore {
  const place = (kid: string) => ({ tenantId: null, type: "signing-key", id: kid });
  return {
    async seed(signingKeys) {
      const args = signingKeys.flatMap((key) => [
        key.kid,
        JSON.stringify({ ...key, privateKey: vault.seal(key.privateKey, place(key.kid)) }),
      ]);
      await run("seed-signing-keys", [keys.signingKeys], args);
    },
    async list() {
      try {
        const stored = Object.values(await connection.hgetall(keys.signingKeys));
        return stored
          .map((text) => JSON.parse(text) as SigningKey)
          .map((key) => ({ ...key, privateKey: vault.open(key.privateKey, place(key.kid)) }))
          .sort((a, b) => order[a.state] - order[b.state] || b.publishedAtMs - a.publishedAtMs);
      } catch (error) {
        throw asUnavailable(error);
      }
    },
  };
}
