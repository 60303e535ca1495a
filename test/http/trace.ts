import t from "tap";
import { traceIdOf } from "../../src/http/trace.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parentId = "00f067aa0ba902b7";

t.test("a valid traceparent's trace id is kept", async (t) => {
  t.equal(traceIdOf(`00-${traceId}-${parentId}-01`), traceId);
  t.equal(traceIdOf(`00-${traceId}-${parentId}-00`), traceId);
});

t.test("a later version may say more behind the flags", async (t) => {
  t.equal(traceIdOf(`cc-${traceId}-${parentId}-01`), traceId);
  t.equal(traceIdOf(`cc-${traceId}-${parentId}-01-what-the-future-will-be-like`), traceId);
});

t.test("without one, or with one that is not valid, there is a fresh id each time", async (t) => {
  const invalid = [
    undefined,
    "",
    traceId,
    `00-${traceId}-${parentId}`,
    `ff-${traceId}-${parentId}-01`,
    `00-${"0".repeat(32)}-${parentId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `00-${traceId.toUpperCase()}-${parentId}-01`,
    `00-${traceId.slice(1)}-${parentId}-01`,
    `00-${traceId}0-${parentId}-01`,
    ` 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01.`,
    `cc-${traceId}-${parentId}-01.what`,
    `00-${traceId}-${parentId}-01, 00-${traceId}-${parentId}-01`,
    `00-${traceId}-${parentId}-01\r\nX-Evil: 1`,
  ];
  const fresh = invalid.map(traceIdOf);
  t.ok(fresh.every((id) => /^[0-9a-f]{32}$/.test(id)));
  t.equal(new Set([traceId, ...fresh]).size, invalid.length + 1);
});

t.test("version 00 says nothing behind the flags (W3C Trace Context, section 3.2.2)", async (t) => {
  t.not(traceIdOf(`00-${traceId}-${parentId}-01-what-the-future-will-be-like`), traceId);
  t.not(traceIdOf(`00-${traceId}-${parentId}-01-`), traceId);
});
