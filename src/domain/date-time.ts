/**
 * The parts of an RFC 3339 date-time (section 5.6); T and Z may be lower case. A space stands for the plus of an offset:
 * that is what becomes of one in a query that nobody escaped.
 */
const shape = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:Z|([+ -])(\d\d):(\d\d))$/i;

/**
 * The instant that an RFC 3339 date-time names, in milliseconds since 1970 with their fraction, or null when it is
 * none. A leap second is the second after it, as in POSIX.
 */
export function parseDateTime(text: string): number | null {
  const match = shape.exec(text);
  if (match === null) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return null;
  const date = new Date(0);
  // Date.UTC would take the years 0 to 99 for those of the last century.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  const offset = (match[8] === "-" ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const wholeSeconds = date.getTime() / 1000 + hour * 3600 + (minute - offset) * 60 + second;
  if (second === 60 && wholeSeconds % 86_400 !== 0) return null;
  const fraction = (match[7] ?? "").padEnd(3, "0");
  return wholeSeconds * 1000 + Number(`${fraction.slice(0, 3)}.${fraction.slice(3)}`);
}

type Six = [number, number, number, number, number, number];
