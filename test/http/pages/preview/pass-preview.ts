import { readdirSync, readFileSync } from "node:fs";
import t from "tap";
import { readPng } from "../../../../src/domain/templates/parsing/png.ts";
import { drawPreview } from "../../../../src/http/pages/preview/pass-preview.ts";
import { decodePng } from "../../../../src/http/pages/preview/png-reading.ts";
import { createPassPreviews } from "../../../../src/http/pages/preview/served-previews.ts";
import { pageInput } from "../fixtures/example-passes.ts";

const { template } = pageInput("LoyaltyCard");
const folder = new URL("../../../../templates/system/loyalty-card/images/", import.meta.url);
const images = new Map(readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder))]));

function pixel(file: Uint8Array, x: number, y: number): number[] {
  const image = decodePng(file);
  const at = (y * (image?.width ?? 0) + x) * 4;
  return [...(image?.rgba.subarray(at, at + 3) ?? [])];
}

t.test("a preview is a card in the template's colours, in the size that services ask for", async (t) => {
  const file = await drawPreview({ ...template, images }, null);
  t.strictSame(readPng(file), { width: 1200, height: 630 });
  t.strictSame(pixel(file, 600, 90), [0x5b, 0x2a, 0x1e], "its background");
  t.not(String(pixel(file, 600, 330)), "91,42,30", "its banner");
  t.ok(file.length < 600_000, `${file.length} bytes`);
});

t.test("a template whose images cannot be read has a preview all the same", async (t) => {
  const broken = new Map([["logo.png", Buffer.from("no PNG")]]);
  for (const found of [new Map<string, Uint8Array>(), broken]) {
    const file = await drawPreview({ ...template, images: found }, null);
    t.strictSame(pixel(file, 600, 90), [0x5b, 0x2a, 0x1e]);
  }
});

t.test("it is drawn once for a version and a language", async (t) => {
  const previews = createPassPreviews();
  const italian = new Map([
    ...images,
    ["it.lproj/logo@2x.png", readFileSync(new URL("icon@2x.png", folder))],
  ]);
  const of = (wanted: string[], version = 1) =>
    previews.preview(wanted, {
      ...template,
      version: { ...template.version, version },
      images: italian,
    });
  const first = await of(["de"]);
  t.equal(await of(["fr"]), first, "neither is a language of the template");
  t.not((await of(["it"])).etag, first.etag);
  t.equal((await of([], 2)).etag, first.etag, "the same picture is known again");
});
