import { createHash } from "node:crypto";
import type { Answer, Received } from "../exchange.ts";
import type { Journal } from "../journal.ts";
import { stripeError } from "./api-error.ts";

/** An answer that repeats of its request get, for 24 hours. */
export type KeptAnswer = {
  path: string;
  fingerprint: string;
  requestId: string;
  status: number;
  body: string;
  atMs: number;
};

const keptForMs = 24 * 60 * 60 * 1000;

/**
 * Idempotency keys as Stripe treats them (https://docs.stripe.com/api/idempotent_requests): the same key with the same parameters
 * gets the first answer again, byte for byte; with others, or at another endpoint, an idempotency_error. What is refused before
 * anything was done is not kept.
 */
export function createIdempotency(journal: Journal<KeptAnswer>, nowMs: () => number) {
  return (
    request: Received,
    caller: { account: string; requestId: string },
    carryOut: () => Answer,
  ): Answer => {
    const key = request.headers["idempotency-key"];
    if (typeof key !== "string" || key === "") return carryOut();
    if (key.length > 255) {
      throw stripeError(400, {
        message: "Idempotency keys can be at most 255 characters long.",
        type: "idempotency_error",
      });
    }
    const place = createHash("sha256").update(`${caller.account} ${key}`).digest("hex");
    const fingerprint = createHash("sha256").update(request.body).digest("hex");
    const earlier = journal.get(place);
    if (earlier !== undefined && nowMs() < earlier.atMs + keptForMs) {
      return repeated(earlier, { key, fingerprint, path: request.path });
    }
    const answer = carryOut();
    if ("reset" in answer) return answer;
    const { requestId } = caller;
    const body = String(answer.body ?? "");
    journal.set(place, {
      path: request.path,
      fingerprint,
      requestId,
      status: answer.status,
      body,
      atMs: nowMs(),
    });
    return { ...answer, headers: { ...answer.headers, "idempotency-key": key } };
  };
}

function repeated(
  earlier: KeptAnswer,
  { key, fingerprint, path }: { key: string; fingerprint: string; path: string },
): Answer {
  const otherwise = `Try using a key other than '${key}' if you meant to execute a different request.`;
  if (earlier.path !== path) {
    const message = `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${earlier.path}' vs '${path}'). ${otherwise}`;
    throw stripeError(400, { message, type: "idempotency_error" });
  }
  if (earlier.fingerprint !== fingerprint) {
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. ${otherwise}`;
    throw stripeError(400, { message, type: "idempotency_error" });
  }
  return {
    status: earlier.status,
    headers: {
      "content-type": "application/json",
      "idempotency-key": key,
      "idempotent-replayed": "true",
      "original-request": earlier.requestId,
    },
    body: earlier.body,
  };
}
