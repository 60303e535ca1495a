import type { StoredCallback } from "./google/callbacks.ts";
import type { Issuer } from "./google/issuers.ts";
import type { ServiceAccount } from "./google/service-accounts.ts";
import type { StoredResource } from "./google/wallet-store.ts";
import { type Journal, openJournal } from "./journal.ts";
import type { Receiver, RecordedDelivery } from "./receiver/receivers.ts";
import type { StoredEvent } from "./stripe/events.ts";
import type { KeptAnswer } from "./stripe/idempotency.ts";
import type { StoredSession } from "./stripe/sessions.ts";

/** All that survives a restart, one journal for each kind of thing. */
export type State = {
  accounts: Journal<ServiceAccount>;
  issuers: Journal<Issuer>;
  callbacks: Journal<StoredCallback>;
  wallet: Journal<StoredResource>;
  receivers: Journal<Receiver>;
  deliveries: Journal<RecordedDelivery>;
  goneDevices: Journal<number>;
  checkoutSessions: Journal<StoredSession>;
  stripeAnswers: Journal<KeptAnswer>;
  stripeEvents: Journal<StoredEvent>;
  close(): void;
};

export function openState(file: (name: string) => string): State {
  const journals = {
    accounts: openJournal<ServiceAccount>(file("google-accounts.jsonl")),
    issuers: openJournal<Issuer>(file("google-issuers.jsonl")),
    callbacks: openJournal<StoredCallback>(file("google-callbacks.jsonl")),
    wallet: openJournal<StoredResource>(file("google-wallet.jsonl")),
    receivers: openJournal<Receiver>(file("receivers.jsonl")),
    deliveries: openJournal<RecordedDelivery>(file("deliveries.jsonl")),
    goneDevices: openJournal<number>(file("gone-devices.jsonl")),
    checkoutSessions: openJournal<StoredSession>(file("stripe-sessions.jsonl")),
    stripeEvents: openJournal<StoredEvent>(file("stripe-events.jsonl")),
    stripeAnswers: openJournal<KeptAnswer>(file("stripe-idempotency.jsonl")),
  };
  return {
    ...journals,
    close() {
      for (const journal of Object.values(journals)) journal.close();
    },
  };
}
