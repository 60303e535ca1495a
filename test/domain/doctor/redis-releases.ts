import t from "tap";
import { knownAgainst } from "../../../src/domain/doctor/redis-releases.ts";

const judged = (product: "Redis" | "Valkey", version: string) => {
  const known = knownAgainst(product, version);
  if (known === null) return "fine";
  return known.isTooOld ? "too old" : known.trouble;
};

t.test("releases before 7.0 are too old", async (t) => {
  for (const version of ["6.2.14", "5.0.7", "6.9.999"]) t.equal(judged("Redis", version), "too old", version);
});

t.test("releases in which XAUTOCLAIM breaks are known, and the fix is named", async (t) => {
  t.match(judged("Redis", "7.0.0"), /XAUTOCLAIM.*CVE-2022-31144/);
  t.match(judged("Redis", "7.0.3"), /XAUTOCLAIM.*CVE-2022-31144/);
  t.match(judged("Redis", "7.0.4"), /XAUTOCLAIM.*CVE-2022-35951/);
  t.match(judged("Redis", "7.0.11"), /cjson/);
  t.match(knownAgainst("Redis", "7.0.3")?.remedy, "7.0.4");
});

t.test("a fixed release is fine, and the one before it is not", async (t) => {
  for (const [product, last, fixed] of [
    ["Redis", "7.2.10", "7.2.11"],
    ["Redis", "7.4.5", "7.4.6"],
    ["Redis", "8.0.3", "8.0.4"],
    ["Redis", "8.2.1", "8.2.2"],
    ["Valkey", "8.0.5", "8.0.6"],
    ["Valkey", "8.1.3", "8.1.4"],
  ] as const) {
    t.match(judged(product, last), /CVE-2025-49844/, last);
    t.equal(judged(product, fixed), "fine", fixed);
  }
});

t.test("Redis and Valkey are told apart, and what is newer than all that is known is fine", async (t) => {
  t.equal(judged("Redis", "8.1.0"), "fine");
  t.match(judged("Valkey", "8.1.0"), /CVE/);
  for (const version of ["7.0.15", "8.4.0", "9.0.0-rc1"]) t.equal(judged("Redis", version), "fine", version);
});
