import t from "tap";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { violationsOf } from "../fixtures/refusal.ts";

// A template that parses must be one that passes can be made of: nothing in it that POST /passes refuses.

const icon = new Map([["icon.png", new Uint8Array([1])]]);
const template = (field: object, other: object = {}): object => ({
  name: "Card",
  template_type: "Generic",
  fields: [{ key: "points", label: "Points", kind: "Static", default: "0", ...field }],
  header: {
    organization_name: "Kettle & Wren",
    description: "Card",
    background_color: "#102030",
    foreground_color: "#ffffff",
    label_color: "#000000",
  },
  body: {},
  ...other,
});
const pathsOf = async (document: object): Promise<string[]> =>
  (await violationsOf(() => parseTemplate(document, icon))).map((told) => told.split(" ", 1)[0] ?? "");

t.test(
  "a default that is longer than its field allows is refused: the sample would not be accepted",
  async (t) => {
    t.strictSame(await pathsOf(template({ default: "12345", max_length: 4 })), ["/fields/0/default"]);
    t.ok(parseTemplate(template({ default: "🎟🎟🎟🎟", max_length: 4 }), icon), "counted in code points");
  },
);

t.test("a field cannot be called __proto__, since no pass could be given its value", async (t) => {
  const document = JSON.parse('{"key":"__proto__","label":"","kind":"Placeholder"}');
  t.strictSame(await pathsOf(template(document)), ["/fields/0/key"]);
});

t.test(
  "the path of an unknown member is a JSON pointer (RFC 6901), whatever the member is called",
  async (t) => {
    t.strictSame(await pathsOf(template({}, { "a/b~c": 1 })), ["/a~1b~0c"]);
  },
);

t.test("members called __proto__ are unknown members", async (t) => {
  const document = { ...template({}), ...JSON.parse('{"body":{"__proto__":["points"]}}') };
  t.strictSame(await pathsOf(document), ["/body/__proto__"]);
});
