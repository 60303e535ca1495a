import t from "tap";
import { dataViolations } from "../../../src/domain/passes/validate-data.ts";
import { samplePass } from "../../../src/domain/templates/sample.ts";
import { content, exampleTemplate, renderable } from "../fixtures/examples.ts";
import { refusalOf } from "../fixtures/refusal.ts";

t.test(
  "a sample has the body of POST /passes: defaults of Static fields, tokens for Placeholders",
  async (t) => {
    t.strictSame(samplePass(renderable), {
      template_id: exampleTemplate.id,
      intent: "loyalty_card",
      external_ref: "{{external_ref}}",
      data: { member: "{{member}}", points: "{{points}}", terms: "None" },
    });
  },
);

t.test("a sample is accepted as soon as its tokens are replaced", async (t) => {
  const { data } = samplePass(renderable);
  const filled = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, value.replace(/^\{\{.*\}\}$/, "x")]),
  );
  t.strictSame(dataViolations(content, filled), []);
});

t.test("fields that are called like inherited members are in the sample", async (t) => {
  const fields = ["constructor", "toString"].map((key) => ({ key, label: "", kind: "Placeholder" as const }));
  const version = { ...renderable.version, content: { ...content, fields } };
  t.strictSame(samplePass({ ...renderable, version }).data, {
    constructor: "{{constructor}}",
    toString: "{{toString}}",
  });
});

t.test("an archived template has no sample", async (t) => {
  const archived = { ...renderable, template: { ...exampleTemplate, status: "archived" as const } };
  t.equal((await refusalOf(() => samplePass(archived))).code, "invalid_template");
});
