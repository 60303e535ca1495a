import { createHmac } from "node:crypto";
import type { Journal } from "../journal.ts";
import { createTries, isTaken, type Tried } from "../tries.ts";
import { letters } from "./sessions.ts";

/** Where call-backs go, and what they are signed with. Stripe keeps such endpoints in its dashboard. */
export type Endpoint = { url: string; secret: string };

/** An event as the API shows it (https://docs.stripe.com/api/events/object), and how it fared. */
export type StoredEvent = Tried & { event: { id: string; type: string } & Record<string, unknown> };

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

export function createEvents(journal: Journal<StoredEvent>, parts: EventsParts): Events {
  const { endpoint, nowMs, closing, waitsMs = shortWaitsMs } = parts;
  const tries = createTries({
    journal,
    idOf: ({ event }: StoredEvent) => event.id,
    errandOf: ({ event }) => (endpoint === null ? "no endpoint" : errand(endpoint, event)),
    isFinal: isTaken,
    waitsMs,
    nowMs,
    closing,
  });

  function errand({ url, secret }: Endpoint, event: StoredEvent["event"]) {
    const body = JSON.stringify(event, null, 2);
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Stripe/1.0 (+https://stripe.com/docs/webhooks)",
      "stripe-signature": signature(secret, body, Math.floor(nowMs() / 1000)),
    };
    return { url, headers, body };
  }

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
      if (endpoint !== null) tries.inBackground(event.id);
    },
    find: (id) => journal.get(id),
    all: () => [...journal.values()],
    deliver: ({ event }) => tries.once(event.id),
    resume() {
      if (endpoint !== null) tries.resume();
    },
  };
}

/** `t.payload` under HMAC-SHA256, in hex (https://docs.stripe.com/webhooks/signature#verify-manually). */
function signature(secret: string, payload: string, seconds: number): string {
  const digest = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  return `t=${seconds},v1=${digest}`;
}
