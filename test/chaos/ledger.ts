import type { Credentials } from "../e2e/support/client.ts";
import type { Caller } from "./definite-answers.ts";
import type { Hook } from "./receiver.ts";

export type Data = Record<string, string>;

/** A pass as its caller knows it, by what was answered. */
export type LedgerPass = {
  ref: string;
  /** null until the API has told it: a batch does not name the passes that it makes. */
  id: string | null;
  /** By number, from 1. The job is null where a batch did it. */
  versions: Map<number, { data: Data; jobId: string | null }>;
  /** The revocation's job; null where a batch did it. */
  revoked: { jobId: string | null } | null;
  /** Touched by many callers at once, so nobody knows the next version beforehand. */
  shared: boolean;
};

/** What became of a batch, where it was accepted. */
export type LedgerBatch = { jobId: string; end: "completed" | "cancelled" | null };

/** A tenant, and all that it was promised. */
export type Ledger = {
  name: string;
  credentials: Credentials;
  caller: Caller;
  templateId: string;
  funds: { mode: "prepaid" | "contract"; credits: number; mayRunShort: boolean };
  hooks: Hook[];
  passes: Map<string, LedgerPass>;
  messages: Map<string, { jobId: string }>;
  batches: Map<string, LedgerBatch>;
};

/** What is said of all tenants together. */
export type Tally = {
  /** Requests that had a definite answer, and operations of batches. */
  operations: number;
  /** When the latest of them was begun, by performance.now(). */
  movedAt: number;
  /** 202s of a kind. */
  accepted: Map<string, number>;
  /** Requests that had to be sent again until they were answered for good. */
  repeated: number;
  /** Answers that no caller should have got. */
  complaints: string[];
};

export function newTally(): Tally {
  return { operations: 0, movedAt: performance.now(), accepted: new Map(), repeated: 0, complaints: [] };
}

export function count(counts: Map<string, number>, name: string, more = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
}

export function newPass(ref: string, id: string | null, shared = false): LedgerPass {
  return { ref, id, versions: new Map(), revoked: null, shared };
}

/** The data of a pass that is its caller's own. */
export function latestData(pass: LedgerPass): Data {
  return pass.versions.get(pass.versions.size)?.data ?? {};
}

export function sameData(a: Data, b: Data): boolean {
  const [one, other] = [a, b].map((data) => JSON.stringify(Object.entries(data).sort()));
  return one === other;
}
