import t from "tap";
import { changesBetween, faceOf } from "../../../src/sandbox/iphone/face.ts";

const face = (fields: object[], more: object = {}) =>
  faceOf({ organizationName: "Acme", generic: { primaryFields: fields }, ...more }, "generic");
const points = (value: unknown, changeMessage?: string) =>
  face([{ key: "points", label: "Points", value, changeMessage }]);

t.test("a change of a field that says so is on the lock screen, with the new value", async (t) => {
  const [change] = changesBetween(points("1"), points("2", "Now %@ points, 100%%"));
  t.strictSame(change, { key: "points", label: "Points", from: "1", to: "2", text: "Now 2 points, 100%" });
});

t.test("a field that says nothing, or did not change, is not", async (t) => {
  t.match(changesBetween(points("1"), points("2")), [{ text: null }]);
  t.strictSame(changesBetween(points("1", "%@"), points("1", "now %@")), []);
});

t.test("without a place for the value Wallet tells in general words", async (t) => {
  t.match(changesBetween(points("1"), points("2", "New points")), [{ text: "Acme: the pass has changed." }]);
});

t.test("a field that came, and one that went, have changed", async (t) => {
  t.match(changesBetween(face([]), points("2", "%@")), [{ from: null, to: "2", text: "2" }]);
  t.match(changesBetween(points("2", "%@"), face([])), [{ from: "2", to: null, text: null }]);
});

t.test("numbers and instants are shown in their style, and as they stand where that is none", async (t) => {
  const value = (field: object) => face([{ key: "a", ...field }]).front[0]?.value;
  t.equal(value({ value: 9.5, currencyCode: "EUR" }), "€9.50");
  t.equal(value({ value: 0.25, numberStyle: "PKNumberStylePercent" }), "25%");
  t.equal(value({ value: "2027-01-02T03:04:05Z", dateStyle: "PKDateStyleShort" }), "2027-01-02 03:04 UTC");
  t.equal(value({ value: 9.5, currencyCode: "nonsense" }), "9.5");
  t.equal(value({ value: "soon", dateStyle: "PKDateStyleShort" }), "soon");
  t.equal(value({ value: { odd: true } }), "");
});

t.test("whatever stands where fields should be does no harm", async (t) => {
  for (const generic of [null, [], "x", { primaryFields: "x", backFields: [null, 1, "y"] }]) {
    t.doesNotThrow(() => faceOf({ generic, barcodes: [null], barcode: 7 }, "generic"));
  }
  t.equal(face(Array.from({ length: 1000 }, (_, key) => ({ key: String(key) }))).front.length, 200);
});
