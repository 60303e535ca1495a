import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";
import type { SecretPlace, Vault } from "../domain/vault.ts";

const tagBytes = 16;

export type MasterKeys = readonly [Buffer, ...Buffer[]];

/**
 * AES-256-GCM under the master keys: the first encrypts, all decrypt. The text is
 * `v1.<key id>.<nonce>.<ciphertext and tag>`, base64url. Nonces are random: far below 2^32 secrets are sealed under one key
 * (NIST SP 800-38D section 8.3).
 */
export function createVault(masterKeys: MasterKeys): Vault {
  const byId = new Map(masterKeys.map((key) => [keyId(key), key]));
  return {
    seal(secret, place) {
      const nonce = randomBytes(12);
      const cipher = createCipheriv("aes-256-gcm", masterKeys[0], nonce).setAAD(associatedData(place));
      const sealed = Buffer.concat([cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `v1.${keyId(masterKeys[0])}.${nonce.toString("base64url")}.${sealed.toString("base64url")}`;
    },
    open(text, place) {
      const [version, id = "", nonce = "", body = ""] = text.split(".");
      const key = byId.get(id);
      if (version !== "v1" || key === undefined) {
        throw new Error(
          `A secret of type ${place.type} is sealed under a master key that is not configured.`,
        );
      }
      const sealed = Buffer.from(body, "base64url");
      if (sealed.length < tagBytes) throw new Error(`A secret of type ${place.type} is cut short.`);
      // Node would take a tag of four bytes, which is guessed in no time, unless it is told the length.
      const options = { authTagLength: tagBytes };
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(nonce, "base64url"), options)
        .setAAD(associatedData(place))
        .setAuthTag(sealed.subarray(-tagBytes));
      return Buffer.concat([decipher.update(sealed.subarray(0, -tagBytes)), decipher.final()]).toString(
        "utf8",
      );
    },
    isCurrent: (text) => text.startsWith(`v1.${keyId(masterKeys[0])}.`),
  };
}

/** The keys of the application secrets' checksums, derived from the master keys (RFC 5869). */
export function secretPeppers(masterKeys: MasterKeys): [Buffer, ...Buffer[]] {
  const derive = (key: Buffer): Buffer =>
    Buffer.from(hkdfSync("sha256", key, "", "passwright application secret checksum", 32));
  const [first, ...rest] = masterKeys;
  return [derive(first), ...rest.map(derive)];
}

function keyId(key: Buffer): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 6);
}

function associatedData(place: SecretPlace): Buffer {
  return Buffer.from(JSON.stringify([place.tenantId, place.type, place.id]));
}
