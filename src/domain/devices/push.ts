/** What APNs says to a push. */
export type PushAnswer =
  | { outcome: "sent" }
  /** The device has no use for it any more, and that was known at the instant. */
  | { outcome: "gone"; sinceMs: number }
  /** It will not be taken later either. */
  | { outcome: "refused"; reason: string }
  | { outcome: "later"; reason: string; retryAfterSeconds: number | null };

/** Tells a device that passes of it may have changed; what has, it asks for itself. */
export type PushToDevice = (pushToken: string, signal: AbortSignal) => Promise<PushAnswer>;

/** How a wallet's devices are told; null where it has none that are. */
export function pushing<Credentials>(
  wallet: { push?(credentials: Credentials, pushToken: string, signal: AbortSignal): Promise<PushAnswer> },
  credentials: Credentials,
): { push: PushToDevice | null } {
  const { push } = wallet;
  if (push === undefined) return { push: null };
  return { push: (pushToken, signal) => push(credentials, pushToken, signal) };
}
