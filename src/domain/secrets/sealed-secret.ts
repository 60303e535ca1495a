import type { SecretPlace } from "../vault.ts";

export type SecretKind = "signing_key" | "provider" | "webhook";

/** A secret as it lies in the store. `id` is a key's, a wallet's name, or a webhook's. */
export type SealedSecret = {
  kind: SecretKind;
  tenantId: string | null;
  id: string;
  place: SecretPlace;
  sealed: string;
  /** The whole value that holds it, as it was read: what is put in its place must be made from that very one. */
  stored: string;
};

/** Every secret that is sealed under the master keys, wherever it lies. */
export type SealedSecrets = {
  signingKeys(): Promise<SealedSecret[]>;
  ofTenant(tenantId: string): Promise<SealedSecret[]>;
  /** The same secret as it is now; null where it is gone. */
  again(secret: SealedSecret): Promise<SealedSecret | null>;
  /** Puts another sealing in its place, unless somebody changed it since it was read. */
  reseal(secret: SealedSecret, sealed: string): Promise<"resealed" | "changed">;
};
