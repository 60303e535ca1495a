import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import { type CallPlace, type CallRate, unlimitedCalls } from "../../domain/providers/call-rate.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import { createAccessTokens } from "./access-token.ts";
import { patchedFromNothing } from "./author-part.ts";
import { createCallCarrier } from "./call-carrier.ts";
import { googleError, googleReason, isApiDisabled, spoken, unknownIssuer } from "./google-error.ts";
import { createHttpClient, type HttpAnswer } from "./http-client.ts";
import { type ApiCall, callAccount, createPacedCalls } from "./paced-calls.ts";

/**
 * A class or an object as a merge patch (RFC 7396): `id` is `issuer.suffix`, the rest is JSON, null means «none»
 * and clears what a version before had set.
 */
export type WalletResource = { id: string; [member: string]: unknown };

/** Which collection of the REST API, such as `loyaltyClass`: https://developers.google.com/wallet/reference/rest. */
export type WalletCall = Sender & { collection: string; body: WalletResource };

/** Who calls, and for what piece of work, where that has a place in a line. */
export type Sender = { credentials: GoogleCredentials; place?: CallPlace };

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
export type WalletTarget = Sender & { collection: string; id: string };

export type MessageText = { id: string; header: string; body: string };
export type MessageCall = WalletTarget & {
  message: MessageText & { messageType: "TEXT_AND_NOTIFY" | "TEXT" };
};

/** `rateOf`: how many calls an account may make; `mostTogether`: so many go out in one request, 1 for each by itself. */
export type WalletApiOptions = {
  clock: Clock;
  rateOf?(credentials: GoogleCredentials): CallRate;
  mostTogether?: number;
  proxy?: URL | null;
};

export function createWalletApi(options: WalletApiOptions): WalletApi {
  const { clock, rateOf = () => unlimitedCalls, mostTogether = 1 } = options;
  const http = createHttpClient(options);
  const tokens = createAccessTokens({ clock, http });
  const carry = createCallCarrier({ clock, http, tokens, mostTogether });
  const calls = createPacedCalls({ rateOf, carry });

  async function send(caller: Sender, call: ApiCall, signal: AbortSignal): Promise<HttpAnswer> {
    const { credentials, place = { line: "", waited: false } } = caller;
    const answer = await calls.make({ credentials, place }, call, signal);
    // A token can be withdrawn before its time: one more try, with a new one.
    return answer.status === 401 ? calls.make({ credentials, place }, call, signal) : answer;
  }

  /** What an answer means that is no success. Where that is «too much», nobody calls for a while. */
  async function failure(answer: HttpAnswer, subject: string, credentials: GoogleCredentials) {
    const error = googleError(answer, subject, credentials);
    if (error.code !== "provider_rate_limited") return error;
    const askedMs = answer.retryAfterSeconds === undefined ? null : answer.retryAfterSeconds * 1000;
    const inMs = await rateOf(credentials).hold(callAccount(credentials), askedMs);
    const { code, detail, retryAfterSeconds = 1, remedy = "" } = error;
    return new PasswrightError(code, detail, { retryAfterSeconds, remedy, turn: { inMs, refused: true } });
  }

  async function written(answer: HttpAnswer, call: WalletCall, known: KnownRefusals): Promise<Written> {
    if (isSuccess(answer)) return { outcome: "written" };
    const outcome = known[answer.status];
    if (outcome !== undefined) return { outcome, reason: spoken(googleReason(answer)) };
    throw await failure(answer, `${call.collection} ${call.body.id}`, call.credentials);
  }

  /** The issuers that the account may act for; null where Google does not say. */
  async function issuersOf(
    credentials: GoogleCredentials,
    signal: AbortSignal,
  ): Promise<readonly string[] | null> {
    const { status, body } = await send({ credentials }, { method: "GET", path: "issuer" }, signal);
    const { resources } = (body ?? {}) as { resources?: unknown };
    if (status !== 200 || !Array.isArray(resources)) return null;
    return resources.map((one) => String((one as { issuerId?: unknown } | null)?.issuerId));
  }

  return {
    async insert(call, signal) {
      const body: WalletResource = { ...patchedFromNothing(call.body), id: call.body.id };
      const answer = await send(call, { method: "POST", path: call.collection, body }, signal);
      return written(answer, call, { 409: "exists", 404: "not_found" });
    },
    async patch(call, signal) {
      const { collection, body } = call;
      const path = `${collection}/${encodeURIComponent(body.id)}`;
      const answer = await send(call, { method: "PATCH", path, body }, signal);
      return written(answer, call, { 404: "not_found" });
    },
    async read(target, signal) {
      const { credentials, collection, id } = target;
      const path = `${collection}/${encodeURIComponent(id)}`;
      const answer = await send(target, { method: "GET", path }, signal);
      if (isSuccess(answer)) return (answer.body ?? {}) as Record<string, unknown>;
      if (answer.status === 404) return null;
      throw await failure(answer, `${collection} ${id}`, credentials);
    },
    async addMessage(call, signal) {
      const { credentials, collection, id, message } = call;
      const path = `${collection}/${encodeURIComponent(id)}/addMessage`;
      const answer = await send(call, { method: "POST", path, body: { message } }, signal);
      if (isSuccess(answer)) return "added";
      if (message.messageType === "TEXT_AND_NOTIFY" && isNotificationCap(answer)) return "capped";
      if (answer.status === 404) return "not_found";
      throw await failure(answer, `${collection} ${id}`, credentials);
    },
    async checkAccess(credentials, signal) {
      const { issuerId } = credentials;
      const path = `genericClass?issuerId=${issuerId}&maxResults=1`;
      const answer = await send({ credentials }, { method: "GET", path }, signal);
      if (isSuccess(answer)) return;
      const error = await failure(answer, `issuer ${issuerId}`, credentials);
      if (error.kind !== "invalid" || answer.status === 401 || isApiDisabled(answer)) throw error;
      const issuers = await issuersOf(credentials, signal);
      const isOther = issuers !== null && !issuers.includes(issuerId);
      if (!isOther && error.code === "provider_credentials_invalid") throw error;
      throw unknownIssuer(googleReason(answer), credentials, isOther ? issuers : null);
    },
    close: () => http.close(),
  };
}

function isNotificationCap(answer: HttpAnswer): boolean {
  return answer.status === 429 && /quota/i.test(googleReason(answer).reason);
}

type KnownRefusals = { [status: number]: "exists" | "not_found" };

function isSuccess({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}
