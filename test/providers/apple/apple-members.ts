import t from "tap";
import {
  type JsonObject,
  mergeObjects,
  renderedMembers,
} from "../../../src/providers/apple/apple-members.ts";

const values = new Map([
  ["gate", "B12"],
  ["starts", "2031-04-06T07:08:00Z"],
  ["empty", ""],
]);
const merged = (pass: JsonObject, apple: JsonObject, given: ReadonlyMap<string, string> = values) =>
  mergeObjects(pass, renderedMembers(apple, given));

t.test("members unknown to us survive as they are", async (t) => {
  const apple = {
    futureMember: { deep: [1, 2.5, true, "text", { nested: [] }, null] },
    locations: [{ latitude: 60.17, longitude: 24.94, relevantText: "Hi" }],
    sharingProhibited: false,
    maxDistance: 0,
    empty: "",
  };
  t.strictSame(merged({ formatVersion: 1 }, apple), { formatVersion: 1, ...apple });
});

t.test("objects merge, scalars and other lists replace, null removes", async (t) => {
  t.strictSame(
    merged(
      {
        description: "a",
        associatedStoreIdentifiers: [1],
        future: { message: "m", keep: 1 },
        logoText: "x",
        list: [1, 2],
      },
      {
        description: "b",
        associatedStoreIdentifiers: [2],
        future: { message: "n" },
        logoText: null,
        list: [3],
      },
    ),
    { description: "b", associatedStoreIdentifiers: [2], future: { message: "n", keep: 1 }, list: [3] },
  );
  t.strictSame(merged({ a: { b: 1 } }, { a: [1] }), { a: [1] });
  t.strictSame(merged({ a: "s" }, { a: { b: 1 } }), { a: { b: 1 } });
});

t.test("lists of fields merge by key, in the order of the pass, new ones at the end", async (t) => {
  const pass = {
    coupon: {
      primaryFields: [
        { key: "offer", label: "Offer", value: "10 %" },
        { key: "until", label: "Until", value: "May" },
      ],
    },
  };
  const apple = {
    coupon: {
      primaryFields: [
        { key: "extra", value: "+" },
        { key: "until", label: "Valid until", dateStyle: "PKDateStyleShort" },
      ],
      auxiliaryFields: [{ key: "gate", value: "{{gate}}" }],
    },
  };
  t.strictSame(merged(pass, apple), {
    coupon: {
      primaryFields: [
        { key: "offer", label: "Offer", value: "10 %" },
        { key: "until", label: "Valid until", value: "May", dateStyle: "PKDateStyleShort" },
        { key: "extra", value: "+" },
      ],
      auxiliaryFields: [{ key: "gate", value: "B12" }],
    },
  });
  t.strictSame(pass.coupon.primaryFields.length, 2, "what was given is untouched");
});

t.test("tokens are replaced in strings at any depth, and inserted text is not scanned again", async (t) => {
  const apple = {
    relevantDates: [{ date: "{{starts}}" }],
    userInfo: { a: ["Gate {{gate}}", ["{{gate}}{{nobody}}"]] },
  };
  t.strictSame(merged({}, apple), {
    relevantDates: [{ date: "2031-04-06T07:08:00Z" }],
    userInfo: { a: ["Gate B12", ["B12"]] },
  });
  const tricky = new Map([
    ["a", "{{b}}"],
    ["b", "no"],
  ]);
  t.strictSame(merged({}, { userInfo: { a: "{{a}}" } }, tricky), { userInfo: { a: "{{b}}" } });
});

t.test("a member that was only tokens without a value is left out, save a field's value", async (t) => {
  t.strictSame(
    merged(
      { generic: {} },
      {
        expirationDate: "{{empty}}",
        relevantDate: "{{nobody}}",
        generic: { backFields: [{ key: "a", value: "{{empty}}", attributedValue: "{{empty}}" }] },
      },
    ),
    { generic: { backFields: [{ key: "a", value: "" }] } },
  );
});

t.test("the members that make a pass ours cannot be overridden or removed", async (t) => {
  const ours = {
    formatVersion: 1,
    passTypeIdentifier: "pass.a",
    teamIdentifier: "T",
    serialNumber: "s",
    authenticationToken: "t",
    webServiceURL: "https://a.example",
  };
  const theirs = Object.fromEntries(Object.keys(ours).map((member) => [member, "{{gate}}"]));
  t.strictSame(merged(ours, theirs), ours);
  t.strictSame(merged(ours, Object.fromEntries(Object.keys(ours).map((member) => [member, null]))), ours);
  t.strictSame(merged(ours, { userInfo: { serialNumber: "x" } }), {
    ...ours,
    userInfo: { serialNumber: "x" },
  });
});

t.test("__proto__ and constructor are names like others: no prototype is touched", async (t) => {
  const apple = JSON.parse(
    '{"__proto__":{"polluted":1},"userInfo":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}}',
  );
  const result = merged({ userInfo: { a: 1 } }, apple);
  t.equal(JSON.stringify(result), '{"userInfo":{"a":1,"constructor":{"prototype":{"polluted":1}}}}');
  t.notOk("polluted" in {});
  t.equal(Object.getPrototypeOf(result), Object.prototype);
  t.equal(JSON.stringify(merged({}, { toString: "x" })), '{"toString":"x"}');
});
