import { createHash, createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { Clock } from "../domain/clock.ts";
import { PasswrightError } from "../domain/errors.ts";
import { longestStaleMs } from "../domain/signing-keys/lifetimes.ts";
import type { SigningKey } from "../domain/signing-keys/signing-key.ts";

/** The key set as served (RFC 7517 section 5): bytes and their ETag. */
export type PublishedKeySet = { body: string; etag: string };

/** The signing keys of this process: loaded, parsed once, and looked up without touching the store. */
export type Keyring = {
  /** Reads the keys anew; keeps what it has when the store is away. */
  refresh(): Promise<void>;
  /** The key to sign with. Throws `unavailable` when it is not known of late: it may have retired meanwhile. */
  active(): { kid: string; key: KeyObject };
  verifier(kid: string): KeyObject | undefined;
  published(): PublishedKeySet;
};

export async function createKeyring(load: () => Promise<SigningKey[]>, clock: Clock): Promise<Keyring> {
  const parsed = new Map<string, { signer: KeyObject; verifier: KeyObject }>();
  let keys: SigningKey[] = [];
  let readAtMs = 0;
  let published: PublishedKeySet = { body: "", etag: "" };

  const adopt = (loaded: SigningKey[]): void => {
    keys = loaded;
    for (const kid of parsed.keys()) if (!loaded.some((key) => key.kid === kid)) parsed.delete(kid);
    for (const key of loaded) {
      if (parsed.has(key.kid)) continue;
      parsed.set(key.kid, {
        signer: createPrivateKey(key.privateKey),
        verifier: createPublicKey({ key: { ...key.publicJwk }, format: "jwk" }),
      });
    }
    const body = JSON.stringify({ keys: loaded.map((key) => key.publicJwk) });
    published = { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"` };
  };
  const refresh = async (): Promise<void> => {
    const startedAtMs = clock.nowMs();
    adopt(await load());
    readAtMs = startedAtMs;
  };
  await refresh();

  return {
    refresh,
    active() {
      if (clock.nowMs() - readAtMs > longestStaleMs) {
        throw new PasswrightError("unavailable", "The signing keys could not be read of late.", {
          retryAfterSeconds: 2,
        });
      }
      const active = keys.find((key) => key.state === "active");
      const key = active && parsed.get(active.kid)?.signer;
      if (active === undefined || key === undefined) {
        throw new PasswrightError("internal_error", "There is no active signing key.");
      }
      return { kid: active.kid, key };
    },
    verifier: (kid) => parsed.get(kid)?.verifier,
    published: () => published,
  };
}
