import { randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

/**
 * Makes identifiers. `beside(tenantId)` and `pageToken(tenantId)` draw until the result lives in the same
 * partition of the store as the tenant, so that a record can be found by that id alone, and yet be
 * written in the same atomic step as the tenant's other records.
 */
export type Ids = {
  /** A UUID version 7 (RFC 9562 section 5.7), lower case; those of one process sort by the order of making. */
  uuid(): string;
  beside(tenantId: string): string;
  /** 23 characters of base64url: 136 random bits, of which the partition costs at most 8. */
  pageToken(tenantId: string): string;
  /** 32 characters of base64url, 192 random bits. */
  secret(): string;
};

export function createIds(options: { clock: Clock; sameHome(a: string, b: string): boolean }): Ids {
  const { clock, sameHome } = options;
  const uuid = uuidFactory(clock);
  const drawBeside = (tenantId: string, draw: () => string): string => {
    for (;;) {
      const candidate = draw();
      if (sameHome(candidate, tenantId)) return candidate;
    }
  };
  return {
    uuid,
    beside: (tenantId) => drawBeside(tenantId, uuid),
    pageToken: (tenantId) => drawBeside(tenantId, () => randomBytes(17).toString("base64url")),
    secret: () => randomBytes(24).toString("base64url"),
  };
}

/**
 * 48 bits of milliseconds, then a 12-bit counter that starts at a random point of its lower half in each
 * millisecond (RFC 9562 section 6.2, method 1), then 62 random bits. A full counter borrows the next millisecond.
 */
function uuidFactory(clock: Clock): () => string {
  let lastMs = 0;
  let counter = 0;
  return () => {
    const nowMs = clock.nowMs();
    const bytes = randomBytes(16);
    if (nowMs > lastMs) {
      lastMs = nowMs;
      counter = bytes.readUInt16BE(6) & 0x7ff;
    } else if (++counter > 0xfff) {
      lastMs += 1;
      counter = 0;
    }
    bytes.writeUIntBE(lastMs, 0, 6);
    bytes.writeUInt16BE(0x7000 | counter, 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    const hex = bytes.toString("hex");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  };
}

const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a UUID as this service writes them: lower case, any version. */
export function isUuid(text: string): boolean {
  return uuidShape.test(text);
}
