import type { Journal } from "./journal.ts";
import { pause } from "./pause.ts";

/** How the sending of something fared. */
export type Tried = {
  /** `answer`: a status, or why there was none. */
  attempts: { at: string; answer: number | string }[];
  /** More tries are to come. */
  pending: boolean;
};

/** What is POSTed, and where. */
export type Errand = { url: string; headers: Record<string, string>; body: string };

export type Tries<T extends Tried> = {
  /** Sends it once more, whatever came of it before. */
  once(id: string): Promise<T>;
  /** Tries until that is over, by itself. What a closing server leaves, `resume` takes up again. */
  inBackground(id: string): void;
  resume(): void;
};

export type TriesParts<T extends Tried> = {
  journal: Journal<T>;
  idOf: (stored: T) => string;
  /** The errand, signed anew at each try; a text says why nothing is sent. */
  errandOf: (stored: T) => Errand | string;
  /** Answers after which nothing more is tried. */
  isFinal: (answer: number | string) => boolean;
  /** The wait before each try. */
  waitsMs: readonly number[];
  nowMs: () => number;
  closing: AbortSignal;
};

const patienceMs = 10_000;

/** Delivers what a journal keeps, with a record of each try. */
export function createTries<T extends Tried>(parts: TriesParts<T>): Tries<T> {
  const { journal, errandOf, waitsMs, nowMs, closing } = parts;

  async function attempt(id: string, isLast: boolean): Promise<T> {
    const errand = errandOf(journal.get(id) as T);
    const answer = typeof errand === "string" ? errand : await send(errand, closing);
    const stored = journal.get(id) as T;
    const attempts = [...stored.attempts, { at: new Date(nowMs()).toISOString(), answer }];
    const isOver = isLast || typeof errand === "string" || parts.isFinal(answer);
    const after = { ...stored, attempts, pending: stored.pending && !isOver };
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

  const inBackground = (id: string): void => void tryAll(id).catch(() => {});

  return {
    once: (id) => attempt(id, false),
    inBackground,
    resume() {
      for (const stored of journal.values()) if (stored.pending) inBackground(parts.idOf(stored));
    },
  };
}

export const isTaken = (answer: number | string): boolean =>
  typeof answer === "number" && answer >= 200 && answer < 300;

async function send({ url, headers, body }: Errand, closing: AbortSignal): Promise<number | string> {
  try {
    const response = await fetch(url, {
      method: "POST",
      headers,
      body,
      // To Stripe and Google a redirect is a failure like any other.
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
