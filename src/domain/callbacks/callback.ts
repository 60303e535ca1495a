/** What a wallet says of a pass: somebody saved it there, or removed it. */
export type WalletChange = "saved" | "removed";

/** A call-back that is the wallet's own. */
export type Callback = {
  /** null: of a kind that we do not know. */
  change: WalletChange | null;
  /** The pass's name in the wallet, and the part of it that is ours: an id of a pass, unless somebody else made it. */
  objectId: string;
  name: string;
  /** The same in every delivery of one call-back. */
  nonce: string;
  /** From then on it counts for nothing. */
  expiresAtMs: number;
};

/** Why a call-back is not believed: few words, since metrics count by them. */
export const refusalReasons = [
  "too_large",
  "not_json",
  "malformed",
  "wrong_protocol",
  "untrusted_key",
  "malformed_key",
  "expired_key",
  "wrong_signature",
  "malformed_message",
  "expired_message",
  "foreign_issuer",
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** `detail` is for operators: whoever called learns nothing of it. */
export type Refusal = { reason: RefusalReason; detail: string };

export type Verdict = ({ outcome: "refused" } & Refusal) | { outcome: "genuine"; callback: Callback };

export type CallbackVerifier = {
  /**
   * Judges a body as it came. `sandbox` says whose signature it must bear: the sandbox's, or Google's own.
   * Rejects with provider_unavailable while there are no keys to judge by.
   */
  verify(body: Uint8Array, of: { issuerId: string; sandbox: boolean }): Promise<Verdict>;
};

/** Since when a pass is in Google Wallet, and since when it is no more, by what Google said last; null: it did not say. */
export type WalletStanding = { savedAtMs: number | null; removedAtMs: number | null };

export type NamedPass = { tenantId: string; passId: string };

export type CallbackStore = {
  /**
   * Writes what was said, with its event, once for each nonce. What was said before something that is written already
   * does not change the standing. `gone`: there is no such pass.
   */
  record(
    said: NamedPass & {
      change: WalletChange;
      templateId: string;
      eventId: string;
      nonce: string;
      expiresAtMs: number;
    },
    nowMs: number,
  ): Promise<"recorded" | "repeated" | "gone">;
  /** null: Google has said nothing of the pass. */
  standing(pass: NamedPass): Promise<WalletStanding | null>;
};
