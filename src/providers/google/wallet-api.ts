import type { Clock } from "../../domain/clock.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import { createAccessTokens } from "./access-token.ts";
import { patchedFromNothing } from "./author-part.ts";
import { googleError, googleReason, spoken } from "./google-error.ts";
import { createHttpClient, type HttpAnswer } from "./http-client.ts";

/**
 * A class or an object as a merge patch (RFC 7396): `id` is `issuer.suffix`, the rest is JSON, null means «none»
 * and clears what a version before had set.
 */
export type WalletResource = { id: string; [member: string]: unknown };

/** Which collection of the REST API, such as `loyaltyClass`: https://developers.google.com/wallet/reference/rest. */
export type WalletCall = { credentials: GoogleCredentials; collection: string; body: WalletResource };

/** What the id turned out to be. `reason` is Google's, for the report. */
export type Written = { outcome: "written" } | { outcome: "exists" | "not_found"; reason: string };

/**
 * The part of Google's Wallet REST API that we use. Failures are translated here, once:
 * `provider_credentials_invalid`, `provider_rate_limited`, `provider_unavailable`, `provider_rejected`.
 */
export type WalletApi = {
  /** `exists`: the id is taken. `not_found`: an object's class is missing. */
  insert(call: WalletCall, signal: AbortSignal): Promise<Written>;
  /** `not_found`: nothing bears the id. Members that the body does not name stay as they are. */
  patch(call: WalletCall, signal: AbortSignal): Promise<Written>;
  /** The class or object as Google has it; null: nothing bears the id. */
  read(target: WalletTarget, signal: AbortSignal): Promise<Record<string, unknown> | null>;
  /** Adds a message, also one whose id is there already. `capped`: it was not added, since it may not notify any more. */
  addMessage(call: MessageCall, signal: AbortSignal): Promise<"added" | "capped" | "not_found">;
  /** Reads something harmless: throws unless the service account may act for the issuer. */
  checkAccess(credentials: GoogleCredentials, signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
};

/** What an id names. */
export type WalletTarget = { credentials: GoogleCredentials; collection: string; id: string };

export type MessageText = { id: string; header: string; body: string };
export type MessageCall = WalletTarget & {
  message: MessageText & { messageType: "TEXT_AND_NOTIFY" | "TEXT" };
};

type Sent = { method: "GET" | "POST" | "PATCH"; path: string; body?: object };

export function createWalletApi({ clock }: { clock: Clock }): WalletApi {
  const http = createHttpClient({ clock });
  const tokens = createAccessTokens({ clock, http });

  async function attempt(credentials: GoogleCredentials, sent: Sent, signal: AbortSignal) {
    const { method, path, body } = sent;
    const token = await tokens.get(credentials, signal);
    const url = `${credentials.apiUrl}/walletobjects/v1/${path}`;
    const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
    const answer = await http.send(
      body === undefined
        ? { method, url, headers }
        : { method, url, headers: { ...headers, ...jsonBody }, body: JSON.stringify(body) },
      signal,
    );
    if (answer.status === 401) tokens.drop(credentials, token);
    return answer;
  }

  async function send(credentials: GoogleCredentials, sent: Sent, signal: AbortSignal): Promise<HttpAnswer> {
    const answer = await attempt(credentials, sent, signal);
    // A token can be withdrawn before its time: one more try, with a new one.
    return answer.status === 401 ? attempt(credentials, sent, signal) : answer;
  }

  return {
    async insert(call, signal) {
      const body: WalletResource = { ...patchedFromNothing(call.body), id: call.body.id };
      const answer = await send(call.credentials, { method: "POST", path: call.collection, body }, signal);
      return written(answer, call, { 409: "exists", 404: "not_found" });
    },
    async patch(call, signal) {
      const { collection, body } = call;
      const path = `${collection}/${encodeURIComponent(body.id)}`;
      const answer = await send(call.credentials, { method: "PATCH", path, body }, signal);
      return written(answer, call, { 404: "not_found" });
    },
    async read({ credentials, collection, id }, signal) {
      const path = `${collection}/${encodeURIComponent(id)}`;
      const answer = await send(credentials, { method: "GET", path }, signal);
      if (isSuccess(answer)) return (answer.body ?? {}) as Record<string, unknown>;
      if (answer.status === 404) return null;
      throw googleError(answer, `${collection} ${id}`, credentials);
    },
    async addMessage({ credentials, collection, id, message }, signal) {
      const path = `${collection}/${encodeURIComponent(id)}/addMessage`;
      const answer = await send(credentials, { method: "POST", path, body: { message } }, signal);
      if (isSuccess(answer)) return "added";
      if (message.messageType === "TEXT_AND_NOTIFY" && isNotificationCap(answer)) return "capped";
      if (answer.status === 404) return "not_found";
      throw googleError(answer, `${collection} ${id}`, credentials);
    },
    async checkAccess(credentials, signal) {
      const path = `genericClass?issuerId=${credentials.issuerId}&maxResults=1`;
      const answer = await send(credentials, { method: "GET", path }, signal);
      if (!isSuccess(answer)) throw googleError(answer, `issuer ${credentials.issuerId}`, credentials);
    },
    close: () => http.close(),
  };
}

function isNotificationCap(answer: HttpAnswer): boolean {
  return answer.status === 429 && /quota/i.test(googleReason(answer).reason);
}

const jsonBody = { "content-type": "application/json" };

type KnownRefusals = { [status: number]: "exists" | "not_found" };

function written(answer: HttpAnswer, call: WalletCall, known: KnownRefusals): Written {
  if (isSuccess(answer)) return { outcome: "written" };
  const outcome = known[answer.status];
  if (outcome !== undefined) return { outcome, reason: spoken(googleReason(answer)) };
  throw googleError(answer, `${call.collection} ${call.body.id}`, call.credentials);
}

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}
