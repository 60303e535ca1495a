import type { PushAnswer } from "../devices/push.ts";
import type { Pass } from "../passes/pass.ts";
import type { RenderableTemplate, WalletKey } from "../templates/template.ts";
import type { CallPlace } from "./call-rate.ts";

/** A pass as one wallet needs it, with the addresses under which the public reaches it. */
export type PassToIssue = {
  pass: Pass;
  template: RenderableTemplate;
  /** Origin and path prefix of this service, without a trailing slash. */
  baseUrl: string;
  /** True once the pass is revoked: it is issued once more, void. */
  voided: boolean;
  place?: CallPlace;
};

/** A message to one pass, or with `passId` null to all of the tenant's passes of the template. */
export type MessageToShow = {
  id: string;
  tenantId: string;
  header: string;
  body: string;
  passId: string | null;
  template: RenderableTemplate;
  place?: CallPlace;
};

/** A template in its latest version, as a tenant's passes are made from it. */
export type TemplateToPrepare = { tenantId: string; template: RenderableTemplate };

export type IssuedPass = {
  /** Where a person adds the pass to this wallet: a URL, or a path below the base URL. */
  saveLink: string;
  /** Only the issuer's test accounts can save it. */
  testOnly?: boolean;
};

/**
 * A wallet. `Credentials` are the wallet's own, decrypted and already checked when they were set.
 * Each call is safe to repeat: a worker that died halfway leaves nothing that the next attempt trips over.
 * Failures are PasswrightErrors: provider_unavailable and provider_rate_limited are worth a retry,
 * provider_rejected and provider_credentials_invalid are not. Where a wallet takes only so many calls in a time,
 * provider_rate_limited bears the `turn` at which to come back.
 */
export type Provider<Credentials> = {
  readonly key: WalletKey;
  /** Makes the pass exist in the wallet in its newest version, or void when `voided`. */
  issue(job: PassToIssue, credentials: Credentials, signal: AbortSignal): Promise<IssuedPass>;
  /**
   * Makes or renews what all passes of a template share in the wallet, where there is such a thing. `issue` makes it too, if
   * it is not there.
   */
  prepare?(job: TemplateToPrepare, credentials: Credentials, signal: AbortSignal): Promise<void>;
  /**
   * Shows a message on the pass, where the wallet has a call for that. A wallet without one shows what is a part of the
   * pass itself (`Pass.message`). `notified` is false where the wallet shows it without telling its holder so.
   */
  showMessage?(
    message: MessageToShow,
    credentials: Credentials,
    signal: AbortSignal,
  ): Promise<{ notified: boolean }>;
  /** Tells a device that passes of it have changed, where the wallet keeps what it shows on devices. */
  push?(credentials: Credentials, pushToken: string, signal: AbortSignal): Promise<PushAnswer>;
  close(): Promise<void>;
};

/** Credentials of the Apple-style wallet: a Pass Type ID certificate with its key. All PEM. */
export type AppleCredentials = {
  certificate: string;
  key: string;
  keyPassphrase?: string;
  /** Apple's WWDR intermediate that issued the certificate. */
  wwdr: string;
  /** From the certificate's subject: UID and OU. */
  passTypeIdentifier: string;
  teamIdentifier: string;
  /** Origin of APNs, `https://api.push.apple.com` in production. */
  apnsUrl: string;
  /** Authenticates pushes in place of the certificate: a key of the team for APNs, and its id. PEM. */
  pushKey?: { keyId: string; key: string };
};

/** Credentials of the Google-style wallet: a service account and the issuer that it may act for. */
export type GoogleCredentials = {
  issuerId: string;
  /** The issuer has no publishing access yet. Not a part of what is sealed: it comes from the configuration. */
  demoMode?: boolean;
  clientEmail: string;
  privateKey: string;
  privateKeyId?: string;
  /** OAuth token endpoint, `https://oauth2.googleapis.com/token` in production. */
  tokenUrl: string;
  /** Origin of the REST API without `/walletobjects/v1`, `https://walletobjects.googleapis.com` in production. */
  apiUrl: string;
};
