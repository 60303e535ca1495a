import type { SigningKey, SigningKeyChange, SigningKeyStore } from "../domain/signing-keys/signing-key.ts";
import { asUnavailable } from "./connection.ts";
import type { StoreParts } from "./store.ts";

const order = { active: 0, next: 1, retiring: 2 };

export function createSigningKeyStore({ connection, keys, run, vault }: StoreParts): SigningKeyStore {
  const place = (kid: string) => ({ tenantId: null, type: "signing-key", id: kid });
  const sealed = (key: SigningKey): string =>
    JSON.stringify({ ...key, privateKey: vault.seal(key.privateKey, place(key.kid)) });

  return {
    async seed(signingKeys) {
      const args = signingKeys.flatMap((key) => [key.kid, sealed(key)]);
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
    async rotate({ activeKid, nextKid, successor, nowMs }) {
      const args = [activeKid, nextKid, nowMs, successor.kid, sealed(successor)];
      return (await run("rotate-key", [keys.signingKeys], args)) as SigningKeyChange;
    },
    async drop({ kid, state, nextKid, successor, nowMs }) {
      const followed = successor === null ? ["", ""] : [successor.kid, sealed(successor)];
      const args = [kid, state, nextKid ?? "", nowMs, ...followed];
      return (await run("drop-key", [keys.signingKeys], args)) as SigningKeyChange;
    },
    async remove(kids) {
      return (await run("remove-keys", [keys.signingKeys], kids)) as number;
    },
  };
}
