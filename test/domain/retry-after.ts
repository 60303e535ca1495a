import t from "tap";
import { retryAfterSeconds } from "../../src/domain/retry-after.ts";

const nowMs = Date.parse("2026-11-21T06:43:46.500Z");

const cases: [header: string | string[] | null | undefined, seconds: number | null][] = [
  ["0", 0],
  ["120", 120],
  [["7", "9"], 7],
  ["Sat, 21 Nov 2026 06:43:50 GMT", 4],
  ["Sat, 21 Nov 2026 06:40:00 GMT", 0],
  ["Saturday, 21-Nov-26 06:43:50 GMT", 4],
  ["Sat Nov 21 06:43:50 2026 GMT", 4],
  ["Never, in 2026", null],
  ["", null],
  ["-1", null],
  ["1.5 s", null],
  ["soon", null],
  ["9999999999999999", null],
  [[], null],
  [null, null],
  [undefined, null],
];

for (const [header, seconds] of cases) {
  t.equal(retryAfterSeconds(header, nowMs), seconds, JSON.stringify(header));
}
