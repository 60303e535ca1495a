import { invalidRequest } from "../errors.ts";
import type { DeadLetter, DeadLetterKind, DeadLetterStore, Span } from "./dead-letter.ts";

export type DeadLetterFilter = {
  /** Null for all tenants. */
  tenantId: string | null;
  kind: DeadLetterKind | null;
  /** A webhook's id. */
  endpoint: string | null;
  reason: string | null;
  sinceMs: number;
  untilMs: number;
  limit: number;
  /** Only these; null for whatever matches. */
  ids: readonly string[] | null;
  /** The id of a letter: only those behind it, so that a list can go on where another ended. */
  after: string | null;
};

/** Whether a filter leaves nothing out. */
export function isEveryLetter(filter: DeadLetterFilter): boolean {
  const { tenantId, kind, endpoint, reason, sinceMs, untilMs, limit, ids, after } = filter;
  const isNamed = [tenantId, kind, endpoint, reason, ids, after].some((each) => each !== null);
  return !isNamed && sinceMs === 0 && untilMs === Number.MAX_SAFE_INTEGER && !Number.isFinite(limit);
}

/** Whether a filter asks for nothing but what letters say themselves, and for all of those. */
export function isByEntry({ endpoint, ids, limit }: DeadLetterFilter): boolean {
  return endpoint === null && ids === null && !Number.isFinite(limit);
}

type Deps = { deadLetters: Pick<DeadLetterStore, "spans" | "read" | "withFacts" | "find"> };
type Reader = Deps["deadLetters"];

/** What a filter meant when it was given. It can be gone through several times: letters that come later never join. */
export type Selection = {
  letters(): AsyncGenerator<DeadLetter>;
};

/** Ids, or records, that are looked up at once. */
const stepSize = 100;

/** The letters that match, oldest first, read a stretch at a time. Rejects ids that cannot be any (invalid_request). */
export async function selectDeadLetters({ deadLetters }: Deps, filter: DeadLetterFilter): Promise<Selection> {
  const wrong = [...(filter.ids ?? []), ...(filter.after === null ? [] : [filter.after])].find(
    (id) => !isDeadLetterId(id),
  );
  if (wrong !== undefined) throw noDeadLetterId(wrong);
  const ids = filter.ids === null ? null : inOrder(filter.ids, filter.after);
  const spans = ids === null ? await deadLetters.spans(filter) : [];
  return { letters: () => upTo(filter.limit, lettersWithin(deadLetters, { ids, spans }, filter)) };
}

/** The letters that match among some, oldest first: of these ids, which are in order, or else of these spans. */
export function lettersWithin(
  deadLetters: Reader,
  { ids, spans }: { ids: readonly string[] | null; spans: readonly Span[] },
  filter: DeadLetterFilter,
): AsyncGenerator<DeadLetter> {
  if (ids !== null) return matching(byId(deadLetters, ids), filter);
  return withRecords(deadLetters, oldestFirst(deadLetters, spans, filter), filter);
}

/** Each once, in the order of lists. */
function inOrder(ids: readonly string[], after: string | null): string[] {
  const sorted = [...new Set(ids)].sort(compareLetterIds);
  return after === null ? sorted : sorted.filter((id) => compareLetterIds(id, after) > 0);
}

const idShape = /^(\d{2})-(\d{1,15})-(\d{1,15})$/;

export function isDeadLetterId(id: string): boolean {
  return idShape.test(id);
}

export function noDeadLetterId(id: string): Error {
  return invalidRequest([
    { path: "ID", message: `${id} is not the id of a dead letter; the list shows them` },
  ]);
}

/** The order of lists: by age, at the same millisecond by partition. */
export function compareLetterIds(a: string, b: string): number {
  const [, partitionA, msA, countA] = idShape.exec(a) ?? [];
  const [, partitionB, msB, countB] = idShape.exec(b) ?? [];
  return (
    Number(msA) - Number(msB) || Number(partitionA) - Number(partitionB) || Number(countA) - Number(countB)
  );
}

async function* byId(store: Reader, ids: readonly string[]): AsyncGenerator<DeadLetter> {
  for (let start = 0; start < ids.length; start += stepSize) {
    const found = await Promise.all(ids.slice(start, start + stepSize).map((id) => store.find(id)));
    yield* found.filter((letter) => letter !== null);
  }
}

/** Each partition has an order of its own; the oldest of their heads comes next. */
async function* oldestFirst(store: Reader, spans: readonly Span[], filter: DeadLetterFilter) {
  const readers = spans.map((span) => matchingOf(store, span, filter));
  const heads = await Promise.all(readers.map(async (reader) => ({ reader, head: await reader.next() })));
  for (;;) {
    let oldest: (typeof heads)[number] | undefined;
    for (const each of heads) {
      if (each.head.done) continue;
      if (oldest === undefined || oldest.head.done || each.head.value.deadAtMs < oldest.head.value.deadAtMs) {
        oldest = each;
      }
    }
    if (oldest === undefined || oldest.head.done) return;
    yield oldest.head.value;
    oldest.head = await oldest.reader.next();
  }
}

async function* matchingOf(
  store: Reader,
  span: Span,
  filter: DeadLetterFilter,
): AsyncGenerator<DeadLetter, undefined> {
  let at: Span | null = span;
  while (at !== null) {
    const { letters, rest }: { letters: DeadLetter[]; rest: Span | null } = await store.read(at);
    yield* letters.filter((letter) => letterMatches(letter, filter));
    at = rest;
  }
}

/** Records are read only of what is about to be answered, so many at a time. */
async function* withRecords(store: Reader, letters: AsyncGenerator<DeadLetter>, filter: DeadLetterFilter) {
  const atOnce = Math.min(stepSize, filter.limit);
  for await (const some of inSteps(letters, atOnce)) {
    yield* (await store.withFacts(some)).filter((letter) => recordMatches(letter, filter));
  }
}

async function* inSteps<Item>(items: AsyncGenerator<Item>, size: number): AsyncGenerator<Item[]> {
  let step: Item[] = [];
  for await (const item of items) {
    step.push(item);
    if (step.length < size) continue;
    yield step;
    step = [];
  }
  if (step.length > 0) yield step;
}

async function* matching(letters: AsyncGenerator<DeadLetter>, filter: DeadLetterFilter) {
  for await (const letter of letters) {
    if (letterMatches(letter, filter) && recordMatches(letter, filter)) yield letter;
  }
}

function letterMatches(letter: DeadLetter, filter: DeadLetterFilter): boolean {
  return (
    (filter.tenantId === null || letter.tenantId === filter.tenantId) &&
    (filter.kind === null || letter.kind === filter.kind) &&
    (filter.reason === null || letter.reason === filter.reason) &&
    letter.deadAtMs >= filter.sinceMs &&
    letter.deadAtMs <= filter.untilMs
  );
}

function recordMatches(letter: DeadLetter, filter: DeadLetterFilter): boolean {
  return filter.endpoint === null || letter.facts?.endpoint === filter.endpoint;
}

async function* upTo(limit: number, letters: AsyncGenerator<DeadLetter>): AsyncGenerator<DeadLetter> {
  let count = 0;
  if (limit < 1) return;
  for await (const letter of letters) {
    yield letter;
    if (++count >= limit) return;
  }
}
