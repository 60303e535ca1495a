import t from "tap";
import type { TemplateBody, TemplateField } from "../../../src/domain/templates/template.ts";
import { cardRows, textModules } from "../../../src/providers/google/text-modules.ts";

const empty: TemplateBody = { header: [], primary: [], secondary: [], auxiliary: [], back: [] };
const field = (key: string, label = key.toUpperCase()): TemplateField => ({
  key,
  label,
  kind: "Placeholder",
});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);

t.test(
  "values come in the order of the groups, without those used elsewhere and the empty ones",
  async (t) => {
    const content = {
      fields: [field("back"), field("main"), field("top"), field("void"), field("plain", "")],
      body: {
        ...empty,
        header: ["top"],
        primary: ["main"],
        secondary: ["void", "missing"],
        back: ["plain", "back", "top"],
      },
    };
    const values = new Map([
      ["back", "4"],
      ["main", "1"],
      ["top", "0"],
      ["void", ""],
      ["plain", "3"],
    ]);
    t.strictSame(textModules(content, values, new Set(["main"])), [
      { id: "top", header: "TOP", body: "0" },
      { id: "plain", body: "3" },
      { id: "back", header: "BACK", body: "4" },
    ]);
  },
);

t.test("Google shows ten, so ten are sent", async (t) => {
  const keys = numbered(12);
  const content = { fields: keys.map((key) => field(key)), body: { ...empty, back: keys } };
  const modules = textModules(content, new Map(keys.map((key) => [key, key])), new Set());
  t.strictSame(
    modules.map(({ id }) => id),
    keys.slice(0, 10),
  );
});

t.test("ids hold no dots, and stay different", async (t) => {
  const keys = ["a.b", "a_b", "a-b"];
  const content = { fields: keys.map((key) => field(key)), body: { ...empty, back: keys } };
  const ids = textModules(content, new Map(keys.map((key) => [key, key])), new Set()).map(({ id }) => id);
  t.strictSame(ids, ["a_b", "a_b-2", "a-b"]);
});

t.test("each group is a row of up to three fields", async (t) => {
  const keys = numbered(7);
  const body = { ...empty, header: ["f0"], secondary: ["f1", "f2"], auxiliary: ["f3", "f4", "f5", "f6"] };
  const path = (key: string) => ({
    firstValue: { fields: [{ fieldPath: `object.textModulesData['${key}']` }] },
  });
  t.strictSame(cardRows({ fields: keys.map((key) => field(key)), body }), {
    cardTemplateOverride: {
      cardRowTemplateInfos: [
        { oneItem: { item: path("f0") } },
        { twoItems: { startItem: path("f1"), endItem: path("f2") } },
        { threeItems: { startItem: path("f3"), middleItem: path("f4"), endItem: path("f5") } },
      ],
    },
  });
  t.equal(cardRows({ fields: [], body: empty }), undefined);
});
