import { LRUCache } from "lru-cache";
import type { Clock } from "../../domain/clock.ts";
import { PasswrightError } from "../../domain/errors.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import type { AccessTokens } from "./access-token.ts";
import { type HttpAnswer, type HttpClient, type RawAnswer, readAnswer } from "./http-client.ts";
import { readBatch, writeBatch } from "./multipart-batch.ts";
import type { ApiCall, ReadyCall } from "./paced-calls.ts";
import { untilAborted } from "./single-flight.ts";

/** Of each answer in a batch. */
const mostBytesOfOne = 512 * 1024;

/** Where batches are not understood, they are tried again after so long. */
const unbatchedMs = 600_000;

/** These say something about the batch and nothing about its parts. */
const refusesBatches = new Set([400, 404, 405, 411, 413, 415]);

/**
 * Brings calls to the Wallet API, with an access token: one as a request, several as one batch of at most `mostTogether`. Each
 * gets its own answer, whatever that is; a batch that comes to nothing has its calls made one by one, when their turn comes.
 */
export function createCallCarrier(deps: {
  clock: Clock;
  http: HttpClient;
  tokens: AccessTokens;
  mostTogether: number;
}): (credentials: GoogleCredentials, calls: readonly ReadyCall[]) => void {
  const { clock, http, tokens, mostTogether } = deps;
  const unbatched = new LRUCache<string, true>({ max: 1000, ttl: unbatchedMs });

  async function withToken<Answer extends { status: number }>(
    credentials: GoogleCredentials,
    signal: AbortSignal,
    send: (authorization: string) => Promise<Answer>,
  ): Promise<Answer> {
    const token = await tokens.get(credentials, signal);
    const answer = await send(`Bearer ${token}`);
    if (answer.status === 401) tokens.drop(credentials, token);
    return answer;
  }

  function single(credentials: GoogleCredentials, { call, signal }: ReadyCall): Promise<HttpAnswer> {
    return withToken(credentials, signal, (authorization) => {
      const { method, path, body } = call;
      const asked = { method, peer, url: `${credentials.apiUrl}${pathOf(path)}` };
      const headers = { authorization, accept: "application/json" };
      return http.send(
        body === undefined
          ? { ...asked, headers }
          : { ...asked, headers: { ...headers, ...jsonBody }, body: JSON.stringify(body) },
        signal,
      );
    });
  }

  /** The answers by the calls' indexes; null where this Google takes no batches. */
  async function batch(
    credentials: GoogleCredentials,
    calls: readonly ReadyCall[],
  ): Promise<Map<number, HttpAnswer> | null> {
    // Shared by all, so no one's own signal may end it; the client has a deadline.
    const { signal } = new AbortController();
    const { contentType, body } = writeBatch(calls.map(({ call }) => partOf(call)));
    const answer = await withToken(credentials, signal, (authorization) =>
      http.sendRaw(
        {
          method: "POST",
          peer,
          url: `${credentials.apiUrl}/batch`,
          headers: { authorization, "content-type": contentType },
          body,
        },
        signal,
        calls.length * mostBytesOfOne,
      ),
    );
    const parts = partsOf(answer);
    if (parts !== null) {
      // Each of them is told that its token was refused, and asks again with the next.
      const nowMs = clock.nowMs();
      const answers = [...parts].map(([index, part]) => [index, readAnswer(part, nowMs)] as const);
      return new Map(answers);
    }
    const isBatchless = answer.status < 300 || refusesBatches.has(answer.status);
    if (isBatchless) return null;
    const same = readAnswer(answer, clock.nowMs());
    return new Map(calls.map((_, index) => [index, same]));
  }

  async function together(credentials: GoogleCredentials, calls: readonly ReadyCall[]): Promise<void> {
    try {
      const answers = await batch(credentials, calls);
      if (answers === null) {
        unbatched.set(credentials.apiUrl, true);
        for (const { again } of calls) again();
        return;
      }
      for (const [index, { resolve, reject }] of calls.entries()) {
        const answer = answers.get(index);
        if (answer === undefined) reject(unansweredPart(credentials));
        else resolve(answer);
      }
    } catch (error) {
      for (const { reject } of calls) reject(error);
    }
  }

  return (credentials, calls) => {
    const most = unbatched.has(credentials.apiUrl) ? 1 : mostTogether;
    for (let at = 0; at < calls.length; at += most) {
      const some = calls.slice(at, at + most);
      const [one] = some;
      if (some.length === 1 && one !== undefined) {
        single(credentials, one).then(one.resolve, one.reject);
      } else {
        void together(credentials, some.map(untilItsSignal));
      }
    }
  };
}

const peer = "Google's Wallet API";

const jsonBody = { "content-type": "application/json" };

function pathOf(path: string): string {
  return `/walletobjects/v1/${path}`;
}

function partOf({ method, path, body }: ApiCall) {
  return { method, path: pathOf(path), ...(body !== undefined && { body: JSON.stringify(body) }) };
}

function partsOf({ status, headers, text }: RawAnswer): Map<number, RawAnswer> | null {
  if (status !== 200) return null;
  return readBatch(String(headers["content-type"] ?? ""), text);
}

/** The batch belongs to all; who has to leave leaves the others to it. */
function untilItsSignal(one: ReadyCall): ReadyCall {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  untilAborted(promise, one.signal).then(one.resolve, one.reject);
  return { ...one, resolve, reject };
}

function unansweredPart({ apiUrl }: GoogleCredentials): PasswrightError {
  const detail = `${new URL(apiUrl).host} left a call of a batch unanswered`;
  return new PasswrightError("provider_unavailable", detail);
}
