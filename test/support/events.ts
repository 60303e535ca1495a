import type { EventType, RecordedEvent } from "../../src/domain/events/event.ts";
import { packEvent } from "../../src/redis/event-records.ts";
import { withParts } from "../../src/redis/scripts.ts";
import type { StoreParts } from "../../src/redis/store.ts";

/** A script that does nothing but record. Of each event it takes two keys and three arguments. */
const script = withParts(`-- uses: record-event
for i = 0, #ARGV / 3 - 1 do
  record_event(KEYS[1], KEYS[2 * i + 2], KEYS[2 * i + 3], ARGV[3 * i + 1], ARGV[3 * i + 2], ARGV[3 * i + 3])
end`);

export type EventToRecord = Partial<Omit<RecordedEvent, "id">> & {
  id: string;
  type: EventType;
  occurredAtMs: number;
};

/** Writes events to a tenant's history, one after the other in one step. */
export async function recordEvents(
  { connection, keys }: Pick<StoreParts, "connection" | "keys">,
  tenantId: string,
  events: readonly EventToRecord[],
): Promise<void> {
  const keysOfAll = [keys.events(tenantId)];
  const args: (string | number)[] = [];
  for (const { id, type, passId, templateId, messageId, occurredAtMs } of events) {
    const day = new Date(occurredAtMs).toISOString().slice(0, 10);
    keysOfAll.push(keys.eventsByType(tenantId, type), keys.eventCounts(tenantId, day));
    const about = {
      ...(passId && { passId }),
      ...(templateId && { templateId }),
      ...(messageId && { messageId }),
    };
    args.push(type, occurredAtMs, packEvent({ id, type, ...about }));
  }
  await connection.eval(script, keysOfAll.length, ...keysOfAll, ...args);
}
