import t from "tap";
import { expirationDate } from "../../../src/domain/passes/expiry.ts";

const values = new Map([
  ["until", "2027-06-12T19:30:00+02:00"],
  ["empty", ""],
]);
const of = (written: unknown) => expirationDate({ apple: { expirationDate: written } }, values);

t.test("a date is the template's, or comes from a pass's value", async (t) => {
  t.equal(of("2027-06-12T19:30Z"), "2027-06-12T19:30Z");
  t.equal(of("{{until}}"), "2027-06-12T19:30:00+02:00");
});

t.test("what is no date, or no text, is no end", async (t) => {
  for (const written of [
    "{{empty}}",
    "{{nothing}}",
    "tomorrow",
    "2027-02-30T00:00Z",
    7,
    null,
    undefined,
    {},
  ]) {
    t.equal(of(written), null, JSON.stringify(written));
  }
  t.equal(expirationDate({}, values), null);
});
