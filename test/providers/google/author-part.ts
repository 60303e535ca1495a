import t from "tap";
import {
  authorPart,
  composePatches,
  patchedFromNothing,
  renderAll,
} from "../../../src/providers/google/author-part.ts";

t.test("what is no object counts as nothing written", async (t) => {
  t.strictSame(authorPart({ google: { class: { a: 1 }, object: ["x"] } }, "class"), { a: 1 });
  t.strictSame(authorPart({ google: { class: { a: 1 }, object: ["x"] } }, "object"), {});
  t.strictSame(authorPart({}, "object"), {});
});

t.test("tokens are replaced in every string, and nothing else changes", async (t) => {
  const values = new Map([["name", "Ada {{name}}"]]);
  t.strictSame(renderAll({ a: ["{{name}}", 7, null, { b: "x {{none}}" }], c: true }, values), {
    a: ["Ada {{name}}", 7, null, { b: "x " }],
    c: true,
  });
});

t.test("composed patches merge objects by member, replace arrays, and keep nulls", async (t) => {
  const first = { a: { b: 1, c: null }, list: [1, 2], gone: "x" };
  const second = { a: { b: 2, d: 3 }, list: [3], gone: null };
  t.strictSame(composePatches(first, second), { a: { b: 2, c: null, d: 3 }, list: [3], gone: null });
});

t.test("a member named __proto__ stays a member", async (t) => {
  const patch = JSON.parse('{"__proto__": {"polluted": "{{x}}"}}');
  const composed = composePatches({ a: 1 }, renderAll(patch, new Map([["x", "yes"]])));
  t.equal(
    JSON.stringify(patchedFromNothing(composed as Record<string, unknown>)),
    '{"a":1,"__proto__":{"polluted":"yes"}}',
  );
  t.notOk("polluted" in {});
});

t.test(
  "a patch of nothing is the patch without its nulls, as the examples of RFC 7396 have it",
  async (t) => {
    t.strictSame(patchedFromNothing({ a: { bb: { ccc: null } } }), { a: { bb: {} } });
    t.strictSame(patchedFromNothing({ e: null, a: 1, list: [null] }), { a: 1, list: [null] });
  },
);
