import { createHash } from "node:crypto";
import { PasswrightError } from "../../domain/errors.ts";
import type { CallPlace, CallRate } from "../../domain/providers/call-rate.ts";
import type { GoogleCredentials } from "../../domain/providers/provider.ts";
import type { HttpAnswer } from "./http-client.ts";

/** A call of the Wallet API: `path` is below `/walletobjects/v1/`. */
export type ApiCall = { method: "GET" | "POST" | "PATCH"; path: string; body?: object };

/** A call whose turn has come. Exactly one of the three ends it. */
export type ReadyCall = {
  call: ApiCall;
  signal: AbortSignal;
  resolve(answer: HttpAnswer): void;
  reject(error: unknown): void;
  /** It is to be made anew, as soon as the rate allows. */
  again(): void;
};

export type PacedCalls = {
  /**
   * Makes the call as soon as the rate allows. Rejects with provider_rate_limited and its `turn` where that takes too long to
   * wait for, and with what `carry` says.
   */
  make(caller: Caller, call: ApiCall, signal: AbortSignal): Promise<HttpAnswer>;
};

/** One for all calls of a piece of work: once the first was let through, the others do not stand in line again. */
export type Caller = { credentials: GoogleCredentials; place: CallPlace };

type Waiting = Omit<ReadyCall, "again"> & { caller: Caller; waited: boolean };

/** Whoever waits longer gives its worker's hand back meanwhile; and so many at most wait with a hand. */
const mostHeldMs = 300;
const mostHeld = 10;

/** So many are asked for at a time. */
const mostAsked = 100;

/** The rate is of an account at an issuer, whoever goes by it: several tenants may. */
export function callAccount({ apiUrl, issuerId, clientEmail }: GoogleCredentials): string {
  return createHash("sha256")
    .update(JSON.stringify([apiUrl, issuerId, clientEmail]))
    .digest("base64url")
    .slice(0, 22);
}

/**
 * Lets calls through at the rate of their account. What comes while the rate is being asked for waits for the next question,
 * so many calls cost few questions; and what is let through together is carried together.
 */
export function createPacedCalls(deps: {
  rateOf(credentials: GoogleCredentials): CallRate;
  carry(credentials: GoogleCredentials, calls: readonly ReadyCall[]): void;
}): PacedCalls {
  const { rateOf, carry } = deps;
  const lines = new Map<string, Waiting[]>();
  const begun = new WeakSet<CallPlace>();
  let held = 0;

  function enter(account: string, one: Waiting): void {
    const line = lines.get(account);
    if (line !== undefined) {
      line.push(one);
      return;
    }
    lines.set(account, [one]);
    void ask(account, one.caller.credentials);
  }

  async function ask(account: string, credentials: GoogleCredentials): Promise<void> {
    for (let line = lines.get(account); line !== undefined && line.length > 0; ) {
      const asked = line.splice(0, mostAsked);
      try {
        const waits = await rateOf(credentials).take(
          account,
          asked.map(({ caller: { place }, waited }) => ({ line: place.line, waited })),
        );
        answer(account, asked, waits);
      } catch (error) {
        for (const { reject } of asked) reject(error);
      }
    }
    lines.delete(account);
  }

  function answer(account: string, asked: readonly Waiting[], waits: readonly number[]): void {
    const ready = asked.filter((_, index) => waits[index] === 0);
    for (const { caller } of ready) begun.add(caller.place);
    // Of one account, but one of its tenants may go by another key of it.
    for (const [first, ...others] of Map.groupBy(ready, keyOf).values()) {
      if (first === undefined) continue;
      const again = (one: Waiting) => () => enter(account, { ...one, waited: true });
      carry(
        first.caller.credentials,
        [first, ...others].map((one) => ({ ...one, again: again(one) })),
      );
    }
    for (const [index, one] of asked.entries()) {
      const waitMs = waits[index] ?? 0;
      if (waitMs > 0) wait(account, one, waitMs);
    }
  }

  function wait(account: string, one: Waiting, waitMs: number): void {
    if (waitMs > mostHeldMs || held >= mostHeld) {
      one.reject(notYet(one.caller.credentials, waitMs));
      return;
    }
    held += 1;
    const end = (): void => {
      clearTimeout(timer);
      one.signal.removeEventListener("abort", end);
      held -= 1;
      if (one.signal.aborted) one.reject(one.signal.reason);
      else enter(account, { ...one, waited: true });
    };
    const timer = setTimeout(end, waitMs);
    one.signal.addEventListener("abort", end, { once: true });
    if (one.signal.aborted) end();
  }

  return {
    make(caller, call, signal) {
      const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
      const waited = caller.place.waited || begun.has(caller.place);
      enter(callAccount(caller.credentials), { caller, call, signal, waited, resolve, reject });
      return promise;
    },
  };
}

function keyOf({ caller: { credentials } }: Waiting): string {
  return `${credentials.tokenUrl} ${credentials.privateKey}`;
}

function notYet({ clientEmail }: GoogleCredentials, inMs: number): PasswrightError {
  return new PasswrightError(
    "provider_rate_limited",
    `${clientEmail} has made as many calls as Google takes; the turn of this one comes in ${Math.ceil(inMs / 1000)} s.`,
    { retryAfterSeconds: Math.ceil(inMs / 1000), turn: { inMs, refused: false } },
  );
}
