/** next: published, never signs. active: signs. retiring: verifies only, until its last token has expired. */
export type SigningKeyState = "next" | "active" | "retiring";

/** The public half as the key set publishes it (RFC 7517), RSA only. */
export type PublicJwk = { kty: "RSA"; n: string; e: string; kid: string; alg: "RS256"; use: "sig" };

export type SigningKey = {
  /** RFC 7638 thumbprint. */
  kid: string;
  state: SigningKeyState;
  publicJwk: PublicJwk;
  /** PKCS #8, PEM. */
  privateKey: string;
  publishedAtMs: number;
  activatedAtMs: number | null;
  retiredAtMs: number | null;
};

export type SigningKeyStore = {
  /** Writes the first keys, unless there are any already; two processes that start at once agree on one set. */
  seed(keys: readonly SigningKey[]): Promise<void>;
  /** Active first, then next, then retiring. */
  list(): Promise<SigningKey[]>;
};

/** Makes an RSA key of 3072 bits. */
export type SigningKeyMint = () => Promise<Pick<SigningKey, "kid" | "publicJwk" | "privateKey">>;

/** Verifiers may keep the key set this long; a key must have been public for as long before it signs. */
export const keySetLifetimeMs = 24 * 60 * 60 * 1000;
