import { createHash } from "node:crypto";
import t from "tap";
import { createTemplateImages } from "../../../src/providers/google/template-images.ts";
import { sampleTemplate } from "./fixtures/sample-pass.ts";

const files = (...names: string[]) => new Map(names.map((name) => [name, Buffer.from(name)]));
const hash = (name: string) => createHash("sha256").update(name).digest("hex");
const imagesOf = (...names: string[]) =>
  createTemplateImages((_owner, sha256) => sha256)(
    sampleTemplate("Generic", {}, { images: files(...names) }),
  );
const uris = (images: ReturnType<typeof imagesOf>) =>
  Object.fromEntries(Object.entries(images).map(([slot, image]) => [slot, image.sourceUri.uri]));

t.test("each slot takes the largest scale of its file, and no localised one", async (t) => {
  const names = ["icon.png", "icon@3x.png", "icon@2x.png", "logo.png", "logo@2x.png", "it.lproj/logo@3x.png"];
  t.strictSame(uris(imagesOf(...names)), { logo: hash("icon@3x.png"), wideLogo: hash("logo@2x.png") });
});

t.test("the logo stands in for a missing icon, and the strip for a missing hero", async (t) => {
  t.strictSame(uris(imagesOf("logo.png", "strip@2x.png")), {
    logo: hash("logo.png"),
    wideLogo: hash("logo.png"),
    hero: hash("strip@2x.png"),
  });
  t.equal(uris(imagesOf("strip@3x.png", "hero.png")).hero, hash("hero.png"));
  t.strictSame(imagesOf(), {});
});

t.test("the address knows whose template it is", async (t) => {
  const images = createTemplateImages((owner) => String(owner));
  const system = sampleTemplate();
  t.equal(images(system).logo?.sourceUri.uri, "null");
  const version = { ...system.version, templateId: "another" };
  const own = { ...system, version, template: { ...system.template, tenantId: "t1" } };
  t.equal(images(own).logo?.sourceUri.uri, "t1");
});

t.test("a version is hashed once, the next one anew", async (t) => {
  let asked = 0;
  const images = createTemplateImages((_owner, sha256) => `${asked++}${sha256}`);
  const first = images(sampleTemplate("Generic", {}, { version: 1 }));
  t.equal(images(sampleTemplate("Generic", {}, { version: 1 })), first);
  t.equal(asked, 3);
  images(sampleTemplate("Generic", {}, { version: 2 }));
  t.equal(asked, 6);
});
