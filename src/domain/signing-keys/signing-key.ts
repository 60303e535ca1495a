/**
 * next: published, never signs. active: signs. retiring: verifies only, until its last token has expired. A removed
 * key is nowhere any more.
 */
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

/** `outdated`: the keys are no longer in the states that the caller saw; nothing was changed. */
export type SigningKeyChange = "done" | "outdated";

export type SigningKeyStore = {
  /** Writes the first keys, unless there are any already; two processes that start at once agree on one set. */
  seed(keys: readonly SigningKey[]): Promise<void>;
  /** Active first, then next, then retiring. */
  list(): Promise<SigningKey[]>;
  /** In one step: next becomes active, active becomes retiring, and `successor` is published as the new next. */
  rotate(change: {
    activeKid: string;
    nextKid: string;
    successor: SigningKey;
    nowMs: number;
  }): Promise<SigningKeyChange>;
  /**
   * In one step: the key is gone, and, unless it was retiring, `successor` is the new next. Where it was active, the
   * next of before (`nextKid`) signs from now on.
   */
  drop(change: {
    kid: string;
    state: SigningKeyState;
    nextKid: string | null;
    successor: SigningKey | null;
    nowMs: number;
  }): Promise<SigningKeyChange>;
  /** Removes those of the keys that are retiring; answers how many. */
  remove(kids: readonly string[]): Promise<number>;
};

/** Makes an RSA key of 3072 bits. */
export type SigningKeyMint = () => Promise<Pick<SigningKey, "kid" | "publicJwk" | "privateKey">>;

/** Verifiers may keep the key set this long; a key must have been public for as long before it signs. */
export const keySetLifetimeMs = 24 * 60 * 60 * 1000;

/** Verifiers exist that keep no more keys of one issuer. */
export const mostPublishedKeys = 5;
