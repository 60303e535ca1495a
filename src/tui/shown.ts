/** How figures are written: short enough for a column, and with their unit. */

export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${(Math.floor(seconds * 10) / 10).toFixed(1)}s`;
  if (seconds < 120) return `${Math.floor(seconds)}s`;
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** What work took: in milliseconds while these are what one thinks in. */
export function latency(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))}ms` : duration(ms);
}

export function bytes(count: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = Math.min(Math.floor(Math.log10(Math.max(count, 1)) / 3), units.length - 1);
  const amount = count / 1000 ** power;
  return `${amount < 10 && power > 0 ? amount.toFixed(1) : Math.round(amount)} ${units[power]}`;
}

export function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function instant(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/, "Z");
}

/** The day of an instant, UTC. */
export function day(ms: number): string {
  return instant(ms).slice(0, 10);
}

/**
 * Text of others, such as a tenant's name, without what a terminal would take for a command: control characters become `·`.
 */
export function harmless(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, "·");
}
