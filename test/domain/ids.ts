import { createHash } from "node:crypto";
import t from "tap";
import { createIds, isUuid } from "../../src/domain/ids.ts";
import { settableClock } from "../support/clock.ts";

const clock = settableClock();
const anywhere = { clock, sameHome: () => true };

t.test("an identifier is a UUID of version 7 as RFC 9562 section 5.7 lays it out", async (t) => {
  const ids = createIds(anywhere);
  for (let round = 0; round < 200; round += 1) {
    clock.forward(1);
    const uuid = ids.uuid();
    t.ok(isUuid(uuid), "lower case, in groups of 8, 4, 4, 4 and 12");
    const bits = BigInt(`0x${uuid.replaceAll("-", "")}`);
    t.equal(Number(bits >> 80n), clock.nowMs(), "unix_ts_ms: 48 bits");
    t.equal((bits >> 76n) & 0xfn, 7n, "ver: 0111");
    t.equal((bits >> 62n) & 0x3n, 2n, "var: 10");
  }
});

t.test("10,000 identifiers of one millisecond differ, and sort as they were made", async (t) => {
  const ids = createIds(anywhere);
  clock.forward(1);
  const made = Array.from({ length: 10_000 }, ids.uuid);
  t.equal(new Set(made).size, made.length);
  t.strictSame([...made].sort(), made);
});

t.test("identifiers go on sorting while the clock goes backwards, and when it comes back", async (t) => {
  const ids = createIds(anywhere);
  const made = [ids.uuid()];
  for (const step of [-1, -60_000, -86_400_000, 86_460_001, 5000]) {
    clock.forward(step);
    made.push(ids.uuid(), ids.uuid());
  }
  t.strictSame([...made].sort(), made);
  t.equal(new Set(made).size, made.length);
});

t.test(
  "a full counter borrows the coming millisecond, and what is made in that one sorts behind",
  async (t) => {
    const ids = createIds(anywhere);
    const first = Array.from({ length: 5000 }, ids.uuid);
    clock.forward(1);
    const second = Array.from({ length: 5000 }, ids.uuid);
    t.strictSame([...first, ...second].sort(), [...first, ...second]);
  },
);

t.test("two processes draw different identifiers in the same millisecond", async (t) => {
  const one = createIds(anywhere);
  const other = createIds(anywhere);
  const made = Array.from({ length: 1000 }, () => [one.uuid(), other.uuid()]).flat();
  t.equal(new Set(made).size, 2000);
});

/** Sixteen homes, as the store has them by default. */
const homeOf = (id: string): number => createHash("sha256").update(id).digest().readUInt8(0) % 16;
const partitioned = createIds({ clock, sameHome: (a, b) => homeOf(a) === homeOf(b) });

t.test(
  "an identifier beside a tenant lives in its partition, and still is a version 7 in order",
  async (t) => {
    for (const tenantId of Array.from({ length: 16 }, partitioned.uuid)) {
      const made = Array.from({ length: 50 }, () => partitioned.beside(tenantId));
      t.ok(made.every((id) => isUuid(id) && homeOf(id) === homeOf(tenantId)));
      t.strictSame([...made].sort(), made);
    }
  },
);

t.test("a page token lives in its tenant's partition and is 136 bits of base64url", async (t) => {
  const tenantId = partitioned.uuid();
  const made = Array.from({ length: 500 }, () => partitioned.pageToken(tenantId));
  t.ok(made.every((token) => homeOf(token) === homeOf(tenantId)));
  t.ok(made.every((token) => /^[A-Za-z0-9_-]{23}$/.test(token)));
  t.equal(new Set(made).size, made.length);
});

t.test("a secret is 192 random bits of base64url", async (t) => {
  const made = Array.from({ length: 500 }, partitioned.secret);
  t.ok(made.every((secret) => /^[A-Za-z0-9_-]{32}$/.test(secret)));
  t.equal(new Set(made).size, made.length);
});

t.test("a UUID is known by its shape: lower case, any version, nothing around it", async (t) => {
  t.ok(isUuid("00000000-0000-0000-0000-000000000000"));
  t.ok(isUuid("0193a0b4-7c11-4abc-8def-0123456789ab"));
  for (const text of [
    "",
    "0193A0B4-7C11-7ABC-8DEF-0123456789AB",
    "0193a0b47c117abc8def0123456789ab",
    "{0193a0b4-7c11-7abc-8def-0123456789ab}",
    "0193a0b4-7c11-7abc-8def-0123456789ab\n",
    " 0193a0b4-7c11-7abc-8def-0123456789ab",
    "0193a0b4-7c11-7abc-8def-0123456789ag",
  ]) {
    t.notOk(isUuid(text), JSON.stringify(text));
  }
});
