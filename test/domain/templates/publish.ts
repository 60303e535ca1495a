import t from "tap";
import { parseTemplate } from "../../../src/domain/templates/parse.ts";
import { draftTemplate, installTemplate, publishTemplate } from "../../../src/domain/templates/publish.ts";
import { createTemplateStore } from "../../../src/redis/templates.ts";
import { openStore } from "../../support/store.ts";
import { refusalOf } from "../fixtures/refusal.ts";
import { soundDocument } from "./fixtures/authored.ts";
import { icons } from "./fixtures/png.ts";

const store = await openStore(t);
const deps = { templates: createTemplateStore(store), ids: store.ids, clock: store.clock };
const parsed = (other: object = {}) => parseTemplate({ ...soundDocument, ...other }, icons());
const publish = async (owner: string | null, other: object = {}) =>
  (await publishTemplate(deps, owner, parsed(other))).template;
const draft = (owner: string | null, other: object = {}) => draftTemplate(deps, owner, parsed(other));
const byName = (owner: string | null) => deps.templates.findByName(owner, "Card");
const newOwner = () => store.ids.uuid();

t.test(
  "a new name becomes a template with version 1, and the same name the next version of it",
  async (t) => {
    const owner = newOwner();
    const first = await publish(owner, { description: "One" });
    t.match(first, {
      tenantId: owner,
      latestVersion: 1,
      status: "active",
      createdAtMs: store.clock.nowMs(),
    });
    store.clock.forward(1000);
    const second = await publish(owner, { description: "Two", providers: ["google"] });
    t.strictSame(second, { ...first, latestVersion: 2, description: "Two", providers: ["google"] });
    const [one, two] = await Promise.all([1, 2].map((version) => deps.templates.renderable(second, version)));
    t.equal(
      (two?.version.createdAtMs ?? 0) - (one?.version.createdAtMs ?? 0),
      1000,
      "each has its own instant",
    );
  },
);

t.test("the same name of another owner is another template", async (t) => {
  const made = [await publish(newOwner()), await publish(newOwner()), await publish(null)];
  t.equal(new Set(made.map(({ id }) => id)).size, 3);
  t.strictSame(
    made.map(({ latestVersion }) => latestVersion),
    [1, 1, 1],
  );
});

t.test("a template that was published keeps its type", async (t) => {
  const owner = newOwner();
  await publish(owner);
  for (const change of [publish, draft]) {
    const refusal = await refusalOf(() => change(owner, { template_type: "Coupon" }));
    t.equal(refusal.code, "invalid_template");
    t.match(refusal.detail, /«Card» exists with the type LoyaltyCard/);
  }
  t.match(await byName(owner), { type: "LoyaltyCard", latestVersion: 1, draftedAtMs: null });
});

t.test("what was only a draft may still become of another type", async (t) => {
  const owner = newOwner();
  const first = await draft(owner);
  t.match(await draft(owner, { template_type: "Coupon" }), {
    id: first.id,
    type: "Coupon",
    latestVersion: 0,
  });
  t.match(await publish(owner, { template_type: "GiftCard" }), {
    id: first.id,
    type: "GiftCard",
    latestVersion: 1,
  });
});

t.test("a draft waits beside what is published, and is dropped by what is published after it", async (t) => {
  const owner = newOwner();
  const published = await publish(owner, { description: "One" });
  const drafted = await draft(owner, { description: "Two" });
  t.strictSame(drafted, { ...published, draftedAtMs: store.clock.nowMs() });
  t.match(await deps.templates.draftOf(published), { description: "Two" });
  const { template, droppedDraft } = await publishTemplate(deps, owner, parsed({ description: "Three" }));
  t.match([template, droppedDraft], [{ latestVersion: 2, description: "Three" }, true]);
  t.match(await byName(owner), { latestVersion: 2, draftedAtMs: null });
  t.equal((await publishTemplate(deps, owner, parsed())).droppedDraft, false);
});

t.test("an import makes an archived template active again, a draft does not", async (t) => {
  const owner = newOwner();
  const { id } = await publish(owner);
  await deps.templates.setStatus(owner, id, "archived");
  await draft(owner);
  t.match(await byName(owner), { status: "archived", latestVersion: 1 });
  await publish(owner);
  t.match(await byName(owner), { status: "active", latestVersion: 2 });
});

t.test("of processes that import at the same moment each gets a version of its own", async (t) => {
  const owner = newOwner();
  const processes = await Promise.all(
    Array.from({ length: 8 }, async () => ({
      ...deps,
      templates: createTemplateStore(await store.another()),
    })),
  );
  const made = await Promise.all(
    processes.map((each, number) => publishTemplate(each, owner, parsed({ description: `by ${number}` }))),
  );
  t.strictSame(made.map(({ template }) => template.latestVersion).sort(), [1, 2, 3, 4, 5, 6, 7, 8]);
  t.equal(new Set(made.map(({ template }) => template.id)).size, 1);
  t.equal((await deps.templates.listOwn(owner, { page: 1, pageSize: 10 })).total, 1);
  const last = made.find(({ template }) => template.latestVersion === 8)?.template;
  t.match(await byName(owner), { latestVersion: 8, description: last?.description });
});

t.test("of processes that draft a new template at the same moment the last one's draft waits", async (t) => {
  const owner = newOwner();
  const processes = await Promise.all(
    Array.from({ length: 5 }, async () => ({
      ...deps,
      templates: createTemplateStore(await store.another()),
    })),
  );
  const made = await Promise.all(
    processes.map((each, number) => draftTemplate(each, owner, parsed({ description: `by ${number}` }))),
  );
  t.equal(new Set(made.map(({ id }) => id)).size, 1);
  const template = await byName(owner);
  const waiting = template && (await deps.templates.draftOf(template));
  t.match(waiting?.description, /^by \d$/);
  t.equal(template?.description, waiting?.description, "record and draft are of the same import");
});

t.test("who is disturbed all the time is told in the end", async (t) => {
  let tries = 0;
  const disturbed = {
    ...deps,
    templates: {
      ...deps.templates,
      async publish() {
        tries += 1;
        return false;
      },
    },
  };
  const refusal = await refusalOf(() => publishTemplate(disturbed, newOwner(), parsed()));
  t.match([refusal.code, refusal.detail], ["invalid_state", /«Card» is changed by others all the time/]);
  t.equal(tries, 20);
});

t.test("what ships is installed once, by whoever starts first", async (t) => {
  const owner = newOwner();
  const answers = await Promise.all([1, 2, 3].map(() => installTemplate(deps, owner, parsed())));
  t.equal(answers.filter((installed) => installed).length, 1);
  t.equal(await installTemplate(deps, owner, parsed()), false);
  t.match(await byName(owner), { latestVersion: 1 });
});
