import type { IncomingHttpHeaders } from "node:http";
import type { Journal } from "../journal.ts";
import type { Verdict } from "./signatures.ts";

/** How a receiver misbehaves on purpose. With `fail_first`, only on the next so many deliveries. */
export type Script = {
  status?: number;
  delay_ms?: number;
  headers?: Record<string, string>;
  fail_first?: number;
};

export type Receiver = { name: string; secret: string; respond: Script | null; createdAt: string };

export type Delivery = {
  at: string;
  headers: IncomingHttpHeaders;
  /** The first 64 KiB, as text. */
  body: string;
  body_bytes: number;
  signatures: { x_service_signature: Verdict; standard_webhooks: Verdict };
  /** What was answered. */
  status: number;
};

export type Receivers = {
  find(name: string): Receiver | undefined;
  put(receiver: Receiver): void;
  remove(name: string): void;
  all(): Receiver[];
  record(name: string, delivery: Delivery): void;
  /** The last 1,000 deliveries, oldest first, and how many there were in all. */
  deliveries(name: string): { total: number; kept: Delivery[] };
};

export type RecordedDelivery = { name: string; number: number; delivery: Delivery };

const keptPerReceiver = 1000;

/** Receivers and what they received, both of which survive a restart. */
export function createReceivers(receivers: Journal<Receiver>, log: Journal<RecordedDelivery>): Receivers {
  const received = new Map<string, RecordedDelivery[]>();
  for (const entry of log.values()) entriesOf(entry.name).push(entry);

  function entriesOf(name: string): RecordedDelivery[] {
    const entries = received.get(name) ?? [];
    received.set(name, entries);
    return entries;
  }

  function forget(entry: RecordedDelivery | undefined): void {
    if (entry !== undefined) log.delete(`${entry.name} ${entry.number}`);
  }

  return {
    find: (name) => receivers.get(name),
    put: (receiver) => receivers.set(receiver.name, receiver),
    remove(name) {
      receivers.delete(name);
      for (const entry of entriesOf(name)) forget(entry);
      received.delete(name);
    },
    all: () => [...receivers.values()],
    record(name, delivery) {
      const entries = entriesOf(name);
      const entry = { name, number: (entries.at(-1)?.number ?? 0) + 1, delivery };
      log.set(`${name} ${entry.number}`, entry);
      entries.push(entry);
      if (entries.length > keptPerReceiver) forget(entries.shift());
    },
    deliveries(name) {
      const entries = received.get(name) ?? [];
      return { total: entries.at(-1)?.number ?? 0, kept: entries.map(({ delivery }) => delivery) };
    },
  };
}
