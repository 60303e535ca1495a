/** Whose and what a secret is. Bound into the ciphertext, so that one tenant's cannot be passed off as another's. */
export type SecretPlace = { tenantId: string | null; type: string; id: string };

/** Encrypts secrets at rest under the master key. */
export type Vault = {
  seal(secret: string, place: SecretPlace): string;
  /** Throws when the text was sealed under no known key, for another place, or was altered. */
  open(sealed: string, place: SecretPlace): string;
  /** Whether it was sealed under the first master key, by which everything is sealed now. */
  isCurrent(sealed: string): boolean;
};
