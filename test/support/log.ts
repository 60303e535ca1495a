import type { Facts, Log } from "../../src/domain/log.ts";

export type LogLine = { level: keyof Log; event: string; facts: Facts };

/** A log that a test reads. */
export function readableLog(): Log & { lines: LogLine[]; of(event: string): Facts[] } {
  const lines: LogLine[] = [];
  const at =
    (level: keyof Log) =>
    (facts: Facts, event: string): void => {
      lines.push({ level, event, facts });
    };
  return {
    lines,
    of: (event) => lines.filter((line) => line.event === event).map(({ facts }) => facts),
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
  };
}
