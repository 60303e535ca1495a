import type { DeviceLog } from "../apns/device-log.ts";
import type { Apns } from "../apns/server.ts";
import type { Authority } from "../authority/authority.ts";
import { type Answer, html, json, type Received } from "../exchange.ts";
import { createFaults, type Faults } from "../faults.ts";
import type { AccessTokens } from "../google/access-token.ts";
import { batchPaths, createBatch } from "../google/batch.ts";
import type { CallbackKeys } from "../google/callback-keys.ts";
import type { Callbacks } from "../google/callbacks.ts";
import type { Issuers } from "../google/issuers.ts";
import { createSavePages, savePath } from "../google/save.ts";
import { scriptedRefusal } from "../google/scripted.ts";
import type { ServiceAccount } from "../google/service-accounts.ts";
import { answerTokenRequest } from "../google/token-endpoint.ts";
import { createWalletApi, walletPath } from "../google/wallet-api.ts";
import type { WalletStore } from "../google/wallet-store.ts";
import type { Journal } from "../journal.ts";
import type { Receivers } from "../receiver/receivers.ts";
import { underFaults } from "../scripted.ts";
import { createStripeApi, stripePath } from "../stripe/checkout-api.ts";
import type { Events } from "../stripe/events.ts";
import type { KeptAnswer } from "../stripe/idempotency.ts";
import type { Sessions } from "../stripe/sessions.ts";
import { apnsRoutes } from "./apns-routes.ts";
import { credentialRoutes } from "./credential-routes.ts";
import { faultRoutes } from "./fault-routes.ts";
import { googleCallbackRoutes } from "./google-callback-routes.ts";
import { googleIssuerRoutes } from "./google-issuer-routes.ts";
import { googleStateRoutes } from "./google-routes.ts";
import { overview } from "./overview.ts";
import { renderPage } from "./page.ts";
import { receiverRoutes } from "./receiver-routes.ts";
import { createRouter, type Route } from "./router.ts";
import { stripeRoutes } from "./stripe-routes.ts";

export type ControlParts = {
  authority: Authority;
  accounts: Journal<ServiceAccount>;
  tokens: AccessTokens;
  wallet: WalletStore;
  issuers: Issuers;
  callbackKeys: CallbackKeys;
  callbacks: Callbacks;
  checkoutSessions: Sessions;
  stripeAnswers: Journal<KeptAnswer>;
  stripeEvents: Events;
  receivers: Receivers;
  devices: DeviceLog;
  apns: Apns;
  apnsFaults: Faults;
  /** Origins of the three servers, known once they listen. */
  urls: { control: string; apns: string; webhooks: string };
  requestsPerSecond: number | undefined;
  slowMs: number;
  nowMs: () => number;
  closing: AbortSignal;
};

/** Answers the control API, and the services of Google and Stripe, which live under the same origin. */
export function createControl(parts: ControlParts): (request: Received) => Promise<Answer> | Answer {
  const { urls, accounts, tokens, nowMs, receivers, wallet, checkoutSessions: sessions } = parts;
  const googleFaults = createFaults();
  const stripeFaults = createFaults();
  const controlUrl = () => urls.control;
  const tokenUrl = () => `${urls.control}/token`;

  const token = (request: Received) =>
    underFaults({ faults: googleFaults, closing: parts.closing, refusal: scriptedRefusal }, "token", () =>
      answerTokenRequest({ accounts, tokens, tokenUrl, nowMs }, request),
    );
  const walletApi = createWalletApi({ ...parts, store: wallet, faults: googleFaults });
  const route = createRouter([
    ["GET", "/", () => html(200, renderPage(overview(parts)))],
    ["GET", "/healthz", () => json(200, { status: "ok" })],
    ["POST", "/token", token],
    ...batchPaths.map((path): Route => ["POST", path, createBatch(walletApi)]),
    ...credentialRoutes({ ...parts, controlUrl, apnsUrl: () => urls.apns }),
    ...receiverRoutes({ receivers, nowMs, webhookUrl: () => urls.webhooks }),
    ...apnsRoutes(parts),
    ...faultRoutes("/apns/faults", parts.apnsFaults, [429, 500, 503]),
    ...faultRoutes("/sandbox/google/faults", googleFaults, [403, 429, 500, 503]),
    ...googleStateRoutes(parts),
    ...googleIssuerRoutes(parts),
    ...googleCallbackRoutes(parts),
    ...faultRoutes("/sandbox/stripe/faults", stripeFaults, [409, 429, 500, 503]),
    ...stripeRoutes(sessions, parts.stripeEvents),
  ]);
  const savePages = createSavePages(parts);
  const stripeApi = createStripeApi({
    ...parts,
    sessions,
    keptAnswers: parts.stripeAnswers,
    faults: stripeFaults,
  });
  return (request) => {
    if (request.path.startsWith(walletPath)) return walletApi(request);
    if (request.path.startsWith(savePath)) return savePages(request);
    return request.path.startsWith(stripePath) ? stripeApi(request) : route(request);
  };
}
