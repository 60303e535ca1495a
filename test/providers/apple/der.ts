import t from "tap";
import { der, derOid, derSetOf, derTime, readDer, tags } from "../../../src/providers/apple/der.ts";

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

t.test("object identifiers are encoded as RFC 5652 and RFC 5912 print them", async (t) => {
  t.equal(hex(derOid("1.2.840.113549.1.7.2")), "06092a864886f70d010702");
  t.equal(hex(derOid("2.16.840.1.101.3.4.2.1")), "0609608648016503040201");
  t.equal(hex(derOid("0.9.2342.19200300.100.1.1")), "060a0992268993f22c640101");
  t.equal(hex(derOid("2.5.4.11")), "060355040b");
});

t.test("lengths take the shortest form, and what is written is read back", async (t) => {
  for (const [length, head] of [
    [0, "0400"],
    [127, "047f"],
    [128, "048180"],
    [255, "0481ff"],
    [256, "04820100"],
    [65_535, "0482ffff"],
    [65_536, "0483010000"],
  ] as const) {
    const content = Buffer.alloc(length, 7);
    const written = der(tags.octetString, content);
    t.equal(hex(written.subarray(0, written.length - length)), head, `${length} octets`);
    const values = readDer(Buffer.concat([written, derOid("2.5.4.11")]));
    t.equal(values.length, 2);
    t.equal(values[0]?.tag, tags.octetString);
    t.ok(values[0]?.content.equals(content));
    t.ok(values[0]?.raw.equals(written));
  }
});

t.test("a length that reaches beyond the bytes is an error", async (t) => {
  for (const broken of ["3005", "30", "3082", "308201", "30050400", "048500000000ff"]) {
    t.throws(() => readDer(Buffer.from(broken, "hex")), RangeError, broken);
  }
});

t.test("times are UTCTime up to 2049 and GeneralizedTime from 2050", async (t) => {
  const text = (ms: number) => {
    const [value] = readDer(derTime(ms));
    return [value?.tag, value?.content.toString("latin1")];
  };
  t.strictSame(text(Date.UTC(2031, 3, 6, 7, 8, 9, 999)), [tags.utcTime, "310406070809Z"]);
  t.strictSame(text(Date.UTC(2049, 11, 31, 23, 59, 59)), [tags.utcTime, "491231235959Z"]);
  t.strictSame(text(Date.UTC(2050, 0, 1)), [tags.generalizedTime, "20500101000000Z"]);
});

t.test("members of a SET OF are put in ascending order", async (t) => {
  const members = ["0402ffff", "0401ff", "040101"].map((text) => Buffer.from(text, "hex"));
  t.equal(hex(derSetOf(members)), "310a0401010401ff0402ffff");
});
