import type { EventType, RecordedEvent } from "../domain/events/event.ts";

/** What a type is called in the store. A code that was once given stays. */
const typeCodes = {
  "pass.created": 1,
  "pass.updated": 2,
  "pass.revoked": 3,
  "message.sent": 4,
  "job.completed": 5,
  "job.failed": 6,
  "batch.completed": 7,
  "pass.activated": 8,
  "pass.failed": 9,
  "pass.installed": 10,
  "pass.uninstalled": 11,
  "pass.viewed": 12,
} as const satisfies Record<EventType, number>;

const typesByCode = new Map<number, EventType>(
  Object.entries(typeCodes).map(([type, code]) => [code, type as EventType]),
);

/** Bytes of a record in the log; a message's id may follow. lua/parts/event-log.lua has the layout. */
const recordWidth = 69;

export function typeCode(type: EventType): number {
  return typeCodes[type];
}

/** An event as `record_event` takes it. */
export function packEvent(event: {
  id: string;
  type: EventType;
  passId?: string;
  templateId?: string;
  messageId?: string;
}): string {
  const { id, type, passId = "", templateId = "", messageId = "" } = event;
  return [id, typeCodes[type], passId, templateId, messageId].join(" ");
}

/** An event as the log holds it. */
export function unpackRecord(record: Buffer): RecordedEvent {
  const code = record.readUInt8(22) & 0x7f;
  const type = typesByCode.get(code);
  if (type === undefined) throw new Error(`an event has the unknown type ${code}`);
  return {
    id: uuidAt(record, 0) ?? "",
    type,
    passId: uuidAt(record, 23),
    templateId: uuidAt(record, 39),
    messageId: record.length > recordWidth ? uuidAt(record, recordWidth) : null,
    occurredAtMs: record.readUIntBE(16, 6),
  };
}

/** Null for sixteen zero bytes, which stand for no id. */
function uuidAt(record: Buffer, offset: number): string | null {
  const hex = record.toString("hex", offset, offset + 16);
  if (/^0+$/.test(hex)) return null;
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
