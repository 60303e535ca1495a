import { createHash } from "node:crypto";
import t from "tap";
import { createImagePath } from "../../src/http/image-address.ts";
import { renderable } from "../domain/fixtures/examples.ts";

const bytes = new Uint8Array([1, 2, 3]);
const sha256 = createHash("sha256").update(bytes).digest("hex");
const images = new Map([["icon.png", bytes]]);
const { template } = renderable;

t.test("an image's path is its owner's and its content's", async (t) => {
  const imagePath = createImagePath();
  t.equal(imagePath({ ...renderable, images }, "icon.png"), `/images/${template.tenantId}/${sha256}.png`);
  const system = { ...renderable, images: new Map(images), template: { ...template, tenantId: null } };
  t.equal(imagePath(system, "icon.png"), `/images/system/${sha256}.png`);
});

t.test(
  "the same content has the same path under any name and in any version, other content another",
  async (t) => {
    const imagePath = createImagePath();
    const both = new Map([...images, ["logo.png", bytes], ["hero.png", new Uint8Array([4])]]);
    const of = (name: string) => imagePath({ ...renderable, images: both }, name);
    t.equal(of("logo.png"), of("icon.png"));
    t.equal(of("icon.png"), imagePath({ ...renderable, images }, "icon.png"));
    t.not(of("hero.png"), of("icon.png"));
  },
);

t.test("what a template does not have has no path", async (t) => {
  const imagePath = createImagePath();
  for (const name of ["strip.png", "", "constructor"])
    t.equal(imagePath({ ...renderable, images }, name), null);
});
