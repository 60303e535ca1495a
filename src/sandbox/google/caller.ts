import type { Received } from "../exchange.ts";
import type { Journal } from "../journal.ts";
import type { AccessTokens } from "./access-token.ts";
import { apiError, invalid, permissionDenied, serviceDisabled } from "./api-error.ts";
import { isUserOf, projectNumberOf, type ServiceAccount, standingOf } from "./service-accounts.ts";

/** The service account behind a request's bearer token; 401 or, where its project has no Wallet API, 403 in Google's words. */
export function authenticate(
  request: Received,
  accounts: Journal<ServiceAccount>,
  tokens: AccessTokens,
): ServiceAccount {
  const token = /^Bearer ([\w.~+/=-]+)$/i.exec(request.headers.authorization ?? "")?.[1];
  const expected =
    "Expected OAuth 2 access token, login cookie or other valid authentication credential. " +
    "See https://developers.google.com/identity/sign-in/web/devconsole-project.";
  if (token === undefined) {
    throw unauthenticated(`Request is missing required authentication credential. ${expected}`, "required");
  }
  const account = accounts.get(tokens.verify(token) ?? "");
  if (account === undefined || standingOf(account).account !== "enabled") {
    throw unauthenticated(`Request had invalid authentication credentials. ${expected}`, "authError");
  }
  if (standingOf(account).walletApi === "disabled") throw serviceDisabled(projectNumberOf(account));
  return account;
}

function unauthenticated(message: string, reason: string) {
  const challenge = 'Bearer realm="https://accounts.google.com/"';
  return apiError(401, message, { domain: "global", reason, headers: { "www-authenticate": challenge } });
}

/** Refuses an id that is not `issuerId.identifier` (400), or whose issuer the account may not act for (403). */
export function authorize(account: ServiceAccount, id: unknown): asserts id is string {
  if (typeof id !== "string" || !/^\d+\.[A-Za-z0-9._-]+$/.test(id)) {
    throw invalid(`Invalid resource ID: ${String(id ?? "")}`);
  }
  authorizeIssuer(account, id.slice(0, id.indexOf(".")));
}

export function authorizeIssuer(account: ServiceAccount, issuerId: string): void {
  if (!isUserOf(account, issuerId)) throw permissionDenied();
}

/** Refuses with 429 what goes beyond `perSecond` requests of one account in any second. */
export function createRateLimit(
  perSecond: number | undefined,
  nowMs: () => number,
): (account: string) => void {
  const recent = new Map<string, number[]>();
  return (account) => {
    if (perSecond === undefined) return;
    const now = nowMs();
    const window = (recent.get(account) ?? []).filter((at) => at > now - 1000);
    recent.set(account, window);
    if (window.length >= perSecond) {
      throw apiError(429, "Quota exceeded for quota metric 'Queries' and limit 'Queries per second'.", {
        domain: "global",
        reason: "rateLimitExceeded",
      });
    }
    window.push(now);
  };
}
