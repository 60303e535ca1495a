import type { Clock } from "../domain/clock.ts";
import type {
  DeadLetter,
  DeadLetterKind,
  DeadLetterStore,
  EarlierLetter,
  LetterAttempt,
  LetterDetails,
  LetterTally,
  ReplayOutcome,
  Span,
} from "../domain/deadletters/dead-letter.ts";
import { compareLetterIds } from "../domain/deadletters/select.ts";
import { isRecordKind, type RecordKind, type WorkClass } from "../domain/jobs/work.ts";
import { asUnavailable } from "./connection.ts";
import { historyRetentionSeconds } from "./retention.ts";
import type { StoreParts } from "./store.ts";
import { jobRecords, recordName } from "./task-names.ts";
import { monthOf } from "./tenants.ts";

/** Letters that are read at once, of each partition: what a list of any length keeps in memory. */
const stretch = 200;
/** Letters that Redis counts in one step: two milliseconds or three that others wait. */
const talliedAtOnce = 2000;

export function createDeadLetterStore({ connection, keys, run }: StoreParts, clock: Clock): DeadLetterStore {
  const kindOf = (letter: DeadLetter): RecordKind => recordKindOf(letter.kind);
  const recordKey = (letter: DeadLetter): string =>
    keys.record(letter.tenantId, kindOf(letter), letter.recordId);
  const nameOf = (letter: DeadLetter): string =>
    recordName({ tenantId: letter.tenantId, kind: kindOf(letter), id: letter.recordId });
  const lettersKey = (letter: DeadLetter): string => keys.deadLetters(placeOf(letter.id).partition);
  const eventKeys = (letter: DeadLetter): [string, string] => [
    keys.event(letter.tenantId, letter.facts?.eventId ?? ""),
    keys.deadDeliveries(letter.tenantId, letter.facts?.eventId ?? ""),
  ];

  const withFacts = async (letter: DeadLetter): Promise<DeadLetter> => {
    const { lane } = letter;
    const [webhook, event, type, resourceType, resourceId, ...ofLane] = await connection.hmget(
      recordKey(letter),
      ...["webhook", "event", "type", "resource_type", "resource_id"],
      ...["attempts", "replays", "from", "dead"].map((name) => `${lane}:${name}`),
    );
    const [attempts, replays, from, dead] = ofLane;
    if (dead !== placeOf(letter.id).entry) return letter;
    const isDelivery = letter.kind === "webhook";
    return {
      ...letter,
      facts: {
        endpoint: isDelivery ? (webhook ?? null) : null,
        eventType: isDelivery ? (type ?? null) : null,
        eventId: isDelivery ? (event ?? null) : null,
        jobType: isDelivery ? null : (type ?? null),
        resource: isDelivery ? null : { type: resourceType ?? "", id: resourceId ?? "" },
        attempts: Number(attempts ?? 0),
        replays: Number(replays ?? 0),
        replayedFrom: from ? earlierLetter(letter, from) : null,
        obstacle: isDelivery ? await deliveryObstacle(letter.tenantId, webhook ?? "", event ?? "") : null,
      },
    };
  };

  /** As `replay-delivery` judges. */
  const deliveryObstacle = async (tenantId: string, webhookId: string, eventId: string) => {
    const [active, hasBody] = await Promise.all([
      connection.hget(keys.webhook(tenantId, webhookId), "is_active"),
      connection.exists(keys.event(tenantId, eventId)),
    ]);
    if (active === null) return "webhook_deleted";
    if (active !== "1") return "webhook_inactive";
    return hasBody === 0 ? "event_expired" : null;
  };

  /** The counters of one kind, over all partitions. */
  const sumOf = async (keyOf: (partition: number) => string): Promise<Record<string, number>> => {
    const sums = new Map<string, number>();
    const parts = await Promise.all(
      keys.allPartitions.map((partition) => connection.hgetall(keyOf(partition))),
    );
    for (const [name, count] of parts.flatMap(Object.entries) as [string, string][]) {
      sums.set(name, (sums.get(name) ?? 0) + Number(count));
    }
    return Object.fromEntries([...sums].filter(([, count]) => count > 0));
  };

  return {
    async spans({ tenantId, sinceMs, untilMs, after }) {
      const partitions = tenantId === null ? keys.allPartitions : [keys.partitionOf(tenantId)];
      return answered(async () => {
        const spans = await Promise.all(
          partitions.map(async (partition): Promise<Span[]> => {
            const [newest] = await connection.xrevrange(keys.deadLetters(partition), "+", "-", "COUNT", 1);
            if (newest === undefined || untilMs < 0) return [];
            const [entry] = newest;
            const to = instantOf(entry) <= untilMs ? entry : String(Math.floor(untilMs));
            return [{ partition, from: beginning(partition, sinceMs, after), to }];
          }),
        );
        return spans.flat();
      });
    },

    between(first, last) {
      return { partition: placeOf(first).partition, from: placeOf(first).entry, to: placeOf(last).entry };
    },

    async read({ partition, from, to }, atOnce = stretch) {
      return answered(async () => {
        const entries = await connection.xrange(keys.deadLetters(partition), from, to, "COUNT", atOnce);
        const last = entries.at(-1)?.[0];
        const rest =
          entries.length < atOnce || last === undefined ? null : { partition, from: `(${last}`, to };
        const letters = entries.map(([entry, fields]) => letterOf(partition, entry, fields));
        return { letters: letters.filter((letter) => letter !== null), rest };
      });
    },

    async tally({ partition, from, to }, { tenantId, kind, reason }) {
      const recordKind = kind === null ? "" : recordKindOf(kind);
      const [looked, last, ...counted] = (await run(
        "tally-dead-letters",
        [keys.deadLetters(partition)],
        [from, to, talliedAtOnce, tenantId ?? "", recordKind, reason ?? ""],
      )) as [looked: number, last: string, ...counted: (string | number)[]];
      const tallies: LetterTally[] = [];
      for (let i = 0; i < counted.length; i += 5) {
        const [ofKind, ofReason, count, oldest, newest] = counted.slice(i, i + 5).map(String);
        tallies.push({
          kind: letterKindOf(ofKind as RecordKind),
          reason: ofReason ?? "",
          count: Number(count),
          oldestMs: instantOf(oldest ?? ""),
          newestMs: instantOf(newest ?? ""),
        });
      }
      return { tallies, rest: looked < talliedAtOnce ? null : { partition, from: `(${last}`, to } };
    },

    newest({ tenantId, reason, limit }) {
      const partitions = tenantId === null ? keys.allPartitions : [keys.partitionOf(tenantId)];
      return answered(async () => {
        const read = await Promise.all(
          partitions.map(async (partition) => {
            const entries = await connection.xrevrange(keys.deadLetters(partition), "+", "-", "COUNT", limit);
            return entries.flatMap(([entry, fields]) => letterOf(partition, entry, fields) ?? []);
          }),
        );
        const newest = read
          .flat()
          .filter((letter) => tenantId === null || letter.tenantId === tenantId)
          .filter((letter) => reason === null || letter.reason === reason)
          .sort((a, b) => compareLetterIds(b.id, a.id));
        return Promise.all(newest.slice(0, limit).map(withFacts));
      });
    },

    reasons: () => answered(() => sumOf(keys.deadLettersByReason)),

    totals: () =>
      answered(async () => {
        const letters = keys.allPartitions.map(keys.deadLetters);
        const [reasons, classes, first, last] = await Promise.all([
          sumOf(keys.deadLettersByReason),
          sumOf(keys.deadLettersByClass),
          Promise.all(letters.map((stream) => connection.xrange(stream, "-", "+", "COUNT", 1))),
          Promise.all(letters.map((stream) => connection.xrevrange(stream, "+", "-", "COUNT", 1))),
        ]);
        const webhook = classes.webhooks ?? 0;
        const job = Object.values(classes).reduce((sum, count) => sum + count, -webhook);
        const [oldest, newest] = [first, last].map((ends) => ends.flat().map(([entry]) => instantOf(entry)));
        return {
          kinds: { ...(webhook > 0 && { webhook }), ...(job > 0 && { job }) },
          reasons,
          oldestMs: oldest?.length ? Math.min(...oldest) : null,
          newestMs: newest?.length ? Math.max(...newest) : null,
        };
      }),

    withFacts: (letters) => answered(() => Promise.all(letters.map(withFacts))),

    async find(id) {
      const { partition, entry } = placeOf(id);
      if (partition >= keys.partitions) return null;
      return answered(async () => {
        const [found] = await connection.xrange(keys.deadLetters(partition), entry, entry);
        const letter = found === undefined ? null : letterOf(partition, found[0], found[1]);
        return letter === null ? null : withFacts(letter);
      });
    },

    async details(letter) {
      return answered(async () => {
        if (letter.facts === null) return null;
        const [hash, body] = await Promise.all([
          connection.hgetall(recordKey(letter)),
          letter.facts.eventId === null ? null : connection.get(eventKeys(letter)[0]),
        ]);
        return detailsOf(letter, hash, body);
      });
    },

    async replay(letter, { taskId, fence, limit }) {
      const { entry } = placeOf(letter.id);
      const { tenantId, lane, facts } = letter;
      const partition = keys.partitionOf(tenantId);
      const nowMs = clock.nowMs();
      const count = keys.replayCount(placeOf(letter.id).partition, taskId);
      const step = [taskId, fence, limit ?? ""];
      if (letter.kind === "webhook") {
        return (await run(
          "replay-delivery",
          [
            lettersKey(letter),
            recordKey(letter),
            keys.queue(partition, "webhooks"),
            ...eventKeys(letter),
            keys.webhook(tenantId, facts?.endpoint ?? ""),
            count,
          ],
          [entry, nameOf(letter), nowMs, historyRetentionSeconds, ...step],
        )) as ReplayOutcome;
      }
      const resourceId = facts?.resource?.id ?? "";
      const [workClass, template, pass] = await answered(() =>
        connection.hmget(recordKey(letter), "class", "template", "pass"),
      );
      // Of a job whose record is gone nobody knows what it was: either script finds that out first.
      if (facts === null || facts.resource?.type === "message") {
        const subject =
          pass === null || pass === undefined ? (["template", template] as const) : (["pass", pass] as const);
        return (await run(
          "replay-message",
          [
            lettersKey(letter),
            recordKey(letter),
            keys.message(tenantId, resourceId),
            keys.messages(tenantId),
            keys.messagesOf(tenantId, subject[0], subject[1] ?? ""),
            keys.queue(partition, (workClass ?? "interactive") as WorkClass),
            count,
          ],
          [entry, lane, nameOf(letter), resourceId, nowMs, historyRetentionSeconds, ...step],
        )) as ReplayOutcome;
      }
      return (await run(
        "replay-pass",
        [
          lettersKey(letter),
          recordKey(letter),
          keys.pass(tenantId, resourceId),
          keys.passesByStatus(tenantId),
          keys.passesByTemplate(tenantId, template ?? ""),
          keys.credits(tenantId),
          keys.jobs(tenantId),
          keys.queue(partition, "interactive"),
          keys.queue(partition, "bulk"),
          count,
        ],
        [
          entry,
          lane,
          jobRecords(tenantId),
          letter.recordId,
          resourceId,
          nowMs,
          historyRetentionSeconds,
          keys.finishedJobs,
          monthOf(nowMs),
          ...step,
        ],
      )) as ReplayOutcome;
    },

    async purge(letter) {
      const reply = await run(
        "purge-dead-letter",
        [lettersKey(letter), recordKey(letter), ...eventKeys(letter)],
        [placeOf(letter.id).entry, letter.lane, nameOf(letter), historyRetentionSeconds],
      );
      return reply as "purged" | "missing";
    },
  };
}

async function answered<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** Where a letter lies: its id is the partition's number and the entry's id. */
export function placeOf(id: string): { partition: number; entry: string } {
  return { partition: Number(id.slice(0, 2)), entry: id.slice(3) };
}

function recordKindOf(kind: DeadLetterKind): RecordKind {
  return kind === "webhook" ? "delivery" : "job";
}

function letterKindOf(kind: RecordKind): DeadLetterKind {
  return kind === "delivery" ? "webhook" : "job";
}

/** When an entry of a stream was added. */
function instantOf(entry: string): number {
  return Number(entry.split("-")[0]);
}

export function letterId(partition: number, entry: string): string {
  return `${String(partition).padStart(2, "0")}-${entry}`;
}

/** Where a partition begins to be read: lists are ordered by age, at the same millisecond by partition. */
function beginning(partition: number, sinceMs: number, after: string | null): string {
  const since = Math.max(0, Math.ceil(sinceMs));
  if (after === null) return String(since);
  const last = placeOf(after);
  const lastMs = instantOf(last.entry);
  if (lastMs < since) return String(since);
  if (partition === last.partition) return `(${last.entry}`;
  return String(partition > last.partition ? lastMs : lastMs + 1);
}

function earlierLetter(letter: DeadLetter, text: string): EarlierLetter {
  const [entry = "", at, taskId] = text.split(" ");
  return {
    id: letterId(placeOf(letter.id).partition, entry),
    atMs: Number(at),
    taskId: taskId || null,
  };
}

/** Null for what is no dead letter: only a stranger's hand can have put it there. */
function letterOf(partition: number, entry: string, fields: readonly string[]): DeadLetter | null {
  const named = new Map<string, string>();
  for (let i = 0; i < fields.length; i += 2) named.set(fields[i] ?? "", fields[i + 1] ?? "");
  const [tenantId = "", kind = "", recordId = ""] = (named.get("r") ?? "").split(":");
  if (!isRecordKind(kind)) return null;
  return {
    id: letterId(partition, entry),
    kind: letterKindOf(kind),
    tenantId,
    recordId,
    lane: named.get("l") ?? "",
    reason: named.get("reason") ?? "",
    deadAtMs: instantOf(entry),
    facts: null,
  };
}

function detailsOf(letter: DeadLetter, hash: Record<string, string>, body: string | null): LetterDetails {
  const instant = (text: string | undefined): number | null => (text === undefined ? null : Number(text));
  const attempts = letter.kind === "webhook" ? attemptsOf(hash) : [];
  const last = attempts.at(-1)?.error ?? null;
  const lanes = letter.kind === "webhook" ? ["send"] : (hash.lanes ?? "").split(" ");
  const ofDelivery = last === null ? null : { code: letter.reason, description: last };
  return {
    body,
    attempts,
    error: hash.error === undefined ? ofDelivery : (JSON.parse(hash.error) as LetterDetails["error"]),
    traceId: hash.trace ?? null,
    status: hash.status ?? "",
    lanes: lanes.map((lane) => ({
      lane,
      state: hash[`${lane}:state`] ?? "",
      attempts: Number(hash[`${lane}:attempts`] ?? 0),
    })),
    createdAtMs: instant(hash.created_at),
    startedAtMs: instant(hash.started_at),
    finishedAtMs: instant(hash.finished_at),
  };
}

/** Oldest first, those before an earlier replay included. */
function attemptsOf(hash: Record<string, string>): LetterAttempt[] {
  return Object.entries(hash)
    .filter(([name]) => name.startsWith("attempt:"))
    .map(([, text]) => JSON.parse(text) as LetterAttempt)
    .sort((a, b) => a.number - b.number);
}
