import { type Answer, json, type Received, Refused } from "../exchange.ts";
import type { Faults } from "../faults.ts";
import type { Journal } from "../journal.ts";
import { underFaults } from "../scripted.ts";
import { scriptedRefusal, stripeError, unknownUrl } from "./api-error.ts";
import { authenticate } from "./caller.ts";
import { readForm } from "./form.ts";
import { createIdempotency, type KeptAnswer } from "./idempotency.ts";
import { readOrder } from "./order-rules.ts";
import { letters, type Sessions } from "./sessions.ts";

export const stripePath = "/v1/";

const sessionsPath = "/v1/checkout/sessions";

export type StripeParts = {
  sessions: Sessions;
  keptAnswers: Journal<KeptAnswer>;
  faults: Faults;
  nowMs: () => number;
  closing: AbortSignal;
};

/** Answers every path under `/v1/`: scripted faults first, then Stripe's API, of which it has Checkout sessions. */
export function createStripeApi(parts: StripeParts): (request: Received) => Promise<Answer> {
  const { sessions, nowMs } = parts;
  const idempotently = createIdempotency(parts.keptAnswers, nowMs);

  function answer(request: Received, requestId: string): Answer {
    const account = authenticate(request);
    checkVersion(request);
    const { method, path } = request;
    if (method === "POST" && path === sessionsPath) {
      return idempotently(request, { account, requestId }, () => {
        const order = readOrder(readForm(request), Math.floor(nowMs() / 1000));
        return json(200, sessions.show(sessions.open(account, order)));
      });
    }
    const [, id] = /^\/v1\/checkout\/sessions\/([^/]+)$/.exec(path) ?? [];
    if ((method !== "GET" && method !== "HEAD") || id === undefined) throw unknownUrl(method, path);
    for (const name of request.query.keys()) {
      throw stripeError(400, {
        message: `Received unknown parameter: ${name}`,
        code: "parameter_unknown",
        param: name,
      });
    }
    const session = sessions.find(id);
    if (session === undefined || session.account !== account) {
      const message = `No such checkout.session: ${id}`;
      throw stripeError(404, { message, code: "resource_missing", param: "session" });
    }
    return json(200, sessions.show(session));
  }

  return async (request) => {
    const requestId = `req_${letters(14)}`;
    const under = { faults: parts.faults, closing: parts.closing, refusal: scriptedRefusal };
    const result = await underFaults(under, request.path.slice(stripePath.length), () =>
      refusalAsAnswer(() => answer(request, requestId)),
    );
    return "reset" in result
      ? result
      : { ...result, headers: { ...result.headers, "request-id": requestId } };
  };
}

/** A refusal bears a request id like any other answer. */
function refusalAsAnswer(handle: () => Answer): Answer {
  try {
    return handle();
  } catch (error) {
    if (error instanceof Refused) return error.answer;
    throw error;
  }
}

/** `2026-10-28.endive`, or a bare date of earlier years (https://docs.stripe.com/api/versioning). */
function checkVersion(request: Received): void {
  const version = request.headers["stripe-version"];
  if (version === undefined || /^\d{4}-\d{2}-\d{2}(\.[a-z]+)?$/.test(String(version))) return;
  throw stripeError(400, { message: `Invalid Stripe API version: ${version}` });
}
