/**
 * The seconds that a Retry-After asks for (RFC 9110 section 10.2.3: a number, or a date), rounded up; of a date that has
 * passed 0. null where there is none, or where it is neither.
 */
export function retryAfterSeconds(
  header: string | readonly string[] | null | undefined,
  nowMs: number,
): number | null {
  const text = typeof header === "string" ? header : header?.[0];
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Every form of a date begins with the day's name; Date.parse takes far more for one.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,? /.test(text)) return null;
  const seconds = Math.ceil((Date.parse(text) - nowMs) / 1000);
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
