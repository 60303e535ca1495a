import {
  type EventCounts,
  type EventFilter,
  type EventRetention,
  type EventStore,
  eventTypes,
  type RecordedEvent,
} from "../domain/events/event.ts";
import type { Page, PageRequest } from "../domain/page.ts";
import { asUnavailable } from "./connection.ts";
import { packEvent, typeCode, unpackRecord } from "./event-records.ts";
import type { StoreParts } from "./store.ts";

export { packEvent } from "./event-records.ts";

/** How many events of a pass one script looks at. */
const siftStep = 500;

/** How many strings of the log, of 296 events each, one script removes. */
const expireStep = 16;

const tenantsPerRead = 100;

type Parts = Pick<StoreParts, "connection" | "keys" | "run">;

export function createEventStore(parts: Parts): EventStore {
  const { connection, keys, run } = parts;
  return {
    list: (tenantId, filter, page) => list(parts, tenantId, filter, page),

    async extent(tenantId) {
      try {
        const [since, at] = await connection.hmget(keys.events(tenantId), "since", "at");
        return since && at ? { fromMs: Number(since), toMs: Number(at) } : null;
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async countDays(tenantId, days) {
      try {
        const hashes = await Promise.all(
          days.map((day) => connection.hgetall(keys.eventCounts(tenantId, day))),
        );
        return hashes.map((hash) => countsOf(eventTypes.map((type) => Number(hash[type] ?? 0))));
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async countSpans(tenantId, spans) {
      if (spans.length === 0) return [];
      const [goneMs, ...counts] = (await run(
        "count-events",
        [keys.events(tenantId), ...eventTypes.map((type) => keys.eventsByType(tenantId, type))],
        [eventTypes.length, ...eventTypes, ...spans.flatMap(({ fromMs, toMs }) => [fromMs, toMs])],
      )) as [string, ...number[][]];
      return spans.map(({ fromMs }, index) =>
        goneMs !== "" && Number(goneMs) >= fromMs ? null : countsOf(counts[index] ?? []),
      );
    },

    async activePasses(tenantId) {
      try {
        return await connection.zcard(`${keys.passesByStatus(tenantId)}:active`);
      } catch (error) {
        throw asUnavailable(error);
      }
    },

    async recordView({ eventId, tenantId, passId, templateId, atMs }) {
      await run(
        "record-view",
        [keys.pass(tenantId, passId), ...keys.recordedEvents(tenantId, "pass.viewed", atMs)],
        [atMs, packEvent({ id: eventId, type: "pass.viewed", passId, templateId })],
      );
    },
  };
}

export function createEventRetention({ connection, keys, run }: Parts): EventRetention {
  return {
    async *tenants() {
      for (const partition of keys.allPartitions) {
        for (let start = 0; ; start += tenantsPerRead) {
          const stop = start + tenantsPerRead - 1;
          const ids = await connection.zrange(keys.tenants(partition), String(start), String(stop));
          yield* ids;
          if (ids.length < tenantsPerRead) break;
        }
      }
    },

    async expire(tenantId, beforeMs) {
      const [expired, more] = (await run(
        "expire-events",
        [keys.events(tenantId), ...eventTypes.map((type) => keys.eventsByType(tenantId, type))],
        [beforeMs, expireStep, ...eventTypes],
      )) as [number, string];
      return { expired, more: more === "1" };
    },
  };
}

async function list(
  parts: Parts,
  tenantId: string,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<RecordedEvent>> {
  const { keys, run } = parts;
  const { type, passId } = filter;
  const skip = (page.page - 1) * page.pageSize;
  const span = [filter.fromMs ?? "", filter.toMs ?? ""];
  const events = keys.events(tenantId);
  if (passId !== undefined && type !== undefined) return sift(parts, tenantId, filter, page);
  const reply =
    passId === undefined
      ? run(
          "list-events",
          [events, keys.eventsByType(tenantId, type ?? "pass.created")],
          [...span, type ?? "", skip, page.pageSize],
          "bytes",
        )
      : run(
          "list-pass-events",
          [events, keys.pass(tenantId, passId)],
          [...span, skip, page.pageSize],
          "bytes",
        );
  const [total, ...records] = (await reply) as [number, ...Buffer[]];
  return { items: records.map(unpackRecord), total };
}

/** The events of one pass and one type: there is no index of them, and a pass's events are few. */
async function sift(
  { keys, run }: Parts,
  tenantId: string,
  { type, passId, fromMs, toMs }: EventFilter,
  { page, pageSize }: PageRequest,
): Promise<Page<RecordedEvent>> {
  const items: RecordedEvent[] = [];
  const skip = (page - 1) * pageSize;
  let total = 0;
  let position: number | "" = "";
  while (position !== -1) {
    const [next, matches, ...records] = (await run(
      "sift-pass-events",
      [keys.events(tenantId), keys.pass(tenantId, passId ?? "")],
      [
        ...[fromMs ?? "", toMs ?? "", typeCode(type ?? "pass.created"), position, siftStep],
        ...[Math.max(0, skip - total), pageSize - items.length],
      ],
      "bytes",
    )) as [number, number, ...Buffer[]];
    items.push(...records.map(unpackRecord));
    total += matches;
    position = next;
  }
  return { items, total };
}

function countsOf(numbers: readonly number[]): EventCounts {
  const counted = eventTypes.map((type, index) => [type, numbers[index] ?? 0] as const);
  return Object.fromEntries(counted.filter(([, count]) => count > 0));
}
