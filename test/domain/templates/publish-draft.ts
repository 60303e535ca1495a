import t from "tap";
import { archiveTemplate } from "../../../src/domain/templates/archive.ts";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { draftTemplate, publishTemplate } from "../../../src/domain/templates/publish.ts";
import { publishDraft } from "../../../src/domain/templates/publish-draft.ts";
import { reviewTemplate } from "../../../src/domain/templates/review.ts";
import { createTemplateStore } from "../../../src/redis/templates.ts";
import { openStore } from "../../support/store.ts";
import { refusalOf } from "../fixtures/refusal.ts";
import { soundDocument } from "./fixtures/authored.ts";
import { icons } from "./fixtures/png.ts";

const store = await openStore(t);
const deps = { templates: createTemplateStore(store), ids: store.ids, clock: store.clock };
const parsed = (other: object = {}) => parseTemplate({ ...soundDocument, ...other }, icons());
const newOwner = () => store.ids.uuid();
const publish = async (owner: string | null, other: object = {}) =>
  (await publishTemplate(deps, owner, parsed(other))).template;
const draft = (owner: string | null, other: object = {}) => draftTemplate(deps, owner, parsed(other));

t.test("a draft becomes the next version, with its own description, wallets and instant", async (t) => {
  const owner = newOwner();
  const first = await publish(owner);
  await draft(owner, { description: "Two", providers: ["google"], body: {} });
  store.clock.forward(60_000);
  const { template, change } = await publishDraft(deps, owner, first.id);
  t.equal(change, "published");
  t.strictSame(template, { ...first, latestVersion: 2, description: "Two", providers: ["google"] });
  t.strictSame(await deps.templates.find(owner, first.id), template);
  const version = (await deps.templates.renderable(template, 2))?.version;
  t.match(version, { createdAtMs: store.clock.nowMs(), content: { body: { primary: [] } } });
});

t.test("what was only a draft begins with version 1, under the id that it had", async (t) => {
  const owner = newOwner();
  const { id } = await draft(owner);
  t.match((await publishDraft(deps, owner, id)).template, { id, latestVersion: 1, status: "active" });
  t.match(await deps.templates.find(owner, id), { latestVersion: 1 });
});

t.test("without a draft there is nothing to publish", async (t) => {
  const owner = newOwner();
  const { id } = await publish(owner);
  const refusal = await refusalOf(() => publishDraft(deps, owner, id));
  t.match([refusal.code, refusal.detail], ["invalid_state", /«Card» has no draft to publish/]);
  t.match(await deps.templates.find(owner, id), { latestVersion: 1 });
});

t.test(
  "an archived template becomes active again, in the version that waits or in the one that it has",
  async (t) => {
    const owner = newOwner();
    const { id } = await publish(owner);
    t.match(await archiveTemplate(deps, owner, id), { template: { status: "archived" }, changed: true });
    t.match(await archiveTemplate(deps, owner, id), { template: { status: "archived" }, changed: false });
    t.match(await publishDraft(deps, owner, id), {
      template: { status: "active", latestVersion: 1 },
      change: "activated",
    });
    await archiveTemplate(deps, owner, id);
    await draft(owner);
    t.match(await publishDraft(deps, owner, id), {
      template: { status: "active", latestVersion: 2 },
      change: "published",
    });
  },
);

t.test("a draft that somebody replaces at this moment is not published unseen", async (t) => {
  const owner = newOwner();
  const { id } = await draft(owner, { description: "Seen" });
  const disturbed = {
    ...deps,
    templates: {
      ...deps.templates,
      async draftOf(template: Parameters<typeof deps.templates.draftOf>[0]) {
        const seen = await deps.templates.draftOf(template);
        await draft(owner, { description: "Unseen" });
        return seen;
      },
    },
  };
  const refusal = await refusalOf(() => publishDraft(disturbed, owner, id));
  t.match([refusal.code, refusal.detail], ["invalid_state", /changed by somebody else at this moment/]);
  t.match(await deps.templates.findOwn(owner, id), { latestVersion: 0 });
});

t.test("another owner's template is not found, and a system template is told", async (t) => {
  const [owner, stranger] = [newOwner(), newOwner()];
  const { id } = await publish(owner);
  const system = await publish(null, { name: "System" });
  for (const verb of [publishDraft, archiveTemplate]) {
    const foreign = await refusalOf(() => verb(deps, stranger, id));
    t.match([foreign.code, foreign.detail], ["not_found", `There is no template ${id}.`]);
    const shared = await refusalOf(() => verb(deps, owner, system.id));
    t.match([shared.code, shared.detail], ["not_found", /that is a system template/]);
    t.equal((await refusalOf(() => verb(deps, owner, "x:draft"))).code, "not_found");
    t.equal((await refusalOf(() => verb(deps, null, id))).code, "not_found");
  }
  t.match(await deps.templates.find(owner, id), { status: "active" });
  t.match(await deps.templates.find(null, system.id), { status: "active" });
});

t.test("a review shows what is published and what waits, each whole", async (t) => {
  const owner = newOwner();
  const { id } = await draft(owner, { description: "One" });
  t.match(await reviewTemplate(deps, owner, id), {
    id,
    status: "draft",
    latest_version: 0,
    version: null,
    draft: { template_id: id, version: 1, description: "One", fields: soundDocument.fields, barcode: null },
  });
  await publishDraft(deps, owner, id);
  t.match(await reviewTemplate(deps, owner, id), { status: "active", version: { version: 1 }, draft: null });
  await draft(owner, { description: "Two" });
  t.match(await reviewTemplate(deps, owner, id), {
    description: "One",
    version: { version: 1 },
    draft: { version: 2, description: "Two" },
  });
  const system = await publish(null, { name: "Shared" });
  t.match(await reviewTemplate(deps, owner, system.id), {
    is_system_template: true,
    version: { version: 1 },
  });
  t.equal((await refusalOf(() => reviewTemplate(deps, newOwner(), id))).code, "not_found");
  t.equal((await refusalOf(() => reviewTemplate(deps, owner, "x"))).code, "not_found");
});
