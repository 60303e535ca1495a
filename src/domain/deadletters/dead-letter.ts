import { isoInstant } from "../clock.ts";

/** What was given up: a webhook delivery, or a job's part for one wallet. */
export const deadLetterKinds = ["webhook", "job"] as const;
export type DeadLetterKind = (typeof deadLetterKinds)[number];

export type DeadLetter = {
  /** Opaque: names the partition and the stream entry. */
  id: string;
  kind: DeadLetterKind;
  tenantId: string;
  /** The delivery, or the job. */
  recordId: string;
  lane: string;
  reason: string;
  deadAtMs: number;
  /** What its record says; null where that is gone, or knows nothing of this letter. */
  facts: LetterFacts | null;
};

export type LetterFacts = {
  /** A delivery's webhook and event; null of a job. */
  endpoint: string | null;
  eventType: string | null;
  eventId: string | null;
  /** A job's; null of a delivery. */
  jobType: string | null;
  resource: { type: string; id: string } | null;
  attempts: number;
  /** How often it was given another try already, and the letter that it was when that happened last. */
  replays: number;
  replayedFrom: EarlierLetter | null;
  /** What a replay would be refused for, whoever asks. */
  obstacle: "webhook_deleted" | "webhook_inactive" | "event_expired" | null;
};

/** `taskId` is null where the delivery was sent again by hand. */
export type EarlierLetter = { id: string; atMs: number; taskId: string | null };

/** One attempt of a delivery. */
export type LetterAttempt = {
  number: number;
  atMs: number;
  statusCode: number | null;
  durationMs: number;
  error: string | null;
};

export type LetterDetails = {
  /** The body of a delivery's event; null where that is gone, and of a job. */
  body: string | null;
  /** Of a delivery every attempt, oldest first; a job's record counts them only. */
  attempts: LetterAttempt[];
  error: { code: string; description: string } | null;
  traceId: string | null;
  status: string;
  lanes: { lane: string; state: string; attempts: number }[];
  createdAtMs: number | null;
  startedAtMs: number | null;
  finishedAtMs: number | null;
};

/** Kinds and reasons of which there is none are left out. */
export type LetterTotals = {
  kinds: Partial<Record<DeadLetterKind, number>>;
  reasons: Record<string, number>;
  oldestMs: number | null;
  newestMs: number | null;
};

/** What an entry says of its letter, with nothing of the record read; null for whatever it says. */
export type LetterMatch = { tenantId: string | null; kind: DeadLetterKind | null; reason: string | null };

/** So many letters of one kind and reason, and when the oldest and the newest of them died. */
export type LetterTally = {
  kind: DeadLetterKind;
  reason: string;
  count: number;
  oldestMs: number;
  newestMs: number;
};

/** A stretch of a partition's dead letters that is still to be read; only the store looks inside. */
export type Span = { partition: number; from: string; to: string };

/** Why a letter cannot be replayed, and stays. */
export type ReplayRefusal =
  | NonNullable<LetterFacts["obstacle"]>
  | "record_gone"
  | "replay_limit"
  | "insufficient_credits"
  | "contract_cap_reached";

/**
 * `overtaken`: its pass has moved on, and nothing is left to do. `missing`: somebody else has dealt with it. `counted`:
 * the task has dealt with it before. `lost`: somebody else drives the task now, and nothing was done.
 */
export type ReplayOutcome = "replayed" | "overtaken" | "missing" | "counted" | "lost" | ReplayRefusal;

/** For whom a letter is replayed: a task, in the hands of the holder with this fence. */
export type ReplayStep = {
  taskId: string;
  fence: number;
  /** A letter that was replayed so often already is refused; null: however often. */
  limit: number | null;
};

export type DeadLetterStore = {
  /** All that there is at this moment, of a tenant's partition or of all; later letters are not part of it. */
  spans(scope: {
    tenantId: string | null;
    sinceMs: number;
    untilMs: number;
    /** The id of a letter: only those behind it in the order of lists. */
    after: string | null;
  }): Promise<Span[]>;
  /** The letters of one partition from one to another, both included. */
  between(first: string, last: string): Span;
  /** The oldest letters of a span, without facts, and what remains to be read behind them. */
  read(span: Span, atOnce?: number): Promise<{ letters: DeadLetter[]; rest: Span | null }>;
  /** The oldest letters of a span that match, counted by kind and reason; and what remains to be counted behind them. */
  tally(span: Span, match: LetterMatch): Promise<{ tallies: LetterTally[]; rest: Span | null }>;
  /** The newest letters, with their facts, newest first; of one tenant among the newest where one is named. */
  newest(of: { tenantId: string | null; reason: string | null; limit: number }): Promise<DeadLetter[]>;
  /** How many letters there are of each reason. Costs the same however many there are. */
  reasons(): Promise<Record<string, number>>;
  /** The numbers of all that there are, and when the oldest and the newest died. Costs the same however many there are. */
  totals(): Promise<LetterTotals>;
  /** The same letters, with their facts. */
  withFacts(letters: readonly DeadLetter[]): Promise<DeadLetter[]>;
  /** With its facts; null where there is none (any more). */
  find(id: string): Promise<DeadLetter | null>;
  details(letter: DeadLetter): Promise<LetterDetails | null>;
  /**
   * Moves a letter's work back into the queue and counts what became of it for the task, in one step. Letters of a
   * partition must come in their order.
   */
  replay(letter: DeadLetter, step: ReplayStep): Promise<ReplayOutcome>;
  purge(letter: DeadLetter): Promise<"purged" | "missing">;
};

/** A dead letter as `deadletter list` shows it. */
export function deadLetterResource(letter: DeadLetter) {
  const { facts } = letter;
  return {
    id: letter.id,
    kind: letter.kind,
    tenant_id: letter.tenantId,
    endpoint: facts?.endpoint ?? null,
    event_type: facts?.eventType ?? null,
    job_type: facts?.jobType ?? null,
    reason: letter.reason,
    attempts: facts?.attempts ?? null,
    dead_at: isoInstant(letter.deadAtMs),
    [letter.kind === "webhook" ? "delivery_id" : "job_id"]: letter.recordId,
    lane: letter.lane,
    replays: facts?.replays ?? null,
    replayed_from: facts?.replayedFrom ? earlierLetterResource(facts.replayedFrom) : null,
    /** Why it cannot be replayed. */
    obstacle: facts === null ? "record_gone" : facts.obstacle,
  };
}

function earlierLetterResource({ id, atMs, taskId }: EarlierLetter) {
  return { id, at: isoInstant(atMs), task_id: taskId };
}

/** The same with all that is known, as `deadletter show` and `deadletter export` give it. */
export function deadLetterDetail(letter: DeadLetter, details: LetterDetails | null) {
  const instant = (ms: number | null | undefined) =>
    ms === null || ms === undefined ? null : isoInstant(ms);
  return {
    ...deadLetterResource(letter),
    event_id: letter.facts?.eventId ?? null,
    status: details?.status ?? null,
    error: details?.error
      ? { error: details.error.code, error_description: details.error.description }
      : null,
    lanes: details?.lanes ?? [],
    attempt_history: (details?.attempts ?? []).map((attempt) => ({
      number: attempt.number,
      at: isoInstant(attempt.atMs),
      status_code: attempt.statusCode,
      duration_ms: attempt.durationMs,
      error: attempt.error,
    })),
    payload: details?.body ? asJson(details.body) : (letter.facts?.resource ?? null),
    trace_id: details?.traceId ?? null,
    created_at: instant(details?.createdAtMs),
    started_at: instant(details?.startedAtMs),
    finished_at: instant(details?.finishedAtMs),
  };
}

function asJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}
