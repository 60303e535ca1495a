import t from "tap";
import { findTemplate, latestVersion } from "../../../src/domain/templates/find.ts";
import type { TemplateStore } from "../../../src/domain/templates/template.ts";
import { exampleTemplate, renderable, tenantId } from "../fixtures/examples.ts";
import { refusalOf } from "../fixtures/refusal.ts";

const asked: unknown[] = [];
const store = (answers: Partial<TemplateStore>): { templates: TemplateStore } => ({
  templates: answers as TemplateStore,
});
const present = store({
  async find(...args) {
    asked.push(args);
    return exampleTemplate;
  },
  async renderable(...args) {
    asked.push(args);
    return renderable;
  },
});
const absent = store({ find: async () => null, renderable: async () => null });

t.test("a template is looked for in the eyes of one tenant", async (t) => {
  t.equal(await findTemplate(present, tenantId, exampleTemplate.id), exampleTemplate);
  t.strictSame(asked.pop(), [tenantId, exampleTemplate.id]);
});

t.test("what the tenant cannot see is not found", async (t) => {
  const refusal = await refusalOf(() => findTemplate(absent, tenantId, exampleTemplate.id));
  t.equal(refusal.code, "not_found");
});

t.test("new passes are made with the latest version", async (t) => {
  t.equal(await latestVersion(present, exampleTemplate), renderable);
  t.strictSame(asked.pop(), [exampleTemplate, exampleTemplate.latestVersion]);
});

t.test("a latest version that is missing is our fault, not the caller's", async (t) => {
  const refusal = await refusalOf(() => latestVersion(absent, exampleTemplate));
  t.equal(refusal.kind, "bug");
});
