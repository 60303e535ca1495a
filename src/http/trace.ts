import { randomBytes } from "node:crypto";

/**
 * W3C Trace Context, level 1: version, trace-id, parent-id, flags; version 00 ends there, later ones may go on. Version ff and
 * an all-zero id are invalid.
 */
const traceparent =
  /^(?!ff)[0-9a-f]{2}-((?!0{32})[0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:$|(?<!^00.*)-)/;

/** The caller's trace id, or a fresh one: 32 lower-case hex digits. */
export function traceIdOf(header: string | undefined): string {
  return (header && traceparent.exec(header)?.[1]) || randomBytes(16).toString("hex");
}
