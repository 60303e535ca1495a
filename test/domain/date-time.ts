import fc from "fast-check";
import t from "tap";
import { parseDateTime } from "../../src/domain/date-time.ts";

const at = (iso: string) => Date.parse(iso);

// biome-ignore format: read as a table
const read: readonly [text: string, ms: number][] = [
  // RFC 3339 section 5.8
  ["1985-04-12T23:20:50.52Z",               at("1985-04-12T23:20:50.520Z")],
  ["1996-12-19T16:39:57-08:00",             at("1996-12-20T00:39:57.000Z")],
  ["1990-12-31T23:59:60Z",                  at("1991-01-01T00:00:00.000Z")],
  ["1990-12-31T15:59:60-08:00",             at("1991-01-01T00:00:00.000Z")],
  ["1937-01-01T12:00:27.87+00:20",          at("1937-01-01T11:40:27.870Z")],
  ["2026-11-21T06:43:46.625Z",              at("2026-11-21T06:43:46.625Z")],
  ["2026-11-21t06:43:46z",                  at("2026-11-21T06:43:46.000Z")],
  ["2026-11-21T06:43:46.6259Z",             at("2026-11-21T06:43:46.625Z") + 0.9],
  ["2026-11-21T06:43:46.07Z",               at("2026-11-21T06:43:46.070Z")],
  ["2026-11-21T06:43:46 02:00",             at("2026-11-21T04:43:46.000Z")],
  ["2024-02-29T00:00:00-00:00",             at("2024-02-29T00:00:00.000Z")],
  ["0001-01-01T00:00:00Z",                  at("0001-01-01T00:00:00.000Z")],
  ["9999-12-31T23:59:59.999Z",              at("9999-12-31T23:59:59.999Z")],
];

for (const [text, ms] of read) {
  t.test(`${text} is an instant`, async (t) => {
    const found = parseDateTime(text);
    t.ok(found !== null && Math.abs(found - ms) < 0.001, String(found));
  });
}

// biome-ignore format: read as a table
const refused = [
  "", "now", "2026-11-21", "2026-11-21T06:43:46", "2026-11-21T06:43Z", "2026-11-21 06:43:46Z", "1795243426625",
  "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-04-00T00:00:00Z",
  "2026-11-21T24:00:00Z", "2026-11-21T06:60:00Z", "2026-11-21T06:43:61Z", "2026-11-21T06:43:60Z",
  "2026-11-21T06:43:46.Z", "2026-11-21T06:43:46,5Z", "2026-11-21T06:43:46+0200", "2026-11-21T06:43:46+24:00",
  "2026-11-21T06:43:46+02:60", "+02026-11-21T06:43:46Z", "2026-11-21T06:43:46Z\n", "20261-11-21T06:43:46Z",
];

for (const text of refused) {
  t.test(`${JSON.stringify(text)} is none`, async (t) => t.equal(parseDateTime(text), null));
}

t.test("what a Date writes is read back, with any offset", async (t) => {
  const day = fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9999-12-30"),
    noInvalidDate: true,
  });
  const offset = fc.integer({ min: -23 * 60 - 59, max: 23 * 60 + 59 });
  fc.assert(
    fc.property(day, offset, (date, minutes) => {
      const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1);
      const two = (value: number) => String(value).padStart(2, "0");
      const ahead = Math.abs(minutes);
      const zone = `${minutes < 0 ? "-" : "+"}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`;
      return (
        parseDateTime(date.toISOString()) === date.getTime() && parseDateTime(local + zone) === date.getTime()
      );
    }),
  );
  t.pass("100 dates");
});
