import t, { type Test } from "tap";
import type { Template } from "../../src/domain/templates/template.ts";
import { createTemplateStore } from "../../src/redis/templates.ts";
import { content, icon } from "../support/issuer.ts";
import { keySpace } from "../support/key-space.ts";
import { openStore } from "../support/store.ts";

async function opened(t: Test) {
  const store = await openStore(t);
  const template = (given: Partial<Template> = {}): Template => ({
    id: store.ids.uuid(),
    tenantId: store.ids.uuid(),
    name: "Card",
    type: "LoyaltyCard",
    description: null,
    providers: ["apple", "google"],
    status: "active",
    latestVersion: 1,
    createdAtMs: store.clock.nowMs(),
    ...given,
  });
  const templates = createTemplateStore(store);
  const publish = (one: Template, images: ReadonlyMap<string, Uint8Array> = new Map(), through = templates) =>
    through.publish({ template: one, content, images, publishedAtMs: store.clock.nowMs() });
  return { store, template, templates, publish };
}

t.test("a template is read as it was published, found by id and by name", async (t) => {
  const { template, templates, publish } = await opened(t);
  const variants: Partial<Template>[] = [
    {},
    { description: "Für alle | und 🎟", providers: ["google"] },
    { description: "", name: "Karte «2»" },
    { tenantId: null, type: "BoardingPass", status: "archived" },
  ];
  for (const variant of variants) {
    const written = template(variant);
    t.ok(await publish(written));
    t.strictSame(await templates.find(written.tenantId, written.id), written);
    const authored = { ...written, draftedAtMs: null };
    t.strictSame(await templates.findByName(written.tenantId, written.name), authored);
    t.strictSame(await templates.findOwn(written.tenantId, written.id), authored);
  }
});

t.test("a version is drawn with the bytes of its images", async (t) => {
  const { store, template, templates, publish } = await opened(t);
  const written = template();
  const images = new Map([
    ["icon.png", icon],
    ["it.lproj/logo.png", Buffer.from([1, 2, 3])],
    ["logo.png", icon],
  ]);
  await publish(written, images);
  // Another process: nothing is remembered there.
  const elsewhere = createTemplateStore(await store.another());
  for (const reader of [elsewhere, templates]) {
    const drawn = await reader.renderable(written, 1);
    t.strictSame(drawn?.version, {
      templateId: written.id,
      version: 1,
      createdAtMs: store.clock.nowMs(),
      content,
    });
    t.strictSame([...(drawn?.images ?? [])], [...images]);
  }
  t.equal(await templates.renderable(written, 2), null);
});

t.test("equal images are stored once for a tenant, and served by their SHA-256", async (t) => {
  const { store, template, templates, publish } = await opened(t);
  const written = template();
  await publish(
    written,
    new Map([
      ["icon.png", icon],
      ["logo.png", icon],
    ]),
  );
  const stored = await store.connection.keys(`${store.keys.prefix}:*:image:*`);
  t.equal(stored.length, 1);
  const sha256 = stored[0]?.split(":").at(-1) ?? "";
  t.strictSame(await templates.image(written.tenantId, sha256), icon);
  t.equal(await templates.image(store.ids.uuid(), sha256), null, "not to another tenant");
  t.equal(await templates.image(null, sha256), null);
});

t.test("bytes that are no Buffer are stored as they are, too", async (t) => {
  const { template, templates, publish } = await opened(t);
  const written = template();
  await publish(written, new Map([["icon.png", new Uint8Array(icon)]]));
  t.strictSame((await templates.renderable(written, 1))?.images.get("icon.png"), icon);
});

t.test("of processes that publish the next version at the same time one does", async (t) => {
  const { store, template, templates, publish } = await opened(t);
  const first = template();
  await publish(first);
  const rivals = await Promise.all(
    Array.from({ length: 5 }, async () => createTemplateStore(await store.another())),
  );
  const answers = await Promise.all(
    rivals.map((rival, number) =>
      publish({ ...first, latestVersion: 2, description: `by ${number}` }, new Map(), rival),
    ),
  );
  t.equal(answers.filter((published) => published).length, 1);
  t.match(await templates.find(first.tenantId, first.id), {
    latestVersion: 2,
    description: `by ${answers.indexOf(true)}`,
  });
});

t.test("a publication that comes too late, or takes another's name, writes nothing", async (t) => {
  const { store, template, templates, publish } = await opened(t);
  const first = template();
  await publish(first);
  const before = await keySpace(store);
  t.notOk(await publish(first, new Map([["icon.png", icon]])), "the version exists");
  t.notOk(await publish({ ...first, latestVersion: 3 }), "a version is missing in between");
  t.notOk(await publish({ ...template(), tenantId: first.tenantId }), "the name belongs to another template");
  t.strictSame(await keySpace(store), before);
  t.ok(await publish(template()), "another tenant may use the name");
  t.strictSame(await templates.find(first.tenantId, first.id), first);
});

t.test("what an earlier version had and the next one has not does not stay", async (t) => {
  const { template, templates, publish } = await opened(t);
  const first = template({ description: "long" });
  await publish(first);
  const second = { ...first, latestVersion: 2, description: null };
  await publish(second);
  t.strictSame(await templates.find(first.tenantId, first.id), second);
  t.ok(await templates.renderable(second, 1), "the earlier version can still be drawn");
});

t.test("a tenant sees its own templates and the system's, newest first", async (t) => {
  const { store, template, templates, publish } = await opened(t);
  const tenantId = store.ids.uuid();
  const at = (createdAtMs: number, given: Partial<Template>) => template({ createdAtMs, ...given });
  const own = at(2, { tenantId, name: "Own" });
  const archived = at(3, { tenantId, name: "Old", status: "archived", type: "Coupon" });
  const system = at(1, { tenantId: null, name: "System" });
  const foreign = at(4, { name: "Foreign" });
  for (const one of [own, archived, system, foreign]) await publish(one);
  const list = async (owner: string | null, filter = {}, page = 1, pageSize = 10) => {
    const { items, total } = await templates.list(owner, filter, { page, pageSize });
    return [items.map(({ name }) => name), total];
  };
  t.strictSame(await list(tenantId), [["Old", "Own", "System"], 3]);
  t.strictSame(await list(tenantId, {}, 2, 2), [["System"], 3]);
  t.strictSame(await list(tenantId, { status: "active" }), [["Own", "System"], 2]);
  t.strictSame(await list(tenantId, { type: "Coupon" }), [["Old"], 1]);
  t.strictSame(await list(null), [["System"], 1]);
  t.equal(await templates.find(tenantId, foreign.id), null);
  t.equal(await templates.find(null, own.id), null);
  t.strictSame(await templates.find(tenantId, system.id), system);
});
