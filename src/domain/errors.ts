/**
 * What kind of failure a code is. The three borders translate kinds, not codes: HTTP to a status, commands
 * to an exit code, jobs to «retry» (unavailable, rate_limited) or «fail for good» (all others).
 */
export type ErrorKind =
  | "invalid"
  | "unauthorized"
  | "forbidden"
  | "not_found"
  | "method_not_allowed"
  | "gone"
  | "conflict"
  | "payment"
  | "rate_limited"
  | "unavailable"
  | "bug";

/** Every code that a client, an operator or a job record can meet. docs/errors.md explains each; a test compares. */
export const errorKinds = {
  invalid_request: "invalid",
  invalid_template: "invalid",
  intent_mismatch: "invalid",
  no_providers: "invalid",
  invalid_scope: "invalid",
  unsupported_grant_type: "invalid",
  invalid_configuration: "invalid",
  payments_not_configured: "invalid",
  invalid_backup: "invalid",
  invalid_token: "unauthorized",
  invalid_client: "unauthorized",
  unauthorized_client: "forbidden",
  insufficient_scope: "forbidden",
  not_found: "not_found",
  method_not_allowed: "method_not_allowed",
  gone: "gone",
  invalid_state: "conflict",
  duplicate_external_ref: "conflict",
  idempotency_key_reused: "conflict",
  too_many_webhooks: "conflict",
  insufficient_credits: "payment",
  contract_cap_reached: "payment",
  too_many_requests: "rate_limited",
  too_many_batches: "rate_limited",
  unavailable: "unavailable",
  provider_rejected: "invalid",
  provider_credentials_invalid: "invalid",
  provider_credentials_unreadable: "unavailable",
  provider_rate_limited: "rate_limited",
  provider_unavailable: "unavailable",
  worker_lost: "unavailable",
  internal_error: "bug",
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errorKinds;

/** One violated rule of an input. `path` is a JSON pointer into the body, or the name of a query parameter or header. */
export type Violation = { path: string; message: string };

/** What passes would have cost, in credits or in passes of a contract's month, and what there was. */
export type Shortage = {
  required: number;
  balance: number;
  /** Where credits can be bought; there is none for a contract. */
  purchaseUrl?: string;
  /** When a contract's month is over. */
  resetsAtMs?: number;
};

export type ErrorOptions = {
  /** Every violation found, for codes that reject an input. */
  details?: readonly Violation[];
  /** When trying again makes sense, in whole seconds. */
  retryAfterSeconds?: number;
  /**
   * Where a wallet takes only so many calls of an account in a time: in how many milliseconds the turn of this work comes.
   * `refused`: the wallet itself said that it is too much; otherwise it was not asked.
   */
  turn?: { inMs: number; refused: boolean };
  /** Where a limit is reached: how many there may be. */
  limit?: number;
  /** Where passes cannot be paid for. */
  shortage?: Shortage;
  /** The scope that the caller lacks (RFC 6750 section 3). */
  scope?: string;
  /** How the caller should have authenticated, where not with a bearer token: what a challenge names (RFC 9110 section 11.6.1). */
  challenge?: string;
  /** What is to be done about it, where that is known better than from the code. */
  remedy?: string;
  /** What really happened. Logged, never shown. */
  cause?: unknown;
};

/** The one error class. `detail` is safe to show to whoever asked; anything secret belongs into `cause`. */
export class PasswrightError extends Error {
  override readonly name = "PasswrightError";
  readonly code: ErrorCode;
  readonly detail: string;
  readonly details: readonly Violation[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly turn: ErrorOptions["turn"];
  readonly limit: number | undefined;
  readonly shortage: Shortage | undefined;
  readonly scope: string | undefined;
  readonly challenge: string | undefined;
  readonly remedy: string | undefined;

  constructor(code: ErrorCode, detail: string, options: ErrorOptions = {}) {
    super(`${code}: ${detail}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.detail = detail;
    this.details = options.details;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.turn = options.turn;
    this.limit = options.limit;
    this.shortage = options.shortage;
    this.scope = options.scope;
    this.challenge = options.challenge;
    this.remedy = options.remedy;
  }

  get kind(): ErrorKind {
    return errorKinds[this.code];
  }
}

/** An input that breaks rules: 400, with every violation named. */
export function invalidRequest(details: readonly Violation[]): PasswrightError {
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more, see details)` : "";
  const where = first === undefined || first.path === "" ? "the body" : first.path;
  return new PasswrightError("invalid_request", `${where} ${first?.message ?? "is not valid"}${more}`, {
    details,
  });
}
