import t from "tap";
import { templateDetail, templateItem, templateSnapshot } from "../../../src/domain/templates/resource.ts";
import { intents } from "../../../src/domain/templates/template.ts";
import { content, exampleTemplate, instant, renderable } from "../fixtures/examples.ts";

const item = {
  id: exampleTemplate.id,
  tenant_id: exampleTemplate.tenantId,
  name: "Card",
  template_type: "LoyaltyCard",
  intent: "loyalty_card",
  status: "active",
  latest_version: 3,
  is_system_template: false,
  created_at: instant,
};

t.test("a list item has the documented members and no others", async (t) => {
  t.strictSame(templateItem(exampleTemplate), item);
});

t.test("a system template has no tenant", async (t) => {
  t.strictSame(templateItem({ ...exampleTemplate, tenantId: null }), {
    ...item,
    tenant_id: null,
    is_system_template: true,
  });
});

t.test("the detail adds description and providers", async (t) => {
  t.strictSame(templateDetail(exampleTemplate), {
    ...item,
    description: "Points",
    providers: ["apple", "google"],
  });
});

t.test("a snapshot is the frozen content under its template, version and instant", async (t) => {
  t.strictSame(templateSnapshot(renderable), {
    template_id: exampleTemplate.id,
    version: 3,
    created_at: instant,
    ...content,
  });
});

t.test("the intent is the type in snake_case", async (t) => {
  for (const [type, intent] of Object.entries(intents)) {
    t.equal(intent, type.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase());
  }
  t.equal(Object.keys(intents).length, 7);
});
