import t, { type Test } from "tap";
import type { Template } from "../../src/domain/templates/template.ts";
import { createTemplateStore } from "../../src/redis/templates.ts";
import { content, icon } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openStore } from "../support/store.ts";

async function opened(t: Test) {
  const store = await openStore(t);
  const template: Template = {
    id: store.ids.uuid(),
    tenantId: store.ids.uuid(),
    name: "Card",
    type: "LoyaltyCard",
    description: "As published",
    providers: ["apple", "google"],
    status: "active",
    latestVersion: 0,
    createdAtMs: 1,
  };
  const templates = createTemplateStore(store);
  const images = new Map([["icon.png", icon]]);
  const draft = (given: Partial<Template> = {}, draftedAtMs = 2) =>
    templates.keepDraft({ template: { ...template, ...given }, content, images, draftedAtMs });
  const publish = (latestVersion: number, given: Partial<Template> = {}) =>
    templates.publish({
      template: { ...template, latestVersion, ...given },
      content,
      images,
      publishedAtMs: 5,
    });
  const { tenantId, id } = template;
  const found = () => templates.findOwn(tenantId, id);
  const waiting = async () => {
    const kept = await templates.draftOf(template);
    if (kept === null) throw new Error("no draft waits");
    return kept;
  };
  return { store, template, templates, draft, publish, found, waiting };
}

t.test("what is only a draft is an operator's to see, and nobody else's", async (t) => {
  const { template, templates, draft, found, waiting } = await opened(t);
  const { tenantId, id, name } = template;
  t.ok(await draft({ description: "Soon" }));
  t.strictSame(await found(), { ...template, description: "Soon", draftedAtMs: 2 });
  t.strictSame(await templates.findByName(tenantId, name), await found());
  t.strictSame((await templates.listOwn(tenantId, { page: 1, pageSize: 10 })).items, [await found()]);
  t.match(await waiting(), { description: "Soon", providers: ["apple", "google"], content, draftedAtMs: 2 });
  t.equal(await templates.find(tenantId, id), null);
  t.equal((await templates.list(tenantId, {}, { page: 1, pageSize: 10 })).total, 0);
  t.equal(await templates.renderable(template, 0), null);
});

t.test("a draft beside a published version changes nothing of it", async (t) => {
  const { store, template, templates, draft, publish, found } = await opened(t);
  await publish(1);
  const before = await templates.find(template.tenantId, template.id);
  t.ok(await draft({ latestVersion: 1, description: "Soon", providers: ["google"], name: "Card" }));
  const elsewhere = createTemplateStore(await store.another());
  t.strictSame(await templates.find(template.tenantId, template.id), before);
  t.strictSame(await found(), { ...before, draftedAtMs: 2 });
  t.strictSame(await elsewhere.find(template.tenantId, template.id), before, "in another process too");
});

t.test("a published draft is the next version, with the images that came with it", async (t) => {
  const { store, template, templates, draft, found, waiting } = await opened(t);
  await draft();
  const kept = await waiting();
  const next = { ...template, latestVersion: 1, description: "Out" };
  t.ok(await templates.publishDraft({ template: next, draft: kept, publishedAtMs: 9 }));
  t.strictSame(await found(), { ...next, draftedAtMs: null });
  t.equal(await templates.draftOf(template), null);
  const elsewhere = createTemplateStore(await store.another());
  const drawn = await elsewhere.renderable(next, 1);
  t.match(drawn?.version, { version: 1, createdAtMs: 9, content });
  t.strictSame([...(drawn?.images ?? [])], [["icon.png", icon]]);
});

t.test(
  "a later draft takes the place of an earlier one, and the earlier one can no more be published",
  async (t) => {
    const { store, template, templates, draft, waiting } = await opened(t);
    await draft({ description: "First" });
    const first = await waiting();
    await draft({ description: "Second" }, 3);
    t.match(await waiting(), { description: "Second", draftedAtMs: 3 });
    const before = await keySpace(store);
    const publication = { template: { ...template, latestVersion: 1 }, draft: first, publishedAtMs: 9 };
    t.notOk(await templates.publishDraft(publication));
    t.strictSame(await keySpace(store), before, "nothing is written");
  },
);

t.test("an import that publishes takes a waiting draft with it", async (t) => {
  const { template, templates, draft, publish, found, waiting } = await opened(t);
  await draft();
  const kept = await waiting();
  t.ok(await publish(1));
  t.match(await found(), { latestVersion: 1, draftedAtMs: null });
  t.equal(await templates.draftOf(template), null);
  const next = { ...template, latestVersion: 2 };
  t.notOk(await templates.publishDraft({ template: next, draft: kept, publishedAtMs: 9 }));
});

t.test("a draft that comes too late, or takes another's name, writes nothing", async (t) => {
  const { store, draft, publish } = await opened(t);
  await publish(1);
  const before = await keySpace(store);
  t.notOk(await draft(), "something was published meanwhile");
  t.notOk(await draft({ latestVersion: 2 }));
  t.notOk(await draft({ id: store.ids.uuid() }), "the name belongs to another template");
  t.strictSame(await keySpace(store), before);
});

t.test("of processes that publish a draft at the same time one does", async (t) => {
  const { store, template, draft, found, waiting } = await opened(t);
  await draft();
  const kept = await waiting();
  const rivals = await Promise.all(
    Array.from({ length: 5 }, async () => createTemplateStore(await store.another())),
  );
  const next = { ...template, latestVersion: 1 };
  const answers = await Promise.all(
    rivals.map((rival) => rival.publishDraft({ template: next, draft: kept, publishedAtMs: 9 })),
  );
  t.equal(answers.filter((published) => published).length, 1);
  t.match(await found(), { latestVersion: 1, draftedAtMs: null });
});

t.test("a status is changed once, and only where there is a template", async (t) => {
  const { store, template, templates, publish, found } = await opened(t);
  const { tenantId, id } = template;
  await publish(1);
  t.match(await templates.find(tenantId, id), { status: "active" });
  t.equal(await templates.setStatus(tenantId, id, "archived"), "changed");
  t.match(await templates.find(tenantId, id), { status: "archived" }, "at once where it was changed");
  t.equal(await templates.setStatus(tenantId, id, "archived"), "same");
  t.equal(await templates.setStatus(tenantId, id, "active"), "changed");
  t.match(await found(), { status: "active", latestVersion: 1 });
  const before = await keySpace(store);
  t.equal(await templates.setStatus(null, id, "archived"), "gone");
  t.strictSame(await keySpace(store), before);
});
