import { createHmac } from "node:crypto";
import type { Journal } from "../journal.ts";
import { pause } from "../pause.ts";
import { letters } from "./sessions.ts";

/** Where call-backs go, and what they are signed with. Stripe keeps such endpoints in its dashboard. */
export type Endpoint = { url: string; secret: string };

/** An event as the API shows it (https://docs.stripe.com/api/events/object), and how it fared. */
export type StoredEvent = {
  event: { id: string; type: string } & Record<string, unknown>;
  /** `answer`: a status, or why there was none. */
  attempts: { at: string; answer: number | string }[];
  /** More tries are to come. */
  pending: boolean;
};

export type Events = {
  /** Remembers what happened to a thing, and tells the endpoint, where there is one. */
  announce(type: string, object: Record<string, unknown>): void;
  find(id: string): StoredEvent | undefined;
  /** In the order in which they happened. */
  all(): StoredEvent[];
  /** Sends it once more, whatever came of it before. */
  deliver(stored: StoredEvent): Promise<StoredEvent>;
  /** Goes on with what the last run left. */
  resume(): void;
};

export type EventsParts = {
  endpoint: Endpoint | null;
  nowMs: () => number;
  closing: AbortSignal;
  /** The wait before each try. Stripe's own grow for three days. */
  waitsMs?: readonly number[];
};

const shortWaitsMs = [0, 500, 1000, 3000, 6000];
const patienceMs = 10_000;

export function createEvents(journal: Journal<StoredEvent>, parts: EventsParts): Events {
  const { endpoint, nowMs, closing, waitsMs = shortWaitsMs } = parts;

  async function send(url: string, id: string): Promise<number | string> {
    const payload = JSON.stringify(journal.get(id)?.event, null, 2);
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: {
          "content-type": "application/json; charset=utf-8",
          "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
          "stripe-signature": signature(payload, Math.floor(nowMs() / 1000)),
        },
        body: payload,
        // To Stripe a redirect is a failure like any other.
        redirect: "manual",
        signal: AbortSignal.any([closing, AbortSignal.timeout(patienceMs)]),
      });
      await response.body?.cancel();
      return response.status;
    } catch (error) {
      // Nothing is written any more once this server closes: the try counts as not made.
      if (closing.aborted) throw error;
      const { cause } = error as Error;
      return String(cause instanceof Error ? cause.message : error);
    }
  }

  /** `t.payload` under HMAC-SHA256, in hex (https://docs.stripe.com/webhooks/signature#verify-manually). */
  function signature(payload: string, seconds: number): string {
    const digest = createHmac("sha256", endpoint?.secret ?? "")
      .update(`${seconds}.${payload}`)
      .digest("hex");
    return `t=${seconds},v1=${digest}`;
  }

  async function attempt(id: string, isLast: boolean): Promise<StoredEvent> {
    const answer = endpoint === null ? "no endpoint" : await send(endpoint.url, id);
    const stored = journal.get(id) as StoredEvent;
    const isTaken = typeof answer === "number" && answer >= 200 && answer < 300;
    const attempts = [...stored.attempts, { at: new Date(nowMs()).toISOString(), answer }];
    const after = { ...stored, attempts, pending: stored.pending && !isTaken && !isLast };
    journal.set(id, after);
    return after;
  }

  async function tryAll(id: string): Promise<void> {
    for (const [index, waitMs] of waitsMs.entries()) {
      await pause(waitMs, closing);
      const { pending } = await attempt(id, index === waitsMs.length - 1);
      if (!pending) return;
    }
  }

  /** Ends by itself, or when the server closes; `resume` takes it up again. */
  const inBackground = (id: string): void => void tryAll(id).catch(() => {});

  return {
    announce(type, object) {
      const event = {
        id: `evt_${letters(24)}`,
        object: "event",
        api_version: "2026-10-28.endive",
        created: Math.floor(nowMs() / 1000),
        data: { object },
        livemode: false,
        pending_webhooks: endpoint === null ? 0 : 1,
        request: { id: null, idempotency_key: null },
        type,
      };
      journal.set(event.id, { event, attempts: [], pending: endpoint !== null });
      if (endpoint !== null) inBackground(event.id);
    },
    find: (id) => journal.get(id),
    all: () => [...journal.values()],
    deliver: (stored) => attempt(stored.event.id, false),
    resume() {
      if (endpoint === null) return;
      for (const { event, pending } of journal.values()) if (pending) inBackground(event.id);
    },
  };
}
